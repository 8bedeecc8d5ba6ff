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
    from cortexfs.core.find.parse_query import Query as ParsedQuery

_WEIGHTED_FIELDS = [(name, float(weight)) for name, weight in FIELD_WEIGHTS._asdict().items()]
_TOKEN_CHARACTERS = frozenset("-./+#:@_")
_SEPARATORS = {
    at: " " for at in range(128) if not (chr(at).isalnum() or chr(at) in _TOKEN_CHARACTERS)
}
"""Separators of SQLite's tokenizer, replaced by spaces: few texts have any."""


def build_schema() -> Schema:
    """Return the fields: the text fields, those for filters, and the document number."""
    fields = SchemaBuilder()
    for name in IndexedFields._fields:
        fields.add_text_field(name, tokenizer_name="whitespace")
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


def build_document(doc: int, texts: IndexedFields, filters: FilterFields) -> Document:
    """Return the document of an atom."""
    fields = {name: text.translate(_SEPARATORS) for name, text in texts._asdict().items()}
    tags = [f"tag:{tag}" for tag in filters.tags.split("\n") if tag]
    one_each = [f"kind:{filters.kind}", f"project:{filters.project}", f"status:{filters.status}"]
    return Document(doc=doc, born=filters.born, only=[*one_each, *tags], **fields)


def build_query_after(schema: Schema, doc: int) -> Query:
    """Return a query for all atoms with a higher number."""
    return Query.range_query(schema, "doc", FieldType.Integer, doc, include_lower=False)


def build_query(schema: Schema, query: ParsedQuery) -> Query:
    """Return a tantivy query.

    One flat list of terms is the fastest form for the engine: documents that cannot be among the
    best are skipped unread.
    """
    optional = [*((term,) for term in query.terms), *query.phrases]
    wanted = [
        (Occur.Should, each) for tokens in optional for each in _iter_field_queries(schema, tokens)
    ]
    needed = [_match_any(_iter_field_queries(schema, phrase)) for phrase in query.phrases]
    needed += _build_filter_queries(schema, query.filters)
    excluded = [each for phrase in query.excluded for each in _iter_field_queries(schema, phrase)]
    excluded += [
        each for one in query.filters.excluded for each in _build_filter_queries(schema, one)
    ]
    if not needed and not excluded:
        return Query.boolean_query(wanted)
    return Query.boolean_query(
        [
            *((Occur.Must, Query.const_score_query(each, 0.0)) for each in needed),
            (Occur.Must, Query.boolean_query(wanted)),
            *((Occur.MustNot, each) for each in excluded),
        ]
    )


def _iter_field_queries(schema: Schema, tokens: Sequence[str]) -> Iterator[Query]:
    """Yield a query for consecutive tokens in each field, with its weight."""
    text = " ".join(tokens).replace('"', "")
    tokens = text.translate(_SEPARATORS).split()
    for name, weight in _WEIGHTED_FIELDS if tokens else ():
        if is_prefix_query(text):
            query = Query.regex_query(schema, name, f"{text.rstrip('*')}.*")
        elif len(tokens) == 1:
            query = Query.term_query(schema, name, tokens[0])
        else:
            query = Query.phrase_query(schema, name, list(tokens))
        yield query if weight == 1 else Query.boost_query(query, weight)


def _build_filter_queries(schema: Schema, atom_filter: AtomFilter) -> list[Query]:
    """Return queries for any of the values of each filter, but for all of the tags."""
    named = [
        ("kind", atom_filter.kinds),
        ("project", atom_filter.projects),
        ("status", atom_filter.statuses),
    ]
    named += [("tag", (tag,)) for tag in atom_filter.tags]
    queries = [
        Query.term_set_query(schema, "only", [f"{key}:{word}" for word in words])
        for key, words in named
        if words
    ]
    if atom_filter.since:
        queries.append(Query.range_query(schema, "born", FieldType.Integer, atom_filter.since))
    if atom_filter.until:
        queries.append(Query.range_query(schema, "born", FieldType.Integer, 1, atom_filter.until))
    return queries


def _match_any(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries])
