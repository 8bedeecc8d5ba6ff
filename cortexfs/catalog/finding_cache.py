"""Cached findings of each text of a tree: each text is examined again only if it changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.schema import EXAMINED_ALL, insert_rows
from cortexfs.catalog.stamp_and_read import compute_source_checksum
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import INDEX_MD
from cortexfs.core.checks.broken_links import LinkTarget
from cortexfs.core.checks.citation_checksums import LineCitation
from cortexfs.core.checks.text_findings import (
    TextFindings,
    examine_atom,
    examine_index,
    examine_non_atom,
)
from cortexfs.tree.non_atoms import iter_text_digests, read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.non_atoms import Page
    from cortexfs.tree.tree import Tree

    Row = tuple[str, bytes, str, bool]

_encode_json = json.JSONEncoder(separators=(",", ":")).encode
_FINDINGS_SQL = """
    SELECT path, found, CASE json_type(fields, '$.status') WHEN 'text'
    THEN json_extract(fields, '$.status') ELSE '' END
    FROM examined LEFT JOIN atoms USING (path) WHERE found != '' ORDER BY path
"""
BATCH_SIZE = 2000
"""Maximum number of texts that are examined in one transaction of a connection without limits."""
_OTHER_ATOMS_SQL = """
    INSERT OR IGNORE INTO unexamined
    SELECT path FROM files JOIN atoms USING (path) LEFT JOIN examined USING (path)
    WHERE examined.digest IS NOT files.digest
"""
_UNEXAMINED_SQL = "SELECT path FROM unexamined WHERE path > ? ORDER BY path LIMIT ?"
_FORGET_GONE_SQL = """
    DELETE FROM examined WHERE path IN (SELECT value FROM json_each(?)) AND NOT is_page
    AND NOT EXISTS (SELECT 1 FROM atoms WHERE atoms.path = examined.path)
"""
_FORGET_EXAMINED_SQL = """
    DELETE FROM unexamined WHERE path IN (SELECT value FROM json_each(?)) AND NOT EXISTS (
    SELECT 1 FROM examined JOIN files USING (path)
    WHERE examined.path = unexamined.path AND examined.digest IS NOT files.digest)
"""
"""A file that was saved again before it was read stays to be examined, once it is ingested."""
_EXAMINED_PAGES_SQL = "SELECT path, digest FROM examined WHERE is_page"


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
        for path, found, status in self.db.execute(_FINDINGS_SQL):
            yield ExaminedText(path, _decode_findings(found), status)

    def iter_pages(self) -> Iterator[Page]:
        """Yield the texts that are not atoms."""
        return read_pages(self.tree.root, self.text_paths)

    def list_page_paths(self) -> list[str]:
        """Return the paths of the Markdown files that are not atoms."""
        return [path for path in self.text_paths if path.endswith(".md")]


def update_finding_cache(catalog: Catalog, tree: Tree, kinds: Kinds) -> Iterator[int]:
    """Examine every atom and every other text of a tree that has changed since the last time.

    Yields the number of atoms of each transaction after it.
    """
    if not catalog.get_value(EXAMINED_ALL):
        with catalog.write_transaction() as db:
            db.execute(_OTHER_ATOMS_SQL)
            insert_rows(db, "about", [(EXAMINED_ALL, "yes")])
    yield from _examine_changed_atoms(catalog, tree)
    known = dict(catalog.db.execute(_EXAMINED_PAGES_SQL))
    present = dict(iter_text_digests(tree.root, kinds))
    catalog.text_paths = list(present)
    changed = [path for path, digest in present.items() if known.get(path) != digest]
    rows = [
        (page.path, present[page.path], _encode(_examine_page(page.path, page.text)), True)
        for page in read_pages(tree.root, changed)
        if page.text is not None
    ]
    read = present.keys() - changed | {row[0] for row in rows}
    gone = known.keys() - read
    if rows or gone:
        with catalog.write_transaction() as db:
            db.executemany("DELETE FROM examined WHERE path = ?", ((path,) for path in gone))
            insert_rows(db, "examined", rows)


def _examine_changed_atoms(catalog: Catalog, tree: Tree) -> Iterator[int]:
    """Examine the atoms that have changed, a batch in each transaction; yield its size after it."""
    last, batch_size = "", catalog.max_ingested_texts or BATCH_SIZE
    with tree.open_batch_reader() as read:
        while found := catalog.db.execute(_UNEXAMINED_SQL, (last, batch_size)).fetchall():
            paths = [path for (path,) in found]
            rows = [_examine_atom(path, read(path)) for path in paths]
            with catalog.write_transaction() as db:
                insert_rows(db, "examined", rows)
                asked = (json.dumps(paths),)
                db.execute(_FORGET_GONE_SQL, asked)
                db.execute(_FORGET_EXAMINED_SQL, asked)
            last = paths[-1]
            yield len(paths)


def _examine_atom(path: str, source: FileText | Flaw) -> Row:
    found = TextFindings() if isinstance(source, Flaw) else examine_atom(source.text)
    return path, compute_source_checksum(source), _encode(found), False


def _encode(found: TextFindings) -> str:
    return _encode_json(found) if any(found) else ""


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
