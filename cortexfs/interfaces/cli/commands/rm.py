"""`cortexfs rm`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def rm(
    run: CommandContext,
    ref: Ref,
    force: Annotated[
        bool, typer.Option("--force", help="Also an atom that other files name.")
    ] = False,
) -> None:
    """Remove an atom; git keeps it.

    One that other files name is refused. `cortexfs restore` brings it back.

    Example: cortexfs rm greenhouse/EXP-001 --force
    """
    from cortexfs.operations.rm import rm as carry_out

    done = carry_out(
        run.open_session(), ref, console.working_directory(), force=force, mode=run.mode
    )
    about = {"ref": done.ref, "path": done.path}
    for path in done.mentioning_files:
        run.output.print_message(f"{path}: still names {done.ref}")
    if run.output.print_result(
        done.plan, done.outcome, {"removed": about, "named-by": done.mentioning_files}
    ):
        run.output.print_lines(f"removed {done.ref}; `cortexfs restore {done.ref}` brings it back")
