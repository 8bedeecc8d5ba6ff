"""`cortexfs watch`."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import Json, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.core.atom import Finding
    from cortexfs.core.plan import Outcome

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def watch(
    once: Annotated[bool, typer.Option("--once", help="End after the first change.")] = False,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Regenerate and check as files change.

    Until it is stopped. With --json it prints a document for each round that changed something.

    Example: cortexfs watch --once
    """
    from cortexfs.faces import documents
    from cortexfs.faces.watch import watch as look

    gc.enable()  # this one stays
    say, cortex = Voice(as_json, quiet), voice.cortex(root)

    def tell(outcome: Outcome, findings: list[Finding]) -> None:
        written = [index for index in outcome.indexes if index.write]
        say.document(
            indexes=[documents.index(index) for index in written],
            findings=[documents.finding(found) for found in findings],
            commit=voice.last_commit(outcome),
        )
        say.outcome(outcome)
        for index in written:
            say.lines(f"regenerated {index.path}")
        for found in findings:
            say.lines(f"{found.path}:{found.line}: {found.code}: {found.message}")

    say.talk(f"watching {cortex.tree.root}; ctrl-c ends it")
    look(cortex, tell, rounds=1 if once else None)
