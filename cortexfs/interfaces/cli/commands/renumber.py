"""`cortexfs renumber`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.rename_report import print_rename_result

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def renumber(
    run: CommandContext,
    ref: Annotated[
        str,
        typer.Argument(
            help="The path of the file, or a ref.", autocompletion=completion.complete_refs
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="[NEW-ID]", help="Default: the next free id.")] = "",
) -> None:
    """Give one of two atoms with the same id the next free id.

    File, id, heading and reads change. Other texts may mean either of the two: they are named.

    Example: cortexfs renumber projects/driftwood/experiments/EXP-012-copy.md
    """
    from cortexfs.operations.renumber import renumber as carry_out

    print_rename_result(
        run, carry_out(run.open_session(), ref, new, console.working_directory(), mode=run.mode)
    )
