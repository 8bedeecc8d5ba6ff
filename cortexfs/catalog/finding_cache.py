"""Cached findings of each text of a tree: each text is examined again only if it changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.refresh_catalog import compute_source_checksum
from cortexfs.catalog.schema import insert_rows
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
from cortexfs.tree.non_atoms import read_pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.tree import Tree

    Row = tuple[str, bytes, str]

_encode_json = json.JSONEncoder(separators=(",", ":")).encode
_NO_FINDINGS = _encode_json(TextFindings())
_CHANGED_ATOMS_SQL = """
    SELECT path FROM files JOIN atoms USING (path) LEFT JOIN examined USING (path)
    WHERE examined.digest IS NOT files.digest
"""


class CachedFindings(NamedTuple):
    """The findings by path, where there are any, and the texts that are not atoms.

    `oversized_pages` are the paths of texts that are too large to be read.
    """

    findings_by_path: Mapping[str, TextFindings]
    page_texts: Mapping[str, str]
    oversized_pages: Sequence[str] = ()


def update_finding_cache(catalog: Catalog, tree: Tree, kinds: Kinds) -> None:
    """Examine every atom and every other text of a tree that has changed since the last time."""
    texts = read_pages(tree.root, kinds).texts
    known = dict(catalog.db.execute("SELECT path, digest FROM examined"))
    changed = [*_examine_changed_atoms(catalog, tree), *_examine_changed_pages(texts, known)]
    atoms = {path for (path,) in catalog.db.execute("SELECT path FROM atoms")}
    removed = [(path,) for path in known.keys() - atoms - texts.keys()]
    if changed or removed:
        with catalog.write_transaction() as db:
            db.executemany("DELETE FROM examined WHERE path = ?", removed)
            insert_rows(db, "examined", changed)


def read_finding_cache(catalog: Catalog, tree: Tree, kinds: Kinds) -> CachedFindings:
    """Return the findings of the last examination."""
    rows = catalog.db.execute("SELECT path, found FROM examined WHERE found != ?", (_NO_FINDINGS,))
    found = {path: _decode_findings(text) for path, text in rows}
    return CachedFindings(found, *read_pages(tree.root, kinds))


def _examine_changed_atoms(catalog: Catalog, tree: Tree) -> Iterator[Row]:
    paths = catalog.db.execute(_CHANGED_ATOMS_SQL).fetchall()
    with tree.open_batch_reader() as read:
        for (path,) in paths:
            source = read(path)
            found = TextFindings() if isinstance(source, Flaw) else examine_atom(source.text)
            yield path, compute_source_checksum(source), _encode_json(found)


def _examine_changed_pages(texts: Mapping[str, str], known: Mapping[str, bytes]) -> Iterator[Row]:
    for path, text in texts.items():
        digest = compute_source_checksum(FileText(path, text))
        if known.get(path) != digest:
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
