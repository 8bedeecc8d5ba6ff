"""`cortexfs undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, change_command

if TYPE_CHECKING:
    from cortexfs.operations.undo import UndoResult

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def undo(
    run: CommandContext,
    commit: Annotated[
        str, typer.Argument(metavar="[COMMIT]", help="Id of the commit (default: the last change).")
    ] = "",
) -> None:
    """Undo the last change made through cortexfs.

    With COMMIT, undoes the change of that commit. Refused if one of its files has changed since. A
    second undo undoes the change before; `cortexfs redo` reverts the last undo.

    Example: cortexfs undo --dry-run
    """
    from cortexfs.operations.undo import undo as undo_change

    print_undo_result(run, undo_change(run.open_session(), commit, mode=run.mode))


def print_undo_result(run: CommandContext, done: UndoResult) -> None:
    """Print the undone change, and the files that changed."""
    commit, paths = done.commit, done.plan.commit_paths
    undone = {"commit": commit.commit, "subject": commit.subject, "paths": paths}
    document = {"undone": undone, "message": done.subject}
    if run.output.print_result(done.plan._replace(message=done.subject), done.outcome, document):
        run.output.print_lines(done.subject, *paths)
