"""What was looked at: the latest looks, the most read atoms, and the log's months."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.access.access_log import read_log
from cortexfs.core.access.rotate_log import plan_rotation, segment
from cortexfs.core.atoms.tree_paths import LOG, LOGS, is_log_name, log_of
from cortexfs.core.changes.plan import Mode, Plan, Planned, with_outcome
from cortexfs.core.find.filters import Only
from cortexfs.core.indexes.index_entry import time_of
from cortexfs.operations.list_atoms import Choice, choose, list_atoms
from cortexfs.operations.shared.filters import require_known
from cortexfs.operations.shared.resolve_names import project_named
from cortexfs.session.view import nothing

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.access.access_log import Look
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView, View


EVERY = Only()
"""No filter."""


class Seen(NamedTuple):
    """One look, and the project it was in."""

    project: str
    look: Look


def latest(session: Session, limit: int, only: Only = EVERY) -> list[Seen]:
    """Return the latest access events that match filters, newest first.

    The days of the filters are those on which an atom was read.
    """
    with session.read(drain=True) as view:
        require_known(view, only)
        atoms = _atoms(view, only)
        seen = (
            Seen(name, look)
            for name in only.projects or view.tree.projects()
            for path in _logs(view, name)
            for look in read_log(view.tree.text(path) or "")[0]
        )
        wanted = [
            each
            for each in seen
            if (atoms is None or (each.project, each.look.file) in atoms)
            and _is_between(each, only)
        ]
        return sorted(wanted, key=_when, reverse=True)[:limit]


def _atoms(view: View, only: Only) -> set[tuple[str, str]] | None:
    """Return project and file name of the atoms that match; None where every atom does."""
    if not (only.kinds or only.statuses or only.tags):
        return None
    found = choose(view, Choice(only._replace(since=0, until=0)))
    return {(entry.atom.project, entry.atom.name) for entry in found}


def _is_between(seen: Seen, only: Only) -> bool:
    if not (only.since or only.until):
        return True
    try:
        day = date.fromisoformat((time_of(seen.look.ts) or seen.look.ts)[:10]).toordinal()
    except ValueError:
        return False
    return only.includes(day)


def _when(seen: Seen) -> tuple[str, str, str]:
    """Order looks by their times in UTC, whatever their lines say them in."""
    ts = time_of(seen.look.ts) or seen.look.ts
    return ts.removesuffix("Z"), seen.project, seen.look.file


def top(session: Session, limit: int, only: Only = EVERY) -> list[Entry]:
    """Return the most read atoms that match filters, most read first."""
    return [entry for entry in list_atoms(session, Choice(only)) if entry.total.refs][:limit]


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
