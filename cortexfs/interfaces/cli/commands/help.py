"""`cortexfs help`."""

from __future__ import annotations

from typing import Annotated

import typer
from typer.core import TyperGroup

from cortexfs.errors import Usage

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command("help")
def print_help(
    context: typer.Context,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="For example: task add.")
    ] = None,
) -> None:
    """Print the help of a command, as `-h` does.

    Without a command, lists all commands.

    Example: cortexfs help task add
    """
    at = context.find_root()
    for word in words or ():
        group = at.command
        if not isinstance(group, TyperGroup):
            raise Usage(
                f"`{at.command_path}` has no commands of its own",
                hint=f"`{at.command_path} -h` shows its help",
            )
        name, command, _ = group.resolve_command(at, [word])
        if command:
            at = typer.Context(command, parent=at, info_name=name)
    typer.echo(at.get_help())
