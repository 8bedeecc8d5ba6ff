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
    from collections.abc import Collection, Mapping
    from datetime import date

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
    recent = view.queries.count_reads_since(_format_first_day(view))
    counted = _AtomCounts(Counter(), Counter(), Counter(), Counter())
    for entry in select_atoms(view, AtomCriteria(only)):
        counted.add(entry, recent, view.clock().date())
    names = only.projects or tuple(view.tree.list_projects())
    files, size, catalog_size = view.queries.measure_sizes()
    return TreeStats(
        atoms=counted.kinds.total(),
        kinds=_sort_counts(counted.kinds),
        statuses=_sort_counts(counted.statuses),
        projects=_sort_counts(counted.projects),
        reads=counted.sums["reads"],
        recent_reads=counted.sums["recent"],
        hot=counted.sums["hot"],
        cold=counted.sums["cold"],
        open_tasks=_count_open_tasks(view, names),
        unreadable=view.catalog.count_unreadable(),
        files=files,
        tree_bytes=size,
        catalog_bytes=catalog_size,
    )


class _AtomCounts(NamedTuple):
    """What is counted of the atoms, one after another."""

    kinds: Counter[str]
    statuses: Counter[str]
    projects: Counter[str]
    sums: Counter[str]

    def add(self, entry: AtomWithReads, recent: Mapping[tuple[str, str], int], today: date) -> None:
        """Count an atom; `recent` has the recent reads by project and file name."""
        atom, is_active = entry.atom, entry.status.section is IndexMdSection.ACTIVE
        self.kinds[atom.kind] += 1
        self.statuses[entry.status.word] += 1
        if atom.project:
            self.projects[atom.project] += 1
        self.sums["reads"] += entry.reads.read_count
        self.sums["recent"] += recent.get((atom.project, atom.file_name), 0)
        self.sums["hot"] += is_active and entry.reads.read_count >= HOT_READ_COUNT
        self.sums["cold"] += is_active and entry.is_cold(today)


def _format_first_day(view: View) -> str:
    """Return the day since which a read is recent."""
    return (view.clock().date() - timedelta(days=RECENT_DAYS)).isoformat()


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    """Return the count of each value, the most frequent first."""
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _count_open_tasks(view: View, projects: Collection[str]) -> int:
    """Count the tasks that are not done."""
    backlog = read_boards(view).backlog
    chosen = (task for task in backlog.tasks if task.project in projects)
    return sum(backlog.assess_readiness(task).state is not TaskState.DONE for task in chosen)
