"""Queries for tantivy, with the same matches as SQLite's full-text index."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tantivy import FieldType, Occur, Query

from cortexfs.core.find.count_terms import is_prefix_query

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tantivy import Schema

    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.find.parse_query import Query as ParsedQuery

_TOKEN_CHARACTERS = frozenset("-./+#:@_")
SEPARATORS = {
    at: " " for at in range(128) if not (chr(at).isalnum() or chr(at) in _TOKEN_CHARACTERS)
}
"""Separators of SQLite's tokenizer, replaced by spaces: few texts have any."""


def build_query_after(schema: Schema, doc: int) -> Query:
    """Return a query for all atoms with a higher number."""
    return Query.range_query(schema, "doc", FieldType.Integer, doc, include_lower=False)


def build_query_of_heaviest(
    schema: Schema, query: ParsedQuery, common: Mapping[str, float]
) -> Query:
    """Return a query without filters that finds common terms only where they are heaviest.

    Common terms have a factor for their scores; they should be rare among the heaviest.
    """
    forms = [form for term in query.terms for form in query.list_forms(term)]
    wanted = [
        Query.boost_query(Query.term_query(schema, "heaviest", form), common[form])
        if form in common
        else build_text_query(schema, (form,))
        for form in forms
    ]
    return Query.boolean_query([(Occur.Should, each) for each in wanted])


def build_query(schema: Schema, query: ParsedQuery) -> Query:
    """Return a tantivy query.

    One flat list of terms is the fastest form for the engine: documents that cannot be among the
    best are skipped unread.
    """
    optional = [*((term,) for term in query.terms), *query.phrases]
    wanted = [
        (Occur.Should, build_text_query(schema, (form,)))
        for tokens in optional
        for form in query.list_forms(*tokens)
    ]
    needed = [build_any_form_query(schema, query.list_forms(*one)) for one in query.phrases]
    needed += _build_filter_queries(schema, query.filters)
    excluded = [_build_exclusion(schema, query, one) for one in query.excluded]
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


def _build_exclusion(schema: Schema, query: ParsedQuery, phrase: tuple[str, ...]) -> Query:
    """Return a query for the texts with a phrase, without those that have it as an option."""
    found = build_any_form_query(schema, query.list_forms(*phrase))
    if not (options := query.options.get(phrase)):
        return found
    options_query = build_any_form_query(schema, options)
    return Query.boolean_query([(Occur.Must, found), (Occur.MustNot, options_query)])


def build_any_form_query(schema: Schema, forms: Sequence[str]) -> Query:
    """Return a query for any of the forms of a term or a phrase."""
    queries = [build_text_query(schema, form.split(" ")) for form in forms]
    if len(queries) == 1:
        return queries[0]
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def build_text_query(schema: Schema, tokens: Sequence[str]) -> Query:
    """Return a query for consecutive tokens, or for words that begin as a single one does."""
    text = " ".join(tokens).replace('"', "")
    tokens = text.translate(SEPARATORS).split()
    if not tokens:
        return Query.empty_query()
    if is_prefix_query(text):
        return Query.regex_query(schema, "text", f"{text.rstrip('*')}.*")
    if len(tokens) == 1:
        return Query.term_query(schema, "text", tokens[0])
    return Query.phrase_query(schema, "text", list(tokens))


def build_number_query(schema: Schema, docs: Sequence[int]) -> Query:
    """Return a query for atoms by their numbers."""
    return Query.term_set_query(schema, "doc", list(docs))


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
