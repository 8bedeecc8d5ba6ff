"""Cached findings of each text of a tree: each text is examined again only if it changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.schema import insert_rows
from cortexfs.catalog.stamp_and_read import compute_source_checksum
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import INDEX_MD
from cortexfs.core.changes.plan import FileText
from cortexfs.core.checks.broken_links import LinkTarget
from cortexfs.core.checks.citation_checksums import LineCitation
from cortexfs.core.checks.text_findings import (
    TextFindings,
    examine_atom,
    examine_index,
    examine_non_atom,
)
from cortexfs.tree.non_atoms import list_text_paths, read_pages

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.non_atoms import Page
    from cortexfs.tree.tree import Tree

    Row = tuple[str, bytes, str]

_encode_json = json.JSONEncoder(separators=(",", ":")).encode
_NO_FINDINGS = _encode_json(TextFindings())
_FINDINGS_SQL = """
    SELECT path, found, CASE json_type(fields, '$.status') WHEN 'text'
    THEN json_extract(fields, '$.status') ELSE '' END
    FROM examined LEFT JOIN atoms USING (path) WHERE found != ? ORDER BY path
"""
BATCH_SIZE = 2000
"""Maximum number of texts that are examined in one transaction."""
_CHANGED_ATOMS_SQL = """
    SELECT path FROM files JOIN atoms USING (path) LEFT JOIN examined USING (path)
    WHERE files.path > ? AND examined.digest IS NOT files.digest ORDER BY files.path LIMIT ?
"""
_EXAMINED_PAGES_SQL = """
    SELECT path, digest FROM examined WHERE NOT EXISTS
    (SELECT 1 FROM atoms WHERE atoms.path = examined.path)
"""


class ExaminedText(NamedTuple):
    """The findings of one text; of an atom with its status, which is empty for other texts."""

    path: str
    found: TextFindings
    status: str


class FindingCache(NamedTuple):
    """The findings of the last examination, and the texts that are not atoms."""

    db: Connection
    tree: Tree
    text_paths: Sequence[str]
    """The paths of the texts that are not atoms."""

    def iter_findings(self) -> Iterator[ExaminedText]:
        """Yield the findings of each text that has any, in path order."""
        for path, found, status in self.db.execute(_FINDINGS_SQL, (_NO_FINDINGS,)):
            yield ExaminedText(path, _decode_findings(found), status)

    def iter_pages(self) -> Iterator[Page]:
        """Yield the texts that are not atoms."""
        return read_pages(self.tree.root, self.text_paths)

    def list_page_paths(self) -> list[str]:
        """Return the paths of the Markdown files that are not atoms."""
        return [path for path in self.text_paths if path.endswith(".md")]


def update_finding_cache(catalog: Catalog, tree: Tree, kinds: Kinds) -> None:
    """Examine every atom and every other text of a tree that has changed since the last time."""
    for rows in _examine_changed_atoms(catalog, tree):
        _store_rows(catalog, rows)
    known = dict(catalog.db.execute(_EXAMINED_PAGES_SQL))
    seen: set[str] = set()
    changed: list[Row] = []
    catalog.text_paths = list_text_paths(tree.root, kinds)
    for path, text in read_pages(tree.root, catalog.text_paths):
        if text is not None:
            seen.add(path)
            changed += _examine_changed_page(path, text, known.get(path))
    _store_rows(catalog, changed, removed=known.keys() - seen)


def _store_rows(catalog: Catalog, rows: Sequence[Row], removed: Collection[str] = ()) -> None:
    if rows or removed:
        with catalog.write_transaction() as db:
            db.executemany("DELETE FROM examined WHERE path = ?", ((path,) for path in removed))
            insert_rows(db, "examined", rows)


def _examine_changed_atoms(catalog: Catalog, tree: Tree) -> Iterator[list[Row]]:
    """Yield the changed atoms in batches; each is to be stored before the next."""
    last, paths = "", [""]
    with tree.open_batch_reader() as read:
        while paths:
            found = catalog.db.execute(_CHANGED_ATOMS_SQL, (last, BATCH_SIZE))
            paths = [path for (path,) in found]
            yield [_examine_atom(path, read(path)) for path in paths]
            last = paths[-1] if paths else ""


def _examine_atom(path: str, source: FileText | Flaw) -> Row:
    found = TextFindings() if isinstance(source, Flaw) else examine_atom(source.text)
    return path, compute_source_checksum(source), _encode_json(found)


def _examine_changed_page(path: str, text: str, known: bytes | None) -> Iterator[Row]:
    digest = compute_source_checksum(FileText(path, text))
    if known != digest:
        yield path, digest, _encode_json(_examine_page(path, text))


def _examine_page(path: str, text: str) -> TextFindings:
    if path.endswith(f"/{INDEX_MD}"):
        return examine_index(text)
    return examine_non_atom(text, is_markdown=path.endswith(".md"))


def _decode_findings(found: str) -> TextFindings:
    flaws, cites, links = json.loads(found)
    return TextFindings(
        tuple(Flaw(*flaw) for flaw in flaws),
        tuple(LineCitation(*cited) for cited in cites),
        tuple(LinkTarget(*link) for link in links),
    )
