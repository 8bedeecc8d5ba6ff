"""`cortexfs hook`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.session.session import Session

MAX_WAIT_S = 60
"""Maximum seconds to wait for more notes."""

app = make_group("Log the notes of hooks, or count them: drain, status.")


@app.command()
@change_command
def drain(
    run: CommandContext,
    after: Annotated[float, typer.Option(metavar="SECONDS", help="Seconds to wait first.")] = 0,
) -> None:
    """Log the reads that hooks have noted, and render the bulletin.

    Writes the reads to the access logs, in one commit.

    Example: cortexfs hook drain
    """
    import time

    from cortexfs.errors import Usage

    if not 0 <= after <= MAX_WAIT_S:
        raise Usage(f"--after takes 0 to {MAX_WAIT_S} seconds")
    time.sleep(after)
    session = run.open_session()
    if run.dry_run:
        from cortexfs.session.perform_change import plan_waiting_notes

        run.output.print_plan(plan_waiting_notes(session.reader))
        return
    session.tree.spool.remove_old_token()
    outcome = session.drain_spool(run.mode)
    problem = _prepare_sessions(session) if run.mode.makes_commit else ""
    _print_drained(run.output, outcome)
    if problem:
        run.output.print_message(problem)


@app.command("status")
@read_command
def show_waiting_notes(run: CommandContext) -> None:
    """Count the notes that are not logged yet.

    Example: cortexfs hook status
    """
    waiting = run.open_session().tree.spool.count_waiting()
    run.output.print_document(spool={"waiting": waiting})
    run.output.print_text(f"waiting: {format_count(waiting, 'note')}")


def _prepare_sessions(session: Session) -> str:
    """Prepare what the hooks of sessions print; return why BULLETIN.md is not written, or nothing.

    Where that is impossible, the files before stay.
    """
    import os
    from contextlib import suppress

    from cortexfs.errors import CortexError
    from cortexfs.operations.refresh_bulletin import refresh_bulletin
    from cortexfs.operations.refresh_injection import refresh_injection

    with suppress(CortexError, OSError):
        refresh_injection(session, os.environ)
    with suppress(CortexError, OSError):  # it may wait for a language model
        return refresh_bulletin(session, os.environ).page_problem
    return ""


def _print_drained(output: OutputPrinter, outcome: Outcome) -> None:
    from cortexfs.core.atoms.tree_paths import project_from_path

    notes, appends = len(outcome.drain_plan.spool_notes), outcome.drain_plan.appends
    events = sum(len(added.lines) for added in appends)
    projects = sorted({project_from_path(added.path) for added in appends})
    counts = {"notes": notes, "events": events, "projects": projects}
    output.print_result(outcome.plan, outcome, {"drained": counts})
    output.print_text(f"{format_count(notes, 'note')}, {format_count(events, 'event')}")
