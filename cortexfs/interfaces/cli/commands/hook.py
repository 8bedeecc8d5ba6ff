"""`cortexfs hook`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli.command_context import Run, changing, group, reading

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.cli.console import Voice

LONGEST_S = 60
"""Nobody waits longer for more notes."""

app = group("Process or count the notes of hooks: drain, status.")


@app.command()
@changing
def drain(
    run: Run,
    after: Annotated[float, typer.Option(metavar="SECONDS", help="Wait first.")] = 0,
) -> None:
    """Write the reads that hooks have noted into the access logs, in one commit.

    Example: cortexfs hook drain
    """
    import time

    from cortexfs.errors import Usage

    if not 0 <= after <= LONGEST_S:
        raise Usage(f"--after takes 0 to {LONGEST_S} seconds")
    time.sleep(after)
    session = run.session()
    if run.dry_run:
        run.say.plan(session.reader.plan_drain())
        return
    session.tree.spool.remove_old_token()
    _show(run.say, session.drain(run.mode))


@app.command()
@reading
def status(run: Run) -> None:
    """Count the notes that wait to be processed.

    Example: cortexfs hook status
    """
    waiting = run.session().tree.spool.waiting_count()
    run.say.document(spool={"waiting": waiting})
    run.say.data(f"waiting: {counted(waiting, 'note')}")


def _show(say: Voice, outcome: Outcome) -> None:
    from cortexfs.core.atoms.tree_paths import project_of

    notes, appends = len(outcome.drained.notes), outcome.drained.appends
    events = sum(len(added.lines) for added in appends)
    projects = sorted({project_of(added.path) for added in appends})
    said = {"notes": notes, "events": events, "projects": projects}
    say.done(outcome.plan, outcome, {"drained": said})
    say.data(f"{counted(notes, 'note')}, {counted(events, 'event')}")
