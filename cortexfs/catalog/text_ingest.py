"""Take in what stands within the texts: words and links, read at the first question for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.fulltext_backend import full_text
from cortexfs.catalog.queries import atom_of
from cortexfs.catalog.schema import insert
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import read_status
from cortexfs.core.find.entities import entities
from cortexfs.core.find.extract_links import links, names
from cortexfs.core.find.indexed_fields import streams
from cortexfs.core.find.passages import content, passages
from cortexfs.core.find.tokenize import fold
from cortexfs.core.frontmatter.atom_text import parted, split
from cortexfs.core.indexes.index_entry import born, carried

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.full_text import FullText
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]


def take_in(
    catalog: Catalog, tree: Tree, progress: Progress | None = None, *, at_once: int = 0
) -> int:
    """Read every text that has changed since it was last taken in; give how many.

    `progress` is told how many have been read, out of how many, after each transaction, of
    `at_once` texts, or as many as the full text takes.
    """
    words = full_text(catalog)
    at_once = at_once or words.at_once
    waiting = [path for (path,) in catalog.db.execute("SELECT path FROM waiting ORDER BY path")]
    for start in range(0, len(waiting), at_once):
        _take(catalog, words, tree, waiting[start : start + at_once])
        if progress:
            progress(min(start + at_once, len(waiting)), len(waiting))
    return len(waiting)


def said_in(db: Connection, tree: Tree, path: str) -> tuple[str, ...]:
    """Read the passages of a text that was taken in; none where it cannot be read now."""
    row, source = db.execute(_ATOM, (path,)).fetchone(), tree.read(path)
    return (
        ()
        if row is None or isinstance(source, Flaw)
        else _Text(0, atom_of(row), source.text).passages
    )


def _take(catalog: Catalog, words: FullText, tree: Tree, paths: Sequence[str]) -> None:
    """Take in some texts; those that are gone or cannot be read are forgotten."""
    with catalog.writing() as db, tree.reading() as read:
        if not words.is_ready:  # another process has been at it since
            words.prepare()
        (last,) = db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
        known = [_forget(db, path) for path in paths]
        read_now = [
            _Text(known_as or last + number, atom_of(row), source.text)
            for number, (path, known_as) in enumerate(zip(paths, known, strict=True), start=1)
            if (row := db.execute(_ATOM, (path,)).fetchone())
            and not isinstance(source := read(path), Flaw)
        ]
        insert(db, "texts", map(_about, read_now))
        insert(db, "links", (row for text in read_now for row in _links(text)))
        insert(db, "names", ((t.atom.path, name) for t in read_now for name in names(t.atom)))
        insert(db, "mentions", (row for text in read_now for row in _mentions(text)))
        db.executemany("DELETE FROM waiting WHERE path = ?", ((path,) for path in paths))
        said = ((text.doc, streams(text.atom.fields, text.body)) for text in read_now)
        words.replace(filter(None, known), said)


class _Text(NamedTuple):
    """One atom with its text, and the number that it bears in the full text."""

    doc: int
    atom: Atom
    text: str

    @property
    def body(self) -> str:
        parts = split(self.text)
        return self.text if isinstance(parts, Flaw) else parts.tail

    @property
    def passages(self) -> tuple[str, ...]:
        title = self.atom.text("summary") or self.atom.text("title")
        return passages(title, parted(self.text)[1])


_ATOM = "SELECT path, kind, ref, project, fields, marks FROM atoms WHERE path = ? AND readable"


def _forget(db: Connection, path: str) -> int | None:
    """Drop what is known of a text; give the number that it had."""
    known = db.execute("SELECT doc FROM texts WHERE path = ?", (path,)).fetchone()
    if known is None:
        return None
    db.execute("DELETE FROM texts WHERE doc = ?", known)
    db.execute("DELETE FROM links WHERE path = ?", (path,))
    db.execute("DELETE FROM mentions WHERE path = ?", (path,))
    db.execute("DELETE FROM names WHERE path = ?", (path,))
    return int(known[0])


def _about(text: _Text) -> tuple[int | str, ...]:
    atom = text.atom
    tags = "".join(f"\n{fold(tag)}\n" for tag in atom.words("tags"))
    where = (atom.path, atom.path.rpartition("/")[0], atom.name, atom.ref.rpartition("/")[2])
    what = (atom.ref, atom.kind, atom.project, read_status(atom.text("status")).word, born(atom))
    said = (tags, atom.text("summary"), content(text.passages))
    return (text.doc, *where, *what, *carried(atom), *said)


def _links(text: _Text) -> Iterator[tuple[int | str, ...]]:
    atom = text.atom
    return ((atom.path, atom.project, *link) for link in links(atom, text.text))


def _mentions(text: _Text) -> Iterator[tuple[int | str, ...]]:
    body = text.body
    lines_before = text.text.count("\n", 0, len(text.text) - len(body))
    for sort, name, line in entities(body):
        yield text.atom.path, sort, name, line + lines_before
