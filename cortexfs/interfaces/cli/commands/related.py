"""`cortexfs related`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import Limit, Ref

if TYPE_CHECKING:
    from cortexfs.core.graph.related import Related

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def related(run: Run, ref: Ref, limit: Limit = 10) -> None:
    """List what is related to an atom, the closest first, and why.

    Example: cortexfs related driftwood/K-005
    """
    from cortexfs.interfaces.graph_json import relations as document
    from cortexfs.operations.related import related as look

    found = look(run.session(), ref, console.cwd(), limit)
    run.say.document(**document(found))
    rows = (
        (one.node.ref, f"{one.score:.2f}", _why(one), one.node.status, one.node.summary)
        for one in found.related
    )
    run.say.table(("Ref", "Score", "Why", "Status", "Summary"), rows)
    if not found.related:
        run.say.none("nothing is related to it")


def _why(one: Related) -> str:
    """Say each reason, and how much it says: `links 1.00 (→ evidence), text 0.42`."""
    return ", ".join(
        f"{word} {reason.share:.2f}" + (f" ({reason.told})" if reason.told else "")
        for word, reason in one.reasons.items()
    )
