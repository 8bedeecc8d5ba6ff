"""`cortexfs restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Ref

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def restore(
    run: CommandContext,
    ref: Ref,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="COMMIT", help="Restore the text of this commit or day."),
    ] = None,
) -> None:
    """Restore a tombstone, or an earlier text of an atom.

    Without --at, a tombstone gets its old text and status back, and a removed atom its last text.
    Atoms that were challenged because of the tombstone stay challenged.

    Example: cortexfs restore driftwood/EXP-009 --at HEAD
    """
    from cortexfs.interfaces.json.history_and_status import to_restored_atom_json
    from cortexfs.operations.restore import restore as restore_atom

    done = restore_atom(run.open_session(), ref, at=at, cwd=run.cwd, mode=run.mode)
    changed = bool(done.plan.writes)
    for other in done.challenged:
        run.output.print_message(
            f"still challenged: {other}; `cortexfs mark {other} valid` if it is valid again"
        )
    if not run.output.print_result(
        done.plan, done.outcome, to_restored_atom_json(done), changed=changed
    ):
        return
    if changed:
        run.output.print_table(("Ref", "Status"), [(done.ref, done.status)])
    else:
        run.output.print_lines(f"{done.ref} already has that text")
