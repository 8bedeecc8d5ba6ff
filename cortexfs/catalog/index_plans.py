"""Plan the text of the indexes, and record which indexes are current."""

from __future__ import annotations

import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.folder_digests import forget_folder_digests
from cortexfs.catalog.read_counts import update_read_counts
from cortexfs.catalog.schema import insert_rows
from cortexfs.catalog.stamp_and_read import compute_source_checksum
from cortexfs.core.atoms.atom import FileText
from cortexfs.core.atoms.tree_paths import INDEX_MD, kind_folder, parse_atom_path, personal_folder
from cortexfs.core.changes.plan import IndexPlan, SectionCounts
from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from datetime import datetime
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.tree.tree import Tree

_STORE_DIGEST_SQL = """
UPDATE rendered SET digest = (SELECT digest FROM files WHERE path = ?) WHERE folder = ?
"""
_RENDERED_SQL = f"""
SELECT folder FROM rendered JOIN files ON path = folder || '/{INDEX_MD}'
WHERE rendered.digest = files.digest AND folder NOT IN (SELECT folder FROM stale)
"""  # noqa: S608 - our own SQL


class IndexPlans(NamedTuple):
    """Plans of indexes in path order, and a finding for each that cannot be written."""

    planned: tuple[IndexPlan, ...]
    blocked: tuple[Finding, ...]


class IndexPlanner(NamedTuple):
    """The indexes of a tree at a time: their folders, which of them are stale, and their plans."""

    tree: Tree
    catalog: Catalog
    kinds: Kinds
    now: datetime

    def list_folders(self, projects: Sequence[str] | None = None) -> Iterator[str]:
        """Yield the existing folders with an index, of some projects or of all.

        Those of all have the personal ones too.
        """
        tree, kinds = self.tree, self.kinds
        if projects is None:
            personal = (personal_folder(k) for k in kinds if k.indexed and "user" in k.scopes)
            yield from (folder for folder in personal if tree.is_folder(folder))
        for project in tree.list_projects() if projects is None else projects:
            present = set(tree.list_names(f"projects/{project}"))
            for kind in kinds:
                path = kind_folder(project, kind)
                if kind.indexed and kind.folder in present and tree.is_folder(path):
                    yield path

    def list_stale_folders(self, projects: Sequence[str] | None) -> list[str]:
        """Return the folders whose index may be out of date."""
        known = self._read_current()
        return [folder for folder in self.list_folders(projects) if folder not in known]

    def list_rendered_folders(self) -> set[str]:
        """Return the folders whose index and atoms are as when it was rendered."""
        return {folder for (folder,) in self.catalog.db.execute(_RENDERED_SQL)}

    def plan(self, folders: Iterable[str], *, ignore_cache: bool = False) -> IndexPlans:
        """Return the plans of these indexes.

        `ignore_cache` renders each as of the time that is written in it, whether it is known as
        current or not.
        """
        planned: list[IndexPlan] = []
        blocked: list[Finding] = []
        for each in self.iter_plans(folders, ignore_cache=ignore_cache):
            if isinstance(each, IndexPlan):
                planned.append(each)
            else:
                blocked.append(each)
        return IndexPlans(tuple(planned), tuple(blocked))

    def iter_plans(
        self, folders: Iterable[str], *, ignore_cache: bool = False
    ) -> Iterator[IndexPlan | Finding]:
        """Yield the plans of these indexes as `plan` does; a finding for each that is blocked."""
        current = {} if ignore_cache else self._read_current()
        for folder in sorted(folders):
            path, place = f"{folder}/{INDEX_MD}", parse_atom_path(f"{folder}/x.md", self.kinds)
            if place is None or not place.kind.indexed:
                continue
            if folder in current:
                yield IndexPlan(path, current[folder], None)
                continue
            try:
                present = self.tree.read_text_lossy(path)
            except (OSError, OutsideTree):
                yield _make_blocked_finding(path)
                continue
            yield _plan_one_index(self.catalog, place, present, self.now, ignore_cache=ignore_cache)

    def _read_current(self) -> dict[str, SectionCounts]:
        return _read_current_indexes(self.catalog.db, _format_day(self.now))


