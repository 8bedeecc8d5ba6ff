"""`cortexfs diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import At, Ref

if TYPE_CHECKING:
    from cortexfs.operations.diff import Difference

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@reading
def diff(run: Run, ref: Ref, at: At = None) -> None:
    """Show what changed in an atom.

    Compares with the text before the last change, or of --since. Changes that are not
    committed count. Exit code 1 if nothing changed.

    Example: cortexfs diff driftwood/EXP-009
    """
    from cortexfs.interfaces.json.changes import difference
    from cortexfs.operations.diff import diff as compare

    found = compare(run.session(), ref, console.cwd(), at)
    text = console.diff(found.path, found.then, found.now)
    run.say.document(**difference(found, text))
    if found.path_then != found.path:
        run.say.data(f"{found.path_then} is now {found.path}")
    if text:
        run.say.data(text)
    run.say.talk(_about(found, text))
    if found.then == found.now:
        raise typer.Exit(1)


def _about(found: Difference, text: str) -> str:
    """Say between what and what this is the difference."""
    if found.by:
        return f"by {_named(*found.by[:2], found.by.subject)}"
    if found.since:
        since = _named(*found.since[:2], found.since.subject)
        return f"since {since}" if text else f"the same since {since}"
    return "it was never committed"


def _named(commit: str, when: str, subject: str) -> str:
    return f"{commit[:10]} {when[:10]} {subject}"
