"""`cortexfs rm`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@changing
def rm(
    run: Run,
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

    done = carry_out(run.session(), ref, console.cwd(), force=force, mode=run.mode)
    about = {"ref": done.ref, "path": done.path}
    for path in done.named_by:
        run.say.talk(f"{path}: still names {done.ref}")
    if run.say.done(done.plan, done.outcome, {"removed": about, "named_by": done.named_by}):
        run.say.lines(f"removed {done.ref}; `cortexfs restore {done.ref}` brings it back")
