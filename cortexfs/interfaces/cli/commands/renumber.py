"""`cortexfs renumber`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion
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
            metavar="PATH",
            help="Path of the file, or a ref that only it has.",
            autocompletion=completion.complete_refs,
        ),
    ],
    new: Annotated[
        str, typer.Argument(metavar="[NEW-ID]", help="New id (default: the next free one).")
    ] = "",
) -> None:
    """Give one of two atoms with the same id another id.

    Changes the file, the id, the heading and the read counts. After a merge of two clones, a
    reference in another file is updated if its line was committed where only this atom existed.
    References that may mean either atom are listed, but not changed.

    Example: cortexfs renumber projects/driftwood/experiments/EXP-012-copy.md
    """
    from cortexfs.operations.renumber import renumber as renumber_atom

    print_rename_result(run, renumber_atom(run.open_session(), ref, new, run.cwd, mode=run.mode))
