"""Find the processes to flag: background tasks that are silent, and sub-agents that are too old."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.process_events.agent_process import ProcessState, ProcessType

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.core.settings.supervision_settings import SupervisionSettings


class OverdueProcess(NamedTuple):
    """A process to flag, since when it is judged, and why."""

    process: AgentProcess
    since: str
    reason: str


def find_overdue(
    processes: Iterable[AgentProcess], now: datetime, settings: SupervisionSettings
) -> list[OverdueProcess]:
    """Return the processes to flag, at most `flags_per_pass`: the oldest first, then by id.

    A task counts from its last sign of life, a sub-agent from its start. What is over, waits for
    a person or is already flagged is left out. A session is never flagged: only few of the things
    that it does leave an event.
    """
    checked = (_check(process, now, settings) for process in processes)
    overdue = [each for each in checked if each is not None]
    overdue.sort(key=lambda each: (each.since, each.process.id, each.process.session))
    return overdue[: settings.flags_per_pass]


def _check(
    process: AgentProcess, now: datetime, settings: SupervisionSettings
) -> OverdueProcess | None:
    if process.state.is_over:
        return None
    if process.type is ProcessType.TASK and process.state is not ProcessState.WAITING:
        spent, limit_s = process.compute_silence(now), settings.silent_after_s
        since, reason = process.last_seen, "no sign of life for"
    elif process.type is ProcessType.SUB_AGENT:
        spent, limit_s = process.compute_age(now), settings.agent_lifetime_s
        since, reason = process.started, "running for"
    else:
        return None
    if not limit_s or spent <= timedelta(seconds=limit_s) or process.flagged >= since:
        return None
    return OverdueProcess(process, since, f"{reason} {int(spent.total_seconds()) // 60} min")
