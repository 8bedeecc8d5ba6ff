"""Find what does not get on: silent processes, tasks that wait, open issues, failing jobs."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.process_events.agent_process import ProcessState
from cortexfs.core.process_events.find_overdue import find_overdue
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.text.minute import format_minute
from cortexfs.core.text.plural import format_count
from cortexfs.operations.daemon_status import load_daemon_status
from cortexfs.operations.issue import list_issues
from cortexfs.operations.list_processes import list_processes
from cortexfs.operations.tasks.list_tasks import list_tasks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit

MAX_FLAGS = 1000
"""Maximum number of processes that are judged to be overdue."""
_STUCK_STATES = (TaskState.BLOCKED, TaskState.PAUSED, TaskState.PENDING, TaskState.WAITING)


class StuckItem(NamedTuple):
    """One thing that is stuck: what it is, its name, its project (or empty), and the reason."""

    type: str
    name: str
    project: str
    reason: str


def find_stuck_work(session: Session, projects: list[str]) -> list[StuckItem]:
    """Return what is stuck in some projects: processes, jobs, tasks, issues, in this order.

    Processes without a project of the tree, and the jobs of the daemon, belong to all projects.
    """
    with session.view_without_refresh() as view:
        known = set(view.tree.list_projects())
    found = _find_processes(session)
    processes = [each for each in found if each.project in projects or each.project not in known]
    items = [*processes, *_find_failing_jobs(session)]
    for task, readiness in list_tasks(session, projects, _STUCK_STATES).tasks:
        # a task that waits for others is not stuck; one that waits for an approval is
        if readiness.state is not TaskState.WAITING or task.has_flag("approval-needed"):
            reason = f"{readiness.reason}: {task.description}"
            items.append(StuckItem("task", task.id, task.project, reason))
    for project in projects:
        items += (
            StuckItem(
                "issue", each.title, project, f"open since {each.date}" if each.date else "open"
            )
            for each, _ in list_issues(session, project)
        )
    return items


def _find_processes(session: Session) -> Iterator[StuckItem]:
    """Yield the processes that are silent, wait for a person, or were flagged, or should be."""
    now = session.clock().astimezone(UTC)
    processes = list_processes(session)
    settings = session.settings.supervision._replace(flags_per_pass=MAX_FLAGS)
    overdue = {each.process: each.reason for each in find_overdue(processes, now, settings)}
    for process in processes:
        reason = overdue.get(process) or _describe_state(process)
        if reason:
            what = f"{reason}: {process.text}" if process.text else reason
            yield StuckItem(str(process.type), process.id, process.project, what)


def _describe_state(process: AgentProcess) -> str:
    since = f"since {format_minute(process.last_seen)}"
    if process.flagged:
        return f"flagged {format_minute(process.flagged)}"
    if process.state is ProcessState.WAITING:
        return f"waits for a person {since}"
    return f"silent {since}" if process.state is ProcessState.SILENT else ""


def _find_failing_jobs(view: TreeFilesAndGit) -> Iterator[StuckItem]:
    status = load_daemon_status(view)
    for job in status.state.jobs if status.is_running else ():
        if error := job.record.error:
            tries = format_count(job.record.failures, "failure")
            yield StuckItem("job", job.name, "", f"{tries}: {error}")
