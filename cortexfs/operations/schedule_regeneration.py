"""Let the scheduler of the machine update the indexes at regular times, or end that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.clients import regen_scheduler
from cortexfs.clients.regen_schedule_text import parse_interval
from cortexfs.operations.drain_command import find_interpreter

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.clients.regen_scheduler import ScheduleTextChange
    from cortexfs.session.view import TreeFilesAndGit


def plan_schedule(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    every: str,
    using: str | None,
    *,
    remove: bool,
) -> tuple[str, list[ScheduleTextChange]]:
    """Return the scheduler and its changes."""
    chosen = using or regen_scheduler.choose_scheduler(environ)
    minutes = None if remove else parse_interval(every)
    return chosen, regen_scheduler.plan_schedule_changes(
        chosen, (find_interpreter(), view.tree.root), minutes, environ
    )


def install_schedule(using: str, changes: list[ScheduleTextChange]) -> None:
    """Install the schedule."""
    regen_scheduler.apply_schedule_changes(using, changes)
