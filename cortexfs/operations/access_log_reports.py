"""Access events: the latest events, the most read atoms, and the rotation of the logs."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import parse_access_log
from cortexfs.core.access.rotate_log import monthly_log_path, plan_log_rotation
from cortexfs.core.atoms.tree_paths import (
    ACCESS_LOG,
    LOG_FOLDER,
    access_log_path,
    is_access_log_name,
)
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, attach_outcome
from cortexfs.core.find.atom_criteria import AtomCriteria
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import normalize_time
from cortexfs.errors import OutsideTree
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.session.view import render_no_indexes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access.access_log import AccessLogEntry
    from cortexfs.core.changes.plan import Write
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View


NO_FILTER = AtomFilter()
"""No filter."""


class ProjectAccessEvent(NamedTuple):
    """One access event and its project."""

    project: str
    event: AccessLogEntry


def list_access_events(
    session: Session, limit: int, only: AtomFilter = NO_FILTER
) -> list[ProjectAccessEvent]:
    """Return the latest access events that match filters, newest first.

    The dates of the filters apply to the time of the read.
    """
    with session.read(drain=True) as view:
        require_known_filter_names(view, only)
        atoms = _select_matching_files(view, only)
        events = (
            ProjectAccessEvent(name, entry)
            for name in only.projects or view.tree.list_projects()
            for path in _list_log_paths(view, name)
            for entry in parse_access_log(read_text_or_empty(view, path))[0]
        )
        matching = [
            each
            for each in events
            if (atoms is None or (each.project, each.event.file) in atoms)
            and _is_in_date_range(each, only)
        ]
        return sorted(matching, key=_time_sort_key, reverse=True)[:limit]


def _select_matching_files(view: View, only: AtomFilter) -> set[tuple[str, str]] | None:
    """Return project and file name of the matching atoms; None if every atom matches."""
    if not (only.kinds or only.statuses or only.tags):
        return None
    entries = view.entries.iter_entries(AtomCriteria(only._replace(since=0, until=0)))
    return {(entry.atom.project, entry.atom.file_name) for entry in entries}


def _is_in_date_range(event: ProjectAccessEvent, only: AtomFilter) -> bool:
    if not (only.since or only.until):
        return True
    try:
        day = date.fromisoformat(
            (normalize_time(event.event.ts) or event.event.ts)[:10]
        ).toordinal()
    except ValueError:
        return False
    return only.includes_day(day)


def _time_sort_key(event: ProjectAccessEvent) -> tuple[str, str, str]:
    """Return a sort key: the time in UTC, whatever the offset of its line."""
    ts = normalize_time(event.event.ts) or event.event.ts
    return ts.removesuffix("Z"), event.project, event.event.file


def list_most_read(
    session: Session, limit: int, only: AtomFilter = NO_FILTER
) -> list[AtomWithReads]:
    """Return the most read atoms that match filters, most read first."""
    best = list_atoms(session, AtomCriteria(only), limit=limit)
    return [entry for entry in best if entry.reads.read_count]


def rotate_access_logs(
    session: Session, project: str | None, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> PlanOnlyResult:
    """Move complete past months of the logs into separate files."""

    def decide(view: View) -> PlanOnlyResult:
        return _plan_rotation(view, project)

    return attach_outcome(session.execute(decide, mode, render=render_no_indexes))


def _plan_rotation(view: TreeFilesAndGit, project: str | None) -> PlanOnlyResult:
    writes: list[Write] = []
    for name in _list_chosen_projects(view, project):
        try:
            writes += _plan_project_rotation(view, name)
        except (OSError, OutsideTree):  # an unreadable log stops no other project
            if project:
                raise
    return PlanOnlyResult(Plan("chore: rotate access log", tuple(writes)))


def _plan_project_rotation(view: TreeFilesAndGit, project: str) -> list[Write]:
    months = {
        path.rpartition("/")[2].removeprefix("access-log.").removesuffix(".jsonl")
        for path in _list_log_paths(view, project)
        if not path.endswith(f"/{ACCESS_LOG}")
    }
    texts = {
        month: view.tree.read_text_lossy(monthly_log_path(project, month)) or "" for month in months
    }
    log = view.tree.read_text_lossy(access_log_path(project)) or ""
    return plan_log_rotation(project, log, texts, f"{view.clock():%Y-%m}")


def _list_chosen_projects(view: TreeFilesAndGit, project: str | None) -> Sequence[str]:
    return [require_project(view, project)] if project else view.tree.list_projects()


def _list_log_paths(view: TreeFilesAndGit, project: str) -> Iterable[str]:
    folder = f"projects/{project}/{LOG_FOLDER}"
    return [f"{folder}/{name}" for name in view.tree.list_names(folder) if is_access_log_name(name)]
