"""What runs according to the event log: a session of a client, a sub-agent or a background task."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.process_events.process_event import parse_event_time

if TYPE_CHECKING:
    from datetime import datetime


class ProcessType(StrEnum):
    """What a process is."""

    SESSION = "session"
    SUB_AGENT = "sub-agent"
    TASK = "task"


class ProcessState(StrEnum):
    """What a process does at a moment."""

    RUNNING = "running"
    WAITING = "waiting"
    """For a person: the turn of a session is over, or a task reports that it waits."""
    SILENT = "silent"
    """Running as far as we know, without a sign of life for some time."""
    ENDED = "ended"
    LOST = "lost"
    """Never ended, and without a sign of life for so long that it cannot be running."""

    @property
    def is_over(self) -> bool:
        """Whether nothing runs."""
        return self in {ProcessState.ENDED, ProcessState.LOST}


class AgentProcess(NamedTuple):
    """One process. Times are those of events; `flagged` is when it was flagged, or empty.

    `agent` is the id of a sub-agent or task within its session; empty for the session itself.
    """

    type: ProcessType
    session: str
    agent: str
    client: str
    project: str
    started: str
    last_seen: str
    text: str = ""
    flagged: str = ""
    state: ProcessState = ProcessState.RUNNING

    @property
    def id(self) -> str:
        """Its own id."""
        return self.agent or self.session

    def compute_silence(self, now: datetime) -> timedelta:
        """Return the time since its last sign of life; zero if the clock was set back."""
        return max(now - parse_event_time(self.last_seen), timedelta())

    def compute_age(self, now: datetime) -> timedelta:
        """Return the time since its start; zero if the clock was set back."""
        return max(now - parse_event_time(self.started), timedelta())
