"""Count the contents of a tree: atoms, reads, tasks, files."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.operations.shared.filters import require_known_filter_names
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

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
    require_known_filter_names(view, only)
    cells = view.entries.count_cells(only)
    names = only.projects or tuple(view.tree.list_projects())
    files, size, catalog_size = view.queries.measure_sizes()
    return TreeStats(
        atoms=sum(cell.atoms for cell in cells),
        kinds=_sum_atoms((cell.kind, cell.atoms) for cell in cells),
        statuses=_sum_atoms((cell.status, cell.atoms) for cell in cells),
        projects=_sum_atoms((cell.project, cell.atoms) for cell in cells if cell.project),
        reads=sum(cell.reads for cell in cells),
        recent_reads=view.entries.count_reads_since(_format_first_day(view), only),
        hot=sum(cell.hot for cell in cells),
        cold=sum(cell.cold for cell in cells),
        open_tasks=_count_open_tasks(view, names),
        unreadable=view.catalog.count_unreadable(),
        files=files,
        tree_bytes=size,
        catalog_bytes=catalog_size,
    )


def _format_first_day(view: View) -> str:
    """Return the day since which a read is recent."""
    return (view.clock().date() - timedelta(days=RECENT_DAYS)).isoformat()


def _sum_atoms(counted: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return the number of atoms with each value, the most frequent first."""
    counts = Counter[str]()
    for value, atoms in counted:
        counts[value] += atoms
    return dict(sorted(counts.items(), key=lambda each: (-each[1], each[0])))


def _count_open_tasks(view: View, projects: Collection[str]) -> int:
    """Return the number of open tasks."""
    backlog = read_boards(view).backlog
    chosen = (task for task in backlog.tasks if task.project in projects)
    return sum(backlog.assess_readiness(task).state.is_open for task in chosen)
