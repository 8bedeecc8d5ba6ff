"""`cortexfs rm`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def rm(
    run: CommandContext,
    ref: Ref,
    force: Annotated[
        bool, typer.Option("--force", help="Remove it even if other files mention it.")
    ] = False,
    purge: Annotated[
        bool, typer.Option("--purge", help="Also print how to remove it from the git history.")
    ] = False,
) -> None:
    """Remove an atom; `restore` brings it back.

    Refused if other files mention the atom, unless --force is given. With --purge, the commands
    that remove it from the history are printed, also for an atom that was removed earlier; they
    are never run.

    Example: cortexfs rm greenhouse/EXP-001 --force
    """
    from cortexfs.core.changes.purge_command import explain_purge, format_purge_command
    from cortexfs.operations.rm import rm as remove_atom

    done = remove_atom(
        run.open_session(), ref, run.cwd, force=force, with_past_paths=purge, mode=run.mode
    )
    about = {"ref": done.ref, "path": done.path}
    command = format_purge_command(done.past_paths) if purge else None
    for path in done.mentioning_files:
        run.output.print_message(f"{path}: still mentions {done.ref}")
    if (
        run.output.print_result(
            done.plan,
            done.outcome,
            {"removed": about, "named-by": done.mentioning_files, "purge": command},
        )
        and not done.was_removed
    ):
        kept = "" if done.is_personal else f"; `cortexfs restore {done.ref}` brings it back"
        run.output.print_lines(f"removed {done.ref}{kept}")
    if command and not run.dry_run:
        run.output.print_lines(*explain_purge(command))
