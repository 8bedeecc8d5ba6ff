"""`cortexfs log`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import Run, reading
from cortexfs.interfaces.cli.options import Limit

if TYPE_CHECKING:
    from cortexfs.operations.log import Turn

app = typer.Typer(rich_markup_mode=None, add_completion=False)

NAMED = 3
"""So many refs are named beside a change; more are counted."""


@app.command()
@reading
def log(
    run: Run,
    ref: Annotated[
        str | None, typer.Argument(help="An atom; default: all.", autocompletion=completion.refs)
    ] = None,
    limit: Limit = 20,
    bookkeeping: Annotated[
        bool, typer.Option("--all", help="Also where only books were kept.")
    ] = False,
) -> None:
    """Show what changed when, of the tree or of an atom.

    Newest first. An atom is followed under every name that it has had, and its changes of
    status are named.

    Example: cortexfs log driftwood/EXP-004
    """
    from cortexfs.interfaces.json_documents import turn
    from cortexfs.operations.log import log as latest
    from cortexfs.operations.log import log_of

    session = run.session()
    full = None
    if ref:
        full, turns = log_of(session, ref, console.cwd(), limit, bookkeeping=bookkeeping)
    else:
        turns = latest(session, limit, bookkeeping=bookkeeping)
    run.say.document(ref=full, changes=[turn(each) for each in turns])
    rows = ((t.made.commit[:10], t.made.when, t.made.author, _what(t, ref)) for t in turns)
    run.say.table(("Commit", "When", "Who", "What"), rows)
    if not turns:
        run.say.none("nothing of it was ever committed" if ref else "nothing was committed yet")


def _what(turn: Turn, ref: str | None) -> str:
    """Say what a commit did: its subject, and what that leaves unsaid."""
    more = []
    if turn.status:
        more.append(" → ".join(turn.status))
    if turn.moved_from:
        more.append(f"moved from {turn.moved_from}")
    unsaid = [] if ref else [r for r in turn.refs if r.rpartition("/")[2] not in turn.made.subject]
    if unsaid:
        left = f" and {len(unsaid) - NAMED} more" if len(unsaid) > NAMED else ""
        more.append(", ".join(unsaid[:NAMED]) + left)
    return f"{turn.made.subject} ({'; '.join(more)})" if more else turn.made.subject
