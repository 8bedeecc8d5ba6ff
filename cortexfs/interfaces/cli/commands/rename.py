"""`cortexfs rename`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.rename_report import print_rename_result

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def rename(
    run: CommandContext,
    ref: Annotated[
        str,
        typer.Argument(
            metavar="REF",
            help="Ref of an atom, or name of a project.",
            autocompletion=completion.complete_refs,
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="New id or name.")],
    show_all: Annotated[
        bool, typer.Option("--all", help="Print every file to check (default: five).")
    ] = False,
) -> None:
    """Rename an atom or a project, and update every reference to it.

    One commit changes the file or folder, the id, the heading, and every ref, link and path that
    points to it. Read counts are kept.

    Example: cortexfs rename driftwood/EXP-012 EXP-042
    """
    from cortexfs.operations.rename import rename as rename_atom
    from cortexfs.operations.rename_project import rename_project

    session = run.open_session()
    if ref in session.tree.list_projects():
        renamed = rename_project(session, ref, new, mode=run.mode)
        print_rename_result(run, renamed, show_all=show_all)
    else:
        print_rename_result(run, rename_atom(session, ref, new, run.cwd, mode=run.mode))
