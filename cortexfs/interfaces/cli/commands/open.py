"""`cortexfs open`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("open")
@read_command
def open_atom(
    run: CommandContext,
    ref: Ref,
    only_print: Annotated[
        bool, typer.Option("--print", help="Print the path without opening the file.")
    ] = False,
) -> None:
    """Open an atom's file in its default application.

    Without a desktop, prints the path.

    Example: cortexfs open driftwood/EXP-012 --print
    """
    from cortexfs.interfaces.cli.desktop import find_opener, open_file
    from cortexfs.operations.locate_atom import locate_atom

    found = locate_atom(run.open_session(), ref, run.cwd)
    program = "" if only_print else find_opener()
    if program:
        open_file(program, found.absolute_path)
    about = {"ref": found.ref, "path": found.path, "file": found.absolute_path}
    run.output.print_document(opened=about, program=program or None)
    if not program:
        run.output.print_lines(found.absolute_path)
