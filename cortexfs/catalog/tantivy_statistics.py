"""What scores depend on besides a text, from the tantivy index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tantivy import Query

from cortexfs.catalog.tantivy_query import build_any_form_query
from cortexfs.core.find.count_terms import FORM_SEPARATOR, is_prefix_query
from cortexfs.core.find.score_texts import compute_rarity

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tantivy import Schema, Searcher


MIN_COMMON_TEXTS = 5000
"""Number of texts from which a term in half of all texts is first searched among the heaviest."""


def weigh_common_terms(searcher: Searcher, terms: Iterable[str]) -> dict[str, float]:
    """Return those of some terms that half of very many texts have, with a factor for each.

    The engine would score each of these texts. A match among the heaviest terms of a text, times
    the factor, is worth about as much as a match in the text.
    """
    half = searcher.num_docs / 2
    if searcher.num_docs < MIN_COMMON_TEXTS:
        return {}
    frequencies = {term: int(searcher.doc_freq("text", term)) for term in terms}
    common = {term: count for term, count in frequencies.items() if count >= half}
    return {
        term: compute_rarity(searcher.num_docs, count)
        / compute_rarity(searcher.num_docs, searcher.doc_freq("heaviest", term))
        for term, count in common.items()
    }


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
