"""`cortexfs redo`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.commands.undo import print_undo_results

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def redo(run: CommandContext) -> None:
    """Redo the last undo.

    Refused if anything else has changed since.

    Example: cortexfs redo --dry-run
    """
    from cortexfs.operations.undo import redo as redo_last_undo

    print_undo_results(run, [redo_last_undo(run.open_session(), mode=run.mode)])
