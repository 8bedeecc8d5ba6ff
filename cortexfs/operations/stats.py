"""Count what a tree holds: atoms, reads, tasks, files."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import Section
from cortexfs.core.find.filters import Only
from cortexfs.core.indexes.index_entry import HOT
from cortexfs.core.tasks.task_order import Stand
from cortexfs.operations.list_atoms import Choice, choose
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

EVERY = Only()
"""No filter."""
RECENT_DAYS = 30


class Stats(NamedTuple):
    """The figures of a tree, or of some projects; sizes in bytes, and of the whole tree."""

    atoms: int
    kinds: Mapping[str, int]
    statuses: Mapping[str, int]
    projects: Mapping[str, int]
    reads: int
    recent_reads: int
    hot: int
    cold: int
    open_tasks: int
    unreadable: int
    files: int
    tree_bytes: int
    catalog_bytes: int


def stats(session: Session, only: Only = EVERY) -> Stats:
    """Count the matching atoms, and the tasks of their projects."""
    with session.read(drain=True) as view:
        return _stats(view, only)


def _stats(view: View, only: Only) -> Stats:
    entries = choose(view, Choice(only))
    today = view.clock().date()
    active = [entry for entry in entries if entry.status.section is Section.ACTIVE]
    names = only.projects or tuple(view.tree.projects())
    files, size, catalog_size = view.facts.sizes()
    return Stats(
        atoms=len(entries),
        kinds=_counted(entry.atom.kind for entry in entries),
        statuses=_counted(entry.status.word for entry in entries),
        projects=_counted(entry.atom.project for entry in entries if entry.atom.project),
        reads=sum(entry.total.refs for entry in entries),
        recent_reads=_recent(view, (today - timedelta(days=RECENT_DAYS)).isoformat(), entries),
        hot=sum(entry.total.refs >= HOT for entry in active),
        cold=sum(entry.cold(today) for entry in active),
        open_tasks=_open_tasks(view, names),
        unreadable=view.catalog.unreadable(),
        files=files,
        tree_bytes=size,
        catalog_bytes=catalog_size,
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    """Count values, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda each: (-each[1], each[0])))


def _recent(view: View, day: str, entries: Iterable[Entry]) -> int:
    """Count the access events of some atoms since a day."""
    recent = view.facts.reads_since(day)
    return sum(recent.get((entry.atom.project, entry.atom.name), 0) for entry in entries)


def _open_tasks(view: View, projects: Collection[str]) -> int:
    """Count the tasks that are not done."""
    backlog = read_boards(view).backlog
    mine = (task for task in backlog.tasks if task.project in projects)
    return sum(backlog.standing(task).stand is not Stand.DONE for task in mine)
