"""What the indexes should read, from the catalog's rows and the files that stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog import index_state
from cortexfs.catalog.schema import insert
from cortexfs.core.atoms.tree_paths import INDEX, folder_of, place
from cortexfs.core.changes.plan import IndexPlan
from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import Place
    from cortexfs.core.changes.plan import Counts
    from cortexfs.tree.tree import Tree


class Indexes(NamedTuple):
    """Plans of indexes in path order, and a finding for each that cannot be written."""

    planned: tuple[IndexPlan, ...]
    blocked: tuple[Finding, ...]


def folders(tree: Tree, kinds: Kinds, projects: Sequence[str] | None) -> Iterator[str]:
    """Name the existing folders that have an index, of some projects or of all."""
    for project in tree.projects() if projects is None else projects:
        present = set(tree.names(f"projects/{project}"))
        for kind in kinds:
            path = folder_of(project, kind)
            if kind.indexed and kind.folder in present and tree.is_folder(path):
                yield path


def plan_indexes(
    tree: Tree,
    catalog: Catalog,
    kinds: Kinds,
    wanted: Iterable[str],
    now: datetime,
    *,
    afresh: bool = False,
) -> Indexes:
    """Decide what the indexes of the wanted folders should read.

    `afresh` renders each as of the time that it bears, whatever the catalog remembers.
    """
    known = {} if afresh else index_state.rendered(catalog.db, day(now))
    planned: list[IndexPlan] = []
    blocked: list[Finding] = []
    for folder in sorted(wanted):
        path, where = f"{folder}/{INDEX}", place(f"{folder}/x.md", kinds)
        if where is None or not where.kind.indexed:
            continue
        if folder in known:
            planned.append(IndexPlan(path, known[folder], None))
            continue
        try:
            present = tree.text(path)
        except (OSError, OutsideTree):
            blocked.append(_blocked(path))
            continue
        planned.append(_plan(catalog, where, present, now, afresh=afresh))
    return Indexes(tuple(planned), tuple(blocked))


def settle(tree: Tree, catalog: Catalog, planned: Sequence[IndexPlan], now: datetime) -> None:
    """Let the catalog know what indexes say by now, and that they are right on this day."""
    catalog.wrote(tree, planned)
    known = index_state.rendered(catalog.db, day(now))
    counts = {index.path.rpartition("/")[0]: index.counts for index in planned}
    if fresh := {folder: counts[folder] for folder in counts.keys() - known.keys()}:
        _remember(catalog, fresh, day(now))


def _remember(catalog: Catalog, counts: Mapping[str, Counts], day: str) -> None:
    """Record that the indexes of these folders are up to date on that day."""
    with catalog.writing() as db:
        db.executemany("DELETE FROM stale WHERE folder = ?", ((folder,) for folder in counts))
        insert(db, "rendered", ((folder, day, *each) for folder, each in counts.items()))


def day(now: datetime) -> str:
    """Name the day on which an index is true: what is cold depends on it."""
    return now.date().isoformat()


def _blocked(path: str) -> Finding:
    from cortexfs.core.atoms.atom import Finding  # noqa: PLC0415 - as `_plan`

    return Finding(path, "not-a-file", "the index cannot be written here")


def _plan(
    catalog: Catalog, where: Place, present: str | None, now: datetime, *, afresh: bool
) -> IndexPlan:
    from cortexfs.catalog.queries import Facts  # noqa: PLC0415 - an idle run renders nothing
    from cortexfs.core.indexes.plan_index import as_of, plan_index  # noqa: PLC0415

    facts = Facts(catalog)
    return plan_index(
        f"{where.folder}/{INDEX}",
        kind=where.kind,
        project=where.project,
        rows=facts.listed(where.folder),
        unreadable=facts.unreadable(where.folder),
        refs=facts.unreadable_refs(where.folder),
        present=present,
        now=as_of(present, now) if afresh else now,
    )
