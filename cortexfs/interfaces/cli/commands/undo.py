"""`cortexfs undo`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import CommandContext, change_command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.operations.undo import UndoResult

MAX_LISTED_PATHS = 10
"""Maximum number of paths that are printed; further ones are counted."""

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def undo(
    run: CommandContext,
    commit: Annotated[
        str, typer.Argument(metavar="[COMMIT]", help="Id of the commit (default: the last change).")
    ] = "",
    number: Annotated[
        int, typer.Option("-n", min=1, max=1000, help="Number of changes to undo, newest first.")
    ] = 1,
) -> None:
    """Undo the last change made through cortexfs.

    With COMMIT, undoes the change of that commit. Refused if one of its files has changed since. A
    second undo undoes the change before; `cortexfs redo` reverts the last undo. With -n 3 the last
    three changes are undone, or none of them.

    Example: cortexfs undo --dry-run
    """
    from cortexfs.errors import Usage
    from cortexfs.operations.undo import undo as undo_change
    from cortexfs.operations.undo_several import undo_several

    if commit and number > 1:
        raise Usage(
            "-n cannot be combined with COMMIT", hint="`cortexfs undo -n 3` undoes the last three"
        )
    session = run.open_session()
    if number > 1:
        print_undo_results(run, undo_several(session, number, mode=run.mode))
    else:
        print_undo_results(run, [undo_change(session, commit, mode=run.mode)])


def print_undo_results(run: CommandContext, done: Sequence[UndoResult]) -> None:
    """Print the undone changes, and the files that changed."""
    from cortexfs.interfaces.json.projects import to_undone_json

    last = done[-1]
    message = last.subject if len(done) == 1 else f"undo: {len(done)} changes"
    document = {"undone": list(map(to_undone_json, done)), "message": message}
    if run.output.print_result(last.plan._replace(message=message), last.outcome, document):
        run.output.print_lines(*(each.subject for each in done))
        paths = list(dict.fromkeys(p for each in done for p in each.plan.commit_paths))
        run.output.print_lines(*paths[:MAX_LISTED_PATHS])
        if (rest := len(paths) - MAX_LISTED_PATHS) > 0:
            run.output.print_lines(f"and {format_count(rest, 'more file')}")
