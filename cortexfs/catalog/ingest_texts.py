"""Index the content of texts, their words and links, when it is first needed."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.atom_rows import parse_atom_row
from cortexfs.catalog.full_text_backend import open_full_text
from cortexfs.catalog.long_words import update_long_words
from cortexfs.catalog.schema import insert_rows
from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.atom_origin import parse_origin
from cortexfs.core.atoms.kinds import MEMORY_KINDS
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.template_text import blank_template_lines
from cortexfs.core.find.compounds import list_long_words
from cortexfs.core.find.detect_language import detect_text_language
from cortexfs.core.find.embedding_passages import hash_passages, split_passages
from cortexfs.core.find.entities import find_entities
from cortexfs.core.find.extract_links import extract_links, list_wiki_names
from cortexfs.core.find.indexed_fields import IndexedFields, extract_indexed_fields
from cortexfs.core.find.tokenize import fold_text, forget_words
from cortexfs.core.frontmatter.atom_text import split_frontmatter
from cortexfs.core.indexes.atom_with_reads import date_ordinal_of_atom, parse_frontmatter_reads
from cortexfs.tree.map_in_processes import CHUNK_SIZE, map_in_processes
from cortexfs.tree.package_files import read_template_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.full_text_index import FullTextIndex
    from cortexfs.core.atoms.atom import Atom, FileText
    from cortexfs.tree.tree import Tree

    Progress = Callable[[int, int], None]
    TextRows = tuple[tuple[Sequence[tuple[int | str, ...]], ...], str, int, tuple[str, ...]]
    """What the catalog stores of one text: rows for each of `_TEXT_TABLES`, its long words, its
    document number, and its fields; plain tuples are sent fastest between processes."""


def ingest_texts(
    catalog: Catalog, tree: Tree, progress: Progress | None = None, *, batch_size: int = 0
) -> int:
    """Index every text that has changed since it was last indexed; return their number."""
    done = 0
    for count in ingest_text_parts(catalog, tree, progress, batch_size=batch_size):
        done += count
    return done


def ingest_text_parts(
    catalog: Catalog, tree: Tree, progress: Progress | None = None, *, batch_size: int = 0
) -> Iterator[int]:
    """Index the texts that have changed; yield the number of each transaction after it.

    `progress` is called after each transaction with the number of texts read, and their total. A
    transaction has `batch_size` texts (default: as many as catalog and full-text index allow).
    """
    full_text = open_full_text(catalog)
    batch_size = batch_size or catalog.max_ingested_texts or full_text.batch_size
    (waiting,) = catalog.db.execute("SELECT count(*) FROM waiting").fetchone()
    done, last = 0, ""
    while paths := [path for (path,) in catalog.db.execute(_WAITING_SQL, (last, batch_size))]:
        _ingest_batch(catalog, full_text, tree, paths)
        done, last = done + len(paths), paths[-1]
        if progress:
            progress(done, max(done, waiting))
        yield len(paths)
    if catalog.max_ingested_texts and done >= catalog.max_ingested_texts:
        forget_words()


def read_passages(db: Connection, tree: Tree, path: str) -> tuple[str, ...]:
    """Return the passages of an indexed text; empty if it cannot be read now."""
    row, source = db.execute(_ATOM_SQL, (path,)).fetchone(), tree.read_text_or_flaw(path)
    if row is None or isinstance(source, Flaw):
        return ()
    atom = parse_atom_row(row)
    return _make_passages(atom, _extract_body(source.text, atom.kind).split())


def _ingest_batch(
    catalog: Catalog, full_text: FullTextIndex, tree: Tree, paths: Sequence[str]
) -> None:
    """Index some texts; those that are gone or unreadable are removed."""
    with catalog.write_transaction() as db, tree.open_batch_reader() as read:
        if not full_text.is_ready:  # another process has changed it meanwhile
            full_text.prepare()
        (last,) = db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
        asked = (json.dumps(paths),)
        known = {path: (doc, words) for path, doc, words in db.execute(_KNOWN_SQL, asked)}
        _delete_texts(db, known)
        waiting = [
            _WaitingText(known[row[1]][0] if row[1] in known else last + 1 + row[0], row[1:])
            for row in db.execute(_ATOMS_SQL, asked)
        ]
        long_words: list[str] = []
        with map_in_processes(lambda each: _read_rows(each, read), waiting) as read_now:
            indexed = _insert_texts(db, filter(None, read_now), long_words)
            full_text.replace_texts([doc for doc, _ in known.values()], indexed)
        update_long_words(db, (words for _, words in known.values()), long_words)
        db.execute(_REMOVE_WAITING_SQL, asked)


class _WaitingText(NamedTuple):
    """A text to be read: its document number, and the row of its atom."""

    doc: int
    row: tuple[str, ...]


def _insert_texts(
    db: Connection, texts: Iterable[TextRows], long_words: list[str]
) -> Iterator[tuple[int, IndexedFields]]:
    """Insert the rows of texts, and yield what the full-text index takes of each."""
    while some := list(islice(texts, CHUNK_SIZE)):
        for number, table in enumerate(_TEXT_TABLES):
            insert_rows(db, table, [row for text in some for row in text[0][number]])
        for _, words, doc, fields in some:
            long_words.append(words)
            yield doc, IndexedFields(*fields)


def _read_rows(waiting: _WaitingText, read: Callable[[str], FileText | Flaw]) -> TextRows | None:
    """Read a text, and return its rows; None if it cannot be read."""
    atom = parse_atom_row(waiting.row)
    if isinstance(source := read(atom.path), Flaw):
        return None
    text = _read_atom_text(waiting.doc, atom, source.text)
    names = [(atom.path, name) for name in list_wiki_names(atom)]
    rows = ([_make_text_row(text)], _list_link_rows(text), names, _list_mention_rows(text))
    fields = extract_indexed_fields(atom.fields, text.body, text.language, text.strings)
    return rows, text.long_words, text.doc, tuple(fields)


class _AtomText(NamedTuple):
    """One atom with its text and its document number."""

    doc: int
    atom: Atom
    text: str
    body: str
    strings: Sequence[str]
    """The body, split at its blanks."""
    language: str
    long_words: str
    """The words of the text that may be compounds, each once."""


def _extract_body(text: str, kind: str) -> str:
    """Return what the body of a text says; without frontmatter that is the text itself."""
    parts = split_frontmatter(text)
    body = text if isinstance(parts, Flaw) else parts.tail.partition("\n")[2]
    return blank_template_lines(body, read_template_lines(kind))


def _read_atom_text(doc: int, atom: Atom, text: str) -> _AtomText:
    """Return an atom's text with its language, and its long words if the language has compounds."""
    body = _extract_body(text, atom.kind)
    language = detect_text_language(atom.fields, body)
    summary = f"{atom.text_field('title')} {atom.text_field('summary')}"
    long_words = " ".join(list_long_words(f"{summary}\n{body}", language))
    return _AtomText(doc, atom, text, body, body.split(), language, long_words)


