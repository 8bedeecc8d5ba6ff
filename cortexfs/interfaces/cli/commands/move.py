"""`cortexfs move`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Ref
from cortexfs.interfaces.cli.rename_report import print_rename_result

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def move(
    run: CommandContext,
    ref: Ref,
    project: Annotated[
        str, typer.Argument(help="The project.", autocompletion=completion.complete_projects)
    ],
) -> None:
    """Move an atom to another project.

    It keeps its id, or gets the next one where that is taken. Every ref, link and path that means
    it changes in the same commit, and its reads go with it.

    Example: cortexfs move driftwood/EXP-012 lighthouse
    """
    from cortexfs.operations.rename import move as carry_out

    print_rename_result(
        run, carry_out(run.open_session(), ref, project, console.working_directory(), mode=run.mode)
    )
