"""Plan the text of the indexes, from the rows of the catalog and the existing files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog import current_indexes
from cortexfs.catalog.schema import insert_rows
from cortexfs.core.atoms.tree_paths import INDEX_MD, kind_folder, parse_atom_path
from cortexfs.core.changes.plan import IndexPlan
from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.core.changes.plan import SectionCounts
    from cortexfs.tree.tree import Tree


class IndexPlans(NamedTuple):
    """Plans of indexes in path order, and a finding for each that cannot be written."""

    planned: tuple[IndexPlan, ...]
    blocked: tuple[Finding, ...]


def list_index_folders(tree: Tree, kinds: Kinds, projects: Sequence[str] | None) -> Iterator[str]:
    """Yield the existing folders with an index, of some projects or of all."""
    for project in tree.list_projects() if projects is None else projects:
        present = set(tree.list_names(f"projects/{project}"))
        for kind in kinds:
            path = kind_folder(project, kind)
            if kind.indexed and kind.folder in present and tree.is_folder(path):
                yield path


def plan_indexes(
    tree: Tree,
    catalog: Catalog,
    kinds: Kinds,
    wanted: Iterable[str],
    now: datetime,
    *,
    ignore_cache: bool = False,
) -> IndexPlans:
    """Plan the indexes of the wanted folders.

    `ignore_cache` renders each as of the time written in it, and ignores the remembered state.
    """
    known = (
        {} if ignore_cache else current_indexes.read_current_indexes(catalog.db, format_day(now))
    )
    planned: list[IndexPlan] = []
    blocked: list[Finding] = []
    for folder in sorted(wanted):
        path, where = f"{folder}/{INDEX_MD}", parse_atom_path(f"{folder}/x.md", kinds)
        if where is None or not where.kind.indexed:
            continue
        if folder in known:
            planned.append(IndexPlan(path, known[folder], None))
            continue
        try:
            present = tree.read_text_lossy(path)
        except (OSError, OutsideTree):
            blocked.append(_blocked(path))
            continue
        planned.append(_plan(catalog, where, present, now, afresh=ignore_cache))
    return IndexPlans(tuple(planned), tuple(blocked))


def record_index_plans(
    tree: Tree, catalog: Catalog, planned: Sequence[IndexPlan], now: datetime
) -> None:
    """Update the catalog after writing the plans: what the indexes show, and their day."""
    catalog.record_written_indexes(tree, planned)
    known = current_indexes.read_current_indexes(catalog.db, format_day(now))
    counts = {index.path.rpartition("/")[0]: index.counts for index in planned}
    if fresh := {folder: counts[folder] for folder in counts.keys() - known.keys()}:
        _remember(catalog, fresh, format_day(now))


def _remember(catalog: Catalog, counts: Mapping[str, SectionCounts], day: str) -> None:
    """Record that the indexes of these folders are up to date on that day."""
    with catalog.write_transaction() as db:
        db.executemany("DELETE FROM stale WHERE folder = ?", ((folder,) for folder in counts))
        insert_rows(db, "rendered", ((folder, day, *each) for folder, each in counts.items()))


def format_day(now: datetime) -> str:
    """Return the day for which an index is valid: which atoms are cold depends on it."""
    return now.date().isoformat()


def _blocked(path: str) -> Finding:
    from cortexfs.core.atoms.atom import Finding  # noqa: PLC0415 - as `_plan`

    return Finding(path, "not-a-file", "the index cannot be written here")


def _plan(
    catalog: Catalog, where: AtomPath, present: str | None, now: datetime, *, afresh: bool
) -> IndexPlan:
    from cortexfs.catalog.atom_queries import AtomQueries  # noqa: PLC0415 - an idle run renders nothing
    from cortexfs.core.indexes.plan_index import find_update_time, plan_index  # noqa: PLC0415

    facts = AtomQueries(catalog)
    return plan_index(
        f"{where.folder}/{INDEX_MD}",
        kind=where.kind,
        project=where.project,
        rows=facts.list_index_rows(where.folder),
        unreadable=facts.list_unreadable(where.folder),
        unreadable_reads=facts.count_reads_of_unreadable(where.folder),
        present=present,
        now=find_update_time(present, now) if afresh else now,
    )
