"""The reads of each atom in the table `rows`, kept equal to what logs and indexes say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import INDEX_MD, project_from_path

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

_LOGGED = "FROM looks WHERE looks.project = rows.project AND looks.file = rows.name"
_SHOWN = "FROM shown WHERE shown.folder = rows.folder AND shown.id IN (rows.name, rows.id)"
_UPDATE = f"""
UPDATE rows SET
  reads = max(refs, (SELECT count(DISTINCT note) {_LOGGED}),
    ifnull((SELECT max(shown.refs) {_SHOWN}), 0)),
  last_read = (SELECT time FROM (
      SELECT rows.last AS time UNION ALL SELECT ts {_LOGGED} UNION ALL SELECT shown.last {_SHOWN}
    ) ORDER BY rtrim(time, 'Z') DESC LIMIT 1)
WHERE (reads != refs OR last_read != last OR EXISTS (SELECT 1 {_LOGGED})
  OR EXISTS (SELECT 1 {_SHOWN})) AND """  # noqa: S608 - our own SQL
"""Times have any precision, and `…:21Z` is before `…:21.074Z`."""
_HAS_READS = "SELECT EXISTS (SELECT 1 FROM looks) OR EXISTS (SELECT 1 FROM shown)"


def update_read_counts(db: Connection, changed: Iterable[str]) -> None:
    """Update the reads of the atoms that some changed files are, log, or show."""
    names, folders, projects = list[tuple[str, str]](), list[str](), set[str]()
    for path in changed:
        folder, _, name = path.rpartition("/")
        if path.endswith(".jsonl"):
            projects.add(project_from_path(path))
        elif name == INDEX_MD:
            folders.append(folder)
        else:
            names.append((folder, name))
    if db.execute(_HAS_READS).fetchone()[0]:
        db.executemany(f"{_UPDATE} folder = ? AND name = ?", names)
    db.executemany(f"{_UPDATE} folder = ?", ((each,) for each in folders))
    db.executemany(f"{_UPDATE} folder >= ? AND folder < ?", map(_list_bounds, sorted(projects)))


def _list_bounds(project: str) -> tuple[str, str]:
    """Return the text before the folders of a project, and one after them."""
    return f"projects/{project}/", f"projects/{project}0"