def _read_current_indexes(db: Connection, day: str) -> dict[str, SectionCounts]:
    """Return the counts of each index that is known to be current on that day."""
    rows = db.execute(
        "SELECT folder, active, superseded, invalidated, unreadable FROM rendered"
        " WHERE day = ? AND folder NOT IN (SELECT folder FROM stale)",
        (day,),
    )
    return {folder: SectionCounts(*counts) for folder, *counts in rows}


def record_current_indexes(
    tree: Tree, catalog: Catalog, planned: Sequence[IndexPlan], now: datetime
) -> None:
    """Record in the catalog what the indexes show after writing, and that they are current.

    A written index is not read again. One that somebody has removed since is left to the next
    refresh.
    """
    day = _format_day(now)
    known = _read_current_indexes(catalog.db, day)
    news = {
        folder: index
        for index in planned
        if (folder := index.path.rpartition("/")[0]) not in known or index.write
    }
    if not news:
        return
    with catalog.write_transaction() as db:
        for folder, index in news.items():
            with suppress(OSError, OutsideTree):
                if index.write:
                    _store_written_index(db, tree, index, index.write.text)
                db.execute("DELETE FROM stale WHERE folder = ?", (folder,))
                insert_rows(db, "rendered", [(folder, day, *index.counts, b"")])
                db.execute(_STORE_DIGEST_SQL, (index.path, folder))


def _store_written_index(db: Connection, tree: Tree, index: IndexPlan, text: str) -> None:
    now_ns, path = time.time_ns(), index.path
    stamp = tree.stamp_file(path).without_unsettled_times(now_ns)
    _store_shown_reads(db, path.rpartition("/")[0], index.shown_reads)
    forget_folder_digests(db, [path])
    insert_rows(db, "files", [(path, *stamp, compute_source_checksum(FileText(path, text)))])


def _store_shown_reads(db: Connection, folder: str, shown: Mapping[str, tuple[int, str]]) -> None:
    """Store the reads that an index shows; only new or changed rows are written."""
    rows = db.execute("SELECT id, refs, last FROM shown WHERE folder = ?", (folder,))
    known = {name: (refs, last) for name, refs, last in rows}
    removed = [(folder, name) for name in known.keys() - shown.keys()]
    changed = [(folder, name, *total) for name, total in shown.items() if known.get(name) != total]
    db.executemany("DELETE FROM shown WHERE folder = ? AND id = ?", removed)
    insert_rows(db, "shown", changed)
    if removed or changed:
        update_read_counts(db, [f"{folder}/{INDEX_MD}"])


def _format_day(now: datetime) -> str:
    """Return the day for which an index is valid: which atoms are cold depends on it."""
    return now.date().isoformat()


def _make_blocked_finding(path: str) -> Finding:
    from cortexfs.core.atoms.atom import Finding  # noqa: PLC0415 - as `_plan_one_index`

    return Finding(path, "not-a-file", "the index cannot be written here")


def _plan_one_index(
    catalog: Catalog, place: AtomPath, present: str | None, now: datetime, *, ignore_cache: bool
) -> IndexPlan:
    from cortexfs.catalog.atom_queries import AtomQueries  # noqa: PLC0415 - an idle run renders nothing
    from cortexfs.core.indexes.plan_index import find_update_time, plan_index  # noqa: PLC0415

    queries = AtomQueries(catalog.db)
    plan = plan_index(
        f"{place.folder}/{INDEX_MD}",
        kind=place.kind,
        project=place.project,
        rows=queries.list_index_rows(place.folder),
        unreadable=queries.list_unreadable(place.folder),
        unreadable_reads=queries.count_reads_of_unreadable(place.folder),
        present=present,
        now=find_update_time(present, now) if ignore_cache else now,
    )
    if present is None or not plan.write:
        return plan
    known = catalog.db.execute(
        "SELECT digest FROM rendered WHERE folder = ?", (place.folder,)
    ).fetchone()
    digest = compute_source_checksum(FileText(plan.path, present))
    return plan._replace(is_edited=known != (digest,))
