"""What scores depend on besides a text, from the tantivy index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tantivy import Query

from cortexfs.catalog.tantivy_schema_and_query import build_any_form_query
from cortexfs.core.find.count_terms import FORM_SEPARATOR, is_prefix_query

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tantivy import Schema, Searcher


def compute_average_length(searcher: Searcher) -> float:
    """Return the mean length of the texts in terms."""
    mean = {"mean": {"avg": {"field": "length"}}}
    found = searcher.aggregate(Query.all_query(), mean)
    return float(found["mean"]["value"] or 0.0)


def count_texts(schema: Schema, searcher: Searcher, searched: Iterable[str]) -> dict[str, int]:
    """Return the number of texts with each searched string."""
    return {each: _count(schema, searcher, each) for each in searched}


def _count(schema: Schema, searcher: Searcher, searched: str) -> int:
    """Return the number of texts with a term, a prefix or a phrase, or with any of its forms."""
    forms = searched.split(FORM_SEPARATOR)
    if len(forms) == 1 and " " not in searched and not is_prefix_query(searched):
        return int(searcher.doc_freq("text", searched))
    query = build_any_form_query(schema, forms)
    found: Any = searcher.search(query, 1)  # the stub lacks the count
    return int(found.count)
