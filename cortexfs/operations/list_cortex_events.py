"""List what the cortex did by itself: commits of maintenance, and runs of the daemon's jobs."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.operations.daemon_status import load_daemon_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.session.annotation_types import CommitRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit

MAX_COMMITS = 1000
"""Number of the last commits among which those of the cortex are looked for."""
_TYPES = (
    ("maintenance_undone", re.compile(r"(?:(?:undo|redo): )+(?:maintain|patterns): ")),
    ("maintenance_completed", re.compile(r"maintain: ")),
    ("patterns_written", re.compile(r"patterns: ")),
    ("memories_merged", re.compile(r"merge \S+ into ")),
    ("proposal_rejected", re.compile(r"reject the merge of ")),
    ("indexes_regenerated", re.compile(r"chore: regenerate indexes$")),
    ("access_log_updated", re.compile(r"chore: update access log$")),
    ("access_log_rotated", re.compile(r"chore: rotate access log$")),
)
"""The types of commits, each with how their subjects begin."""


class CortexEvent(NamedTuple):
    """One event: its commit, or the job with its time, as id; `created_at` is a time in UTC."""

    id: str
    event_type: str
    summary: str
    created_at: str


class CortexEvents(NamedTuple):
    """A part of the events, newest first, and the number of all that match."""

    events: list[CortexEvent]
    total: int


def list_cortex_events(
    session: Session, limit: int, offset: int = 0, event_type: str = ""
) -> CortexEvents:
    """Return the events of one type (empty: of any), newest first."""
    found = [*_iter_commits(session), *_iter_job_runs(session)]
    chosen = [each for each in found if event_type in {"", each.event_type}]
    chosen.sort(key=lambda each: each.created_at, reverse=True)
    return CortexEvents(chosen[offset : offset + limit], len(chosen))


def _iter_commits(view: TreeFilesAndGit) -> Iterator[CortexEvent]:
    history = view.repository.history
    for record in history.list_recent_commits(MAX_COMMITS) if history else ():
        if event_type := _find_type(record):
            commit = record.commit
            yield CortexEvent(commit.commit, event_type, commit.subject, commit.when)


def _find_type(record: CommitRecord) -> str:
    subject = record.commit.subject
    return next((name for name, pattern in _TYPES if pattern.match(subject)), "")


def _iter_job_runs(view: TreeFilesAndGit) -> Iterator[CortexEvent]:
    """Yield the last run of each job that was good, and the last one that failed."""
    for job in load_daemon_status(view).state.jobs:
        record = job.record
        runs = [(f"{job.name}_succeeded", record.last_succeeded, f"{job.name} ran")]
        if record.error:
            runs.append((f"{job.name}_failed", record.last_started, record.error))
        for event_type, seconds, summary in runs:
            if seconds:
                when = datetime.fromtimestamp(int(seconds), UTC)
                time = when.isoformat().replace("+00:00", "Z")
                yield CortexEvent(f"{event_type}-{int(seconds)}", event_type, summary, time)
