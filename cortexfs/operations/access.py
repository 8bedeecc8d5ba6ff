"""What was looked at: the latest looks, the most read atoms, and the log's months."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import read_log
from cortexfs.core.access.rotate_log import plan_rotation, segment
from cortexfs.core.atoms.tree_paths import LOG, LOGS, is_log_name, log_of
from cortexfs.core.changes.plan import Mode, Plan, Planned, with_outcome
from cortexfs.core.indexes.index_entry import time_of
from cortexfs.operations.shared.resolve_names import project_named
from cortexfs.session.view import nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access.access_log import Look
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


class Seen(NamedTuple):
    """One look, and the project it was in."""

    project: str
    look: Look


def latest(session: Session, project: str | None, limit: int) -> list[Seen]:
    """Give the latest looks, newest first."""
    with session.read(drain=True) as view:
        seen = [
            Seen(name, look)
            for name in _projects(view, project)
            for path in _logs(view, name)
            for look in read_log(view.tree.text(path) or "")[0]
        ]
        return sorted(seen, key=_when, reverse=True)[:limit]


def _when(seen: Seen) -> tuple[str, str, str]:
    """Order looks by their times in UTC, whatever their lines say them in."""
    ts = time_of(seen.look.ts) or seen.look.ts
    return ts.removesuffix("Z"), seen.project, seen.look.file


def top(session: Session, project: str | None, limit: int) -> list[Entry]:
    """Give the most read atoms, most read first."""
    _projects(session, project)
    with session.read(drain=True) as view:
        read = (
            entry
            for entry in view.facts.all_entries()
            if entry.total.refs and project in {None, entry.atom.project}
        )
        return sorted(read, key=lambda entry: entry.order)[:limit]


def rotate(session: Session, project: str | None, *, mode: Mode = Mode.COMMIT) -> Planned:
    """Move whole past months of the logs into files of their own."""

    def decide(view: View) -> Planned:
        return _decide(view, project)

    return with_outcome(session.execute(decide, mode, render=nothing))


def _decide(view: FileView, project: str | None) -> Planned:
    current = f"{view.clock():%Y-%m}"
    writes = []
    for name in _projects(view, project):
        months = {
            path.rpartition("/")[2].removeprefix("access-log.").removesuffix(".jsonl"): path
            for path in _logs(view, name)
            if not path.endswith(f"/{LOG}")
        }
        texts = {month: view.tree.text(segment(name, month)) or "" for month in months}
        writes += plan_rotation(name, view.tree.text(log_of(name)) or "", texts, current)
    return Planned(Plan("chore: rotate access log", tuple(writes)))


def _projects(view: FileView, project: str | None) -> Sequence[str]:
    return [project_named(view, project)] if project else view.tree.projects()


def _logs(view: FileView, project: str) -> Iterable[str]:
    folder = f"projects/{project}/{LOGS}"
    return [f"{folder}/{name}" for name in view.tree.names(folder) if is_log_name(name)]
