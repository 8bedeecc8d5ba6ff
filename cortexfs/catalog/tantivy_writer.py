"""Create an index of tantivy, and write documents into it: atoms with their fields."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import tantivy
from tantivy import Document, SchemaBuilder

from cortexfs.catalog import tantivy_files
from cortexfs.catalog.tantivy_query import SEPARATORS, build_query_after
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.score_texts import PART_END, weigh_parts
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

    from tantivy import Schema

WRITER_HEAP_BYTES = 64_000_000
"""Bytes that are collected before they are written."""
ATOMS_PER_STATEMENT = 100
"""Number of atoms whose fields are read at once."""
HEAVIEST_SHARE = 8
"""Among how many terms of a text one belongs to its heaviest."""
_FILTER_FIELDS_SQL = """
SELECT kind, project, status, tags, born FROM json_each(?) CROSS JOIN texts ON doc = value
"""
_SEPARATOR_BYTES = bytes(ord(SEPARATORS.get(at, chr(at))) for at in range(256))


def create_index(path: str) -> tantivy.Index:
    """Create an index in an empty folder, and return it; raises `CatalogFailed`."""
    with _wrap_engine_errors():
        tantivy.Index(_build_schema(), path)
        tantivy_files.set_block_size(path)
        index = tantivy.Index.open(path)
        index.config_reader("manual")
    return index


def commit_documents(
    db: Connection,
    index: tantivy.Index,
    removed: Iterable[int],
    texts: Iterable[tuple[int, IndexedFields]],
    *,
    ahead: bool,
) -> None:
    """Remove some atoms and add others, in one commit; raises `CatalogFailed`.

    `ahead` says that the index has documents that the catalog does not know: they are deleted. The
    engine's own lock is released in any case.
    """
    with _wrap_engine_errors():
        writer = index.writer(WRITER_HEAP_BYTES, 1)
        try:
            if ahead:
                (last,) = db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
                writer.delete_documents_by_query(build_query_after(index.schema, last))
            for doc in removed:
                writer.delete_documents_by_term("doc", doc)
            for doc, document in _build_documents(db, texts):
                if ahead:
                    writer.delete_documents_by_term("doc", doc)
                writer.add_document(document)
            writer.commit()
            writer.wait_merging_threads()
        finally:
            del writer


def _build_schema() -> Schema:
    """Return the fields: the weighted text, its heaviest terms, filters, and numbers.

    One field for the parts of a text: the engine adds the scores of several fields, each of them
    saturated, so that a title would outweigh the rest.
    """
    fields = SchemaBuilder()
    fields.add_text_field("text", stored=True, tokenizer_name="whitespace")
    fields.add_text_field("heaviest", tokenizer_name="whitespace", index_option="freq")
    fields.add_integer_field("length", fast=True)
    fields.add_text_field("only", tokenizer_name="raw", index_option="basic")
    # signed: by the value of an unsigned field the binding deletes nothing, without an error
    fields.add_integer_field("doc", indexed=True, fast=True)
    fields.add_integer_field("born", indexed=True, fast=True)
    return fields.build()


class FilterFields(NamedTuple):
    """The fields of an atom for filters; `tags` has one tag per line."""

    kind: str
    project: str
    status: str
    tags: str
    born: int


def _build_documents(
    db: Connection, texts: Iterable[tuple[int, IndexedFields]]
) -> Iterator[tuple[int, Document]]:
    """Yield the documents of atoms, each with its number; the catalog has their other fields."""
    rest = iter(texts)
    while some := list(islice(rest, ATOMS_PER_STATEMENT)):
        found = db.execute(_FILTER_FIELDS_SQL, (json.dumps([doc for doc, _ in some]),))
        for (doc, parts), filters in zip(some, found, strict=True):
            yield doc, _build_document(doc, parts, FilterFields(*filters))


def _build_document(doc: int, parts: IndexedFields, filters: FilterFields) -> Document:
    """Return the document of an atom."""
    weighted = weigh_parts(IndexedFields(*map(_blank_separators, parts)))
    tags = [f"tag:{tag}" for tag in filters.tags.split("\n") if tag]
    one_each = [f"kind:{filters.kind}", f"project:{filters.project}", f"status:{filters.status}"]
    return Document(
        doc=doc,
        born=filters.born,
        only=[*one_each, *tags],
        heaviest=list_heaviest_terms(weighted.text),
        **weighted._asdict(),
    )


def list_heaviest_terms(text: str) -> str:
    """Return the terms that a weighted text has most often, as often: an eighth of all, or more."""
    counts = Counter(text.split())
    del counts[PART_END]
    heaviest = counts.most_common(-(-len(counts) // HEAVIEST_SHARE))
    return " ".join(" ".join([term] * count) for term, count in heaviest)


def _blank_separators(text: str) -> str:
    """Return a text with spaces for separators; bytes are translated several times as fast."""
    if text.isascii():
        return text.encode("ascii").translate(_SEPARATOR_BYTES).decode("ascii")
    return text.translate(SEPARATORS)


@contextmanager
def _wrap_engine_errors() -> Iterator[None]:
    """Raise `CatalogFailed` for `ValueError`, the engine's only error: a full disk, a lost file."""
    try:
        yield
    except ValueError as error:
        raise CatalogFailed(str(error)) from None
