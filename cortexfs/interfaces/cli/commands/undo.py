"""`cortexfs undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing

if TYPE_CHECKING:
    from cortexfs.operations.undo import Undone

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@changing
def undo(
    run: Run,
    commit: Annotated[str, typer.Argument(metavar="[COMMIT]", help="Default: the last.")] = "",
) -> None:
    """Undo the last change made through cortexfs.

    With COMMIT, the change of that commit. Refused if one of its files has changed since. A second
    undo undoes the change before; `cortexfs redo` redoes the last undo.

    Example: cortexfs undo --dry-run
    """
    from cortexfs.operations.undo import undo as take_back

    tell(run, take_back(run.session(), commit, mode=run.mode))


def tell(run: Run, done: Undone) -> None:
    """Say what was taken back, and which files changed for it."""
    made, paths = done.made, done.plan.paths
    undone = {"commit": made.commit, "subject": made.subject, "paths": paths}
    said = {"undone": undone, "message": done.subject}
    if run.say.done(done.plan._replace(summary=done.subject), done.outcome, said):
        run.say.lines(done.subject, *paths)
