"""Documents and queries for tantivy, with the same matches as SQLite's full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tantivy import Document, FieldType, Occur, Query, SchemaBuilder

from cortexfs.catalog.fts5_index import is_prefix_query
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS, IndexedFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from tantivy import Schema

    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.parse_query import Query as Asked

_FIELDS = [(name, float(weight)) for name, weight in FIELD_WEIGHTS._asdict().items()]
_KEPT = frozenset("-./+#:@_")
_PARTING = {at: " " for at in range(128) if not (chr(at).isalnum() or chr(at) in _KEPT)}
"""Separators of SQLite's tokenizer, replaced by spaces: few texts have any."""


def build_schema() -> Schema:
    """Return the fields: the text fields, those for filters, and the document number."""
    fields = SchemaBuilder()
    for name in IndexedFields._fields:
        fields.add_text_field(name, tokenizer_name="whitespace")
    fields.add_text_field("only", tokenizer_name="raw", index_option="basic")
    # signed: by a number of an unsigned field the binding deletes nothing, and says nothing
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


def build_document(doc: int, said: IndexedFields, facts: FilterFields) -> Document:
    """Return the document of an atom."""
    streams = {name: text.translate(_PARTING) for name, text in said._asdict().items()}
    tags = [f"tag:{tag}" for tag in facts.tags.split("\n") if tag]
    one_each = [f"kind:{facts.kind}", f"project:{facts.project}", f"status:{facts.status}"]
    return Document(doc=doc, born=facts.born, only=[*one_each, *tags], **streams)


def build_query_after(fields: Schema, doc: int) -> Query:
    """Return a query for all atoms with a higher number."""
    return Query.range_query(fields, "doc", FieldType.Integer, doc, include_lower=False)


def build_query(fields: Schema, asked: Asked) -> Query:
    """Return a tantivy query.

    One flat list of terms is the fastest form for the engine: documents that cannot be among the
    best are skipped unread.
    """
    sought = [*((term,) for term in asked.terms), *asked.phrases]
    wanted = [(Occur.Should, each) for said in sought for each in _anywhere(fields, said)]
    needed = [_any(_anywhere(fields, phrase)) for phrase in asked.phrases]
    needed += _filters(fields, asked.filters)
    barred = [each for phrase in asked.excluded for each in _anywhere(fields, phrase)]
    barred += [each for one in asked.filters.excluded for each in _filters(fields, one)]
    if not needed and not barred:
        return Query.boolean_query(wanted)
    return Query.boolean_query(
        [
            *((Occur.Must, Query.const_score_query(each, 0.0)) for each in needed),
            (Occur.Must, Query.boolean_query(wanted)),
            *((Occur.MustNot, each) for each in barred),
        ]
    )


def _anywhere(fields: Schema, said: Sequence[str]) -> Iterator[Query]:
    """Yield a query for consecutive tokens in each field, with its weight."""
    text = " ".join(said).replace('"', "")
    tokens = text.translate(_PARTING).split()
    for name, weight in _FIELDS if tokens else ():
        if is_prefix_query(text):
            query = Query.regex_query(fields, name, f"{text}.*")
        elif len(tokens) == 1:
            query = Query.term_query(fields, name, tokens[0])
        else:
            query = Query.phrase_query(fields, name, list(tokens))
        yield query if weight == 1 else Query.boost_query(query, weight)


def _filters(fields: Schema, only: AtomFilter) -> list[Query]:
    """Return queries for any of the values of each filter, but for all of the tags."""
    named = [("kind", only.kinds), ("project", only.projects), ("status", only.statuses)]
    named += [("tag", (tag,)) for tag in only.tags]
    asked = [
        Query.term_set_query(fields, "only", [f"{key}:{word}" for word in words])
        for key, words in named
        if words
    ]
    if only.since:
        asked.append(Query.range_query(fields, "born", FieldType.Integer, only.since))
    if only.until:
        asked.append(Query.range_query(fields, "born", FieldType.Integer, 1, only.until))
    return asked


def _any(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries])
