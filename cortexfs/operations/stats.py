"""Count the contents of a tree: atoms, reads, tasks, files."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import IndexMdSection
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.indexes.atom_with_reads import HOT_READ_COUNT
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.operations.list_atoms import AtomCriteria, select_atoms
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

NO_FILTER = AtomFilter()
"""No filter."""
RECENT_DAYS = 30


class TreeStats(NamedTuple):
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


def stats(session: Session, only: AtomFilter = NO_FILTER) -> TreeStats:
    """Count the matching atoms, and the tasks of their projects."""
    with session.read(drain=True) as view:
        return _count_contents(view, only)


def _count_contents(view: View, only: AtomFilter) -> TreeStats:
    entries = select_atoms(view, AtomCriteria(only))
    today = view.clock().date()
    active = [entry for entry in entries if entry.status.section is IndexMdSection.ACTIVE]
    names = only.projects or tuple(view.tree.list_projects())
    files, size, catalog_size = view.queries.measure_sizes()
    return TreeStats(
        atoms=len(entries),
        kinds=_count_values(entry.atom.kind for entry in entries),
        statuses=_count_values(entry.status.word for entry in entries),
        projects=_count_values(entry.atom.project for entry in entries if entry.atom.project),
        reads=sum(entry.reads.read_count for entry in entries),
        recent_reads=_count_recent_reads(
            view, (today - timedelta(days=RECENT_DAYS)).isoformat(), entries
        ),
        hot=sum(entry.reads.read_count >= HOT_READ_COUNT for entry in active),
        cold=sum(entry.is_cold(today) for entry in active),
        open_tasks=_count_open_tasks(view, names),
        unreadable=view.catalog.count_unreadable(),
        files=files,
        tree_bytes=size,
        catalog_bytes=catalog_size,
    )


def _count_values(values: Iterable[str]) -> dict[str, int]:
    """Return the count of each value, the most frequent first."""
    return dict(sorted(Counter(values).items(), key=lambda each: (-each[1], each[0])))


def _count_recent_reads(view: View, day: str, entries: Iterable[AtomWithReads]) -> int:
    """Count the access events of some atoms since a day."""
    recent = view.queries.count_reads_since(day)
    return sum(recent.get((entry.atom.project, entry.atom.file_name), 0) for entry in entries)


def _count_open_tasks(view: View, projects: Collection[str]) -> int:
    """Count the tasks that are not done."""
    backlog = read_boards(view).backlog
    chosen = (task for task in backlog.tasks if task.project in projects)
    return sum(backlog.assess_readiness(task).state is not TaskState.DONE for task in chosen)
