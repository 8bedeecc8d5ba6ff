"""`cortexfs move`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion
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
        str,
        typer.Argument(
            metavar="PROJECT",
            help="Name of the project.",
            autocompletion=completion.complete_projects,
        ),
    ],
) -> None:
    """Move an atom to another project, and update every reference to it.

    The atom keeps its id, or gets the next free one if that is taken. One commit also updates
    every ref, link and path that points to it. Read counts are kept.

    Example: cortexfs move driftwood/EXP-012 lighthouse
    """
    from cortexfs.operations.rename import move as move_atom

    print_rename_result(
        run,
        move_atom(run.open_session(), ref, project, run.cwd, mode=run.mode),
    )
