"""`cortexfs rename`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.rename_report import print_rename_result

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def rename(
    run: CommandContext,
    ref: Annotated[
        str, typer.Argument(help="An atom, or a project.", autocompletion=completion.complete_refs)
    ],
    new: Annotated[str, typer.Argument(help="The new id, or the new name of the project.")],
) -> None:
    """Give an atom another id, or a project another name.

    In one commit: file, id, heading, every ref, link and path that means it, and its reads.

    Example: cortexfs rename driftwood/EXP-012 EXP-042
    """
    from cortexfs.operations.rename import rename as rename_atom
    from cortexfs.operations.rename_project import rename_project

    session = run.open_session()
    if ref in session.tree.list_projects():
        print_rename_result(run, rename_project(session, ref, new, mode=run.mode))
    else:
        print_rename_result(
            run, rename_atom(session, ref, new, console.working_directory(), mode=run.mode)
        )