_TEXT_TABLES = ("texts", "links", "names", "mentions")
_WAITING_SQL = "SELECT path FROM waiting WHERE path > ? ORDER BY path LIMIT ?"
_ATOM_COLUMNS = "atoms.path, kind, ref, project, fields, marks"
_ATOM_SQL = f"SELECT {_ATOM_COLUMNS} FROM atoms WHERE path = ? AND readable"  # noqa: S608
_ATOMS_SQL = f"""
SELECT asked.key, {_ATOM_COLUMNS} FROM json_each(?) AS asked
CROSS JOIN atoms ON atoms.path = asked.value AND readable
"""  # noqa: S608
"""One statement for many paths, in their order: one for each takes several times as long."""
_KNOWN_SQL = """
SELECT texts.path, doc, long_words FROM json_each(?) AS asked
CROSS JOIN texts ON texts.path = asked.value
"""
_REMOVE_WAITING_SQL = "DELETE FROM waiting WHERE path IN (SELECT value FROM json_each(?))"


def _delete_texts(db: Connection, known: Mapping[str, tuple[int, str]]) -> None:
    """Delete the rows of texts by their paths."""
    db.executemany("DELETE FROM texts WHERE doc = ?", ((doc,) for doc, _ in known.values()))
    for table in _TEXT_TABLES[1:]:
        sql = f"DELETE FROM {table} WHERE path = ?"  # noqa: S608
        db.executemany(sql, ((path,) for path in known))


def _make_passages(atom: Atom, strings: Sequence[str]) -> tuple[str, ...]:
    """Return the passages of a text whose body was split at its blanks."""
    return split_passages(atom.text_field("summary") or atom.text_field("title"), strings)


def _make_text_row(text: _AtomText) -> tuple[int | str, ...]:
    atom = text.atom
    tags = "".join(f"\n{fold_text(tag)}\n" for tag in atom.list_field("tags"))
    place = (atom.path, atom.path.rpartition("/")[0], atom.file_name, atom.ref.rpartition("/")[2])
    kind = (
        atom.ref,
        atom.kind,
        atom.project or atom.text_field("project"),  # a personal observation is of a project too
        parse_atom_status(atom.text_field("status")).word,
        date_ordinal_of_atom(atom),
    )
    passages = _make_passages(atom, text.strings)
    text_columns = (tags, atom.text_field("summary"), hash_passages(passages))
    words = (text.language, text.long_words, *_list_listed_columns(atom))
    return (text.doc, *place, *kind, *parse_frontmatter_reads(atom), *text_columns, *words)


def _list_listed_columns(atom: Atom) -> tuple[str, str, int]:
    """Return who wrote an atom, and of a memory when it was saved, and whether it is archived."""
    origin = parse_origin(atom)
    if atom.kind not in MEMORY_KINDS or not atom.text_field("id"):
        return origin.sort, "", 0
    return origin.sort, origin.created, int(bool(atom.text_field("deleted-at")))


def _list_link_rows(text: _AtomText) -> list[tuple[int | str, ...]]:
    atom = text.atom
    return [(atom.path, atom.project, *link) for link in extract_links(atom, text.text)]


def _list_mention_rows(text: _AtomText) -> list[tuple[int | str, ...]]:
    found = find_entities(text.body)
    if not found:
        return []
    above = text.text.count("\n", 0, len(text.text) - len(text.body))
    return [(text.atom.path, sort, name, above + line) for sort, name, line in found]
