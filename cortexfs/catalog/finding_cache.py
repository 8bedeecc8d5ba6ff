"""What was found within each text of a tree: looked at once, and kept until its content changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.catalog import digest_of
from cortexfs.catalog.schema import insert
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import INDEX
from cortexfs.core.changes.plan import Source
from cortexfs.core.checks.broken_links import LinkTarget
from cortexfs.core.checks.citations import Citation
from cortexfs.core.checks.text_findings import Examined, examine_atom, examine_index, examine_page
from cortexfs.tree.non_atoms import large_pages, pages

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.tree import Tree

    Row = tuple[str, bytes, str]

_encode = json.JSONEncoder(separators=(",", ":")).encode
_NOTHING = _encode(Examined())
_UNSEEN = """
    SELECT path FROM files JOIN atoms USING (path) LEFT JOIN examined USING (path)
    WHERE examined.digest IS NOT files.digest
"""


class Looked(NamedTuple):
    """What was found, by path, where there was anything; and the texts that are no atoms.

    Of those that are too large to be read only the paths.
    """

    found: Mapping[str, Examined]
    pages: Mapping[str, str]
    large: Sequence[str] = ()


def examine(catalog: Catalog, tree: Tree, kinds: Kinds) -> None:
    """Look at every atom and every other text of a tree that has changed since the last time."""
    texts = pages(tree.root, kinds)
    known = dict(catalog.db.execute("SELECT path, digest FROM examined"))
    fresh = [*_atoms(catalog, tree), *_pages(texts, known)]
    atoms = {path for (path,) in catalog.db.execute("SELECT path FROM atoms")}
    gone = [(path,) for path in known.keys() - atoms - texts.keys()]
    if fresh or gone:
        with catalog.writing() as db:
            db.executemany("DELETE FROM examined WHERE path = ?", gone)
            insert(db, "examined", fresh)


def examined(catalog: Catalog, tree: Tree, kinds: Kinds) -> Looked:
    """Give what was found when the tree was last looked at."""
    rows = catalog.db.execute("SELECT path, found FROM examined WHERE found != ?", (_NOTHING,))
    found = {path: _read(text) for path, text in rows}
    return Looked(found, pages(tree.root, kinds), large_pages(tree.root, kinds))


def _atoms(catalog: Catalog, tree: Tree) -> Iterator[Row]:
    unseen = catalog.db.execute(_UNSEEN).fetchall()
    with tree.reading() as read:
        for (path,) in unseen:
            source = read(path)
            found = Examined() if isinstance(source, Flaw) else examine_atom(source.text)
            yield path, digest_of(source), _encode(found)


def _pages(texts: Mapping[str, str], known: Mapping[str, bytes]) -> Iterator[Row]:
    for path, text in texts.items():
        digest = digest_of(Source(path, text))
        if known.get(path) != digest:
            yield path, digest, _encode(_examine(path, text))


def _examine(path: str, text: str) -> Examined:
    if path.endswith(f"/{INDEX}"):
        return examine_index(text)
    return examine_page(text, is_markdown=path.endswith(".md"))


def _read(found: str) -> Examined:
    flaws, cites, links = json.loads(found)
    return Examined(
        tuple(Flaw(*flaw) for flaw in flaws),
        tuple(Citation(*cited) for cited in cites),
        tuple(LinkTarget(*link) for link in links),
    )
