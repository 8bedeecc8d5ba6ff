"""Choose the full-text index of a tree: that of SQLite, or that for large trees."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from cortexfs.catalog.catalog_files import IN_MEMORY
from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.catalog.tantivy_files import delete_index, index_folder_path

if TYPE_CHECKING:
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.full_text_index import FullTextIndex

LARGE_TREE_ATOMS = 50_000
"""Number of atoms from which FTS5 is too slow; below half of it, FTS5 is used again."""
LARGE_TREE_VARIABLE = "CORTEXFS_LARGE_FROM"
"""The environment variable that overrides this number."""


def open_full_text(catalog: Catalog) -> FullTextIndex:
    """Return the full-text index of a catalog, ready for use; usually the one last used."""
    chosen = _choose_index(catalog)
    if not chosen.is_ready:
        with catalog.write_transaction():
            chosen.prepare()
        if isinstance(chosen, Fts5Index) and catalog.path != IN_MEMORY:
            delete_index(index_folder_path(catalog.path))
    catalog.full_text = chosen
    return chosen


def _choose_index(catalog: Catalog) -> FullTextIndex:
    is_in_use, known = bool(catalog.get_value("large")), catalog.full_text
    if not (_is_large_tree(catalog.db, is_in_use) and _can_use_tantivy(catalog)):
        return (
            known
            if isinstance(known, Fts5Index)
            else Fts5Index.for_catalog(catalog.db, catalog.max_cached_atoms)
        )
    from cortexfs.catalog.layered_index import LayeredIndex  # noqa: PLC0415 - it imports the engine

    return (
        known
        if isinstance(known, LayeredIndex)
        else LayeredIndex.for_catalog(catalog.db, catalog.path)
    )


def _is_large_tree(db: Connection, is_in_use: bool) -> bool:
    """Return whether the tree is large enough; atoms are only counted if texts are waiting."""
    if db.execute("SELECT 1 FROM waiting LIMIT 1").fetchone() is None:
        return is_in_use
    return _has_atoms(db, large_tree_threshold() // 2 if is_in_use else large_tree_threshold())


def describe_large_backend(catalog: Catalog) -> str:
    """Return the name of a large tree's full-text index; empty if the tree is not large."""
    is_in_use = bool(catalog.get_value("large"))
    if not (is_in_use or _has_atoms(catalog.db, large_tree_threshold())):
        return ""
    if not is_tantivy_installed():
        return Fts5Index.name
    return "tantivy" if is_in_use else "tantivy from the next change on"


def _has_atoms(db: Connection, number: int) -> bool:
    """Return whether there are at least that many atoms, without counting more."""
    (some,) = db.execute("SELECT count(*) FROM (SELECT 1 FROM atoms LIMIT ?)", (number,)).fetchone()
    return bool(some >= number)


def large_tree_threshold() -> int:
    """Return the number of atoms from which a tree is large."""
    said = os.environ.get(LARGE_TREE_VARIABLE, "")
    return int(said) if said.isdecimal() else LARGE_TREE_ATOMS


def _can_use_tantivy(catalog: Catalog) -> bool:
    """Return whether the engine is installed, and the catalog has a folder for it."""
    return catalog.path != IN_MEMORY and is_tantivy_installed()


def is_tantivy_installed() -> bool:
    """Return whether the extra for large trees is installed, and recent enough."""
    if find_spec("tantivy") is None:
        return False
    from tantivy import Searcher  # noqa: PLC0415 - only a large tree needs it

    return hasattr(Searcher, "fast_field_values")  # from 0.26 on
