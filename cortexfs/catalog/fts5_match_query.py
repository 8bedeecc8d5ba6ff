"""A query in the syntax of FTS5; every token is quoted, so none is syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.count_terms import is_prefix_query

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.find.parse_query import Query


def format_match_query(query: Query) -> str:
    """Return a query for the texts with any of its terms, and all of its phrases."""
    wanted = join_alternatives(
        [quote_token(form) for term in query.terms for form in query.list_forms(term)]
        + [quote_token(form) for phrase in query.phrases for form in query.list_forms(*phrase)]
    )
    needed = [_quote_forms(query, phrase) for phrase in query.phrases]
    required = " AND ".join([*needed, f"({wanted})"])
    if not query.excluded:
        return required
    excluded = join_alternatives([_quote_exclusion(query, phrase) for phrase in query.excluded])
    return f"({required}) NOT ({excluded})"


def _quote_exclusion(query: Query, phrase: tuple[str, ...]) -> str:
    """Return the texts with a phrase, without those that have it as an option."""
    forms = _quote_forms(query, phrase)
    options = join_alternatives(list(map(quote_token, query.options.get(phrase, ()))))
    return f"({forms} NOT ({options}))" if options else forms


def join_alternatives(terms: Sequence[str]) -> str:
    """Return a query for any of some strings."""
    return " OR ".join(terms)


def _quote_forms(query: Query, phrase: Sequence[str]) -> str:
    """Return any of the forms of a phrase."""
    forms = list(map(quote_token, query.list_forms(*phrase)))
    return forms[0] if len(forms) == 1 else f"({join_alternatives(forms)})"


def quote_token(token: str) -> str:
    """Return a token as a string of FTS5; the beginning of words for one that ends with `*`."""
    text = token.replace('"', "")
    return f'"{text.rstrip("*")}"{"*" if is_prefix_query(text) else ""}'
