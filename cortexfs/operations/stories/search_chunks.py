"""Search the chunks of a story: by the tree's full-text index, and its vectors where they are."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.tokenize import tokenize
from cortexfs.core.stories.recall.score_messages import WeightedTerm
from cortexfs.operations.embed import open_embeddings

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.core.find.parse_query import Query
    from cortexfs.session.annotation_types import TextQueries
    from cortexfs.session.view import View

MAX_MATCHES = 100
"""Chunks of the story that are compared message by message because they have the words."""
MAX_SEARCHED = 1000
"""Chunks of all stories of a project among which they are sought."""
EARLIER_SHARE = 0.6
"""How much a word counts that was said one message before the last one."""


class ChunkMatches(NamedTuple):
    """The terms that were sought, and the best chunks: their refs, and similarities if known."""

    terms: tuple[WeightedTerm, ...]
    refs: tuple[str, ...]
    similarities: Mapping[str, float]


def search_chunks(
    view: View, project: str, texts: Sequence[str], own: Collection[str], chunk_count: int
) -> ChunkMatches:
    """Return what matches texts, of which the last one counts most, among the chunks `own`.

    `chunk_count` is the number of chunks of all stories of the project.
    """
    queries = view.text_queries()
    today = view.clock().date()
    typed = " ".join(reversed(texts))
    query = queries.parse_query(typed, today, with_pages=False)
    if len(texts) == 1:
        query = queries.parse_corrected_query(typed, today, with_pages=False).query
    terms = _weigh_by_age(texts, query)
    if not terms:
        return ChunkMatches((), (), {})
    filters = AtomFilter(kinds=(CHUNK_KIND,), projects=(project,))
    limit = min(MAX_SEARCHED, ceil(MAX_MATCHES * chunk_count / max(1, len(own))))
    found = queries.search_atoms(
        query._replace(filters=filters, refs_or_paths=(), only_ref=""),
        today,
        limit,
        lambda: _compare_embeddings(view, queries, typed),
    )
    hits = [hit for hit in found if hit.atom.ref in own][:MAX_MATCHES]
    similar = {hit.atom.ref: hit.fused.similarity for hit in hits if hit.fused}
    known = {ref: value for ref, value in similar.items() if value is not None}
    return ChunkMatches(terms, tuple(hit.atom.ref for hit in hits), known)


def _weigh_by_age(texts: Sequence[str], query: Query) -> tuple[WeightedTerm, ...]:
    """Return the terms of a query; those of earlier texts count less."""
    tokens = [f" {' '.join(tokenize(text))} " for text in reversed(texts)]
    found = []
    for term in query.all_terms:
        age = next((age for age, words in enumerate(tokens) if f" {term} " in words), 0)
        found.append(WeightedTerm(query.list_forms(term), EARLIER_SHARE**age))
    return tuple(found)


def _compare_embeddings(view: View, queries: TextQueries, text: str) -> Mapping[str, float]:
    embeddings = open_embeddings(view, queries)
    if embeddings is None:
        return {}
    cosines, progress = embeddings.compute_similarities(text)
    if progress.done < progress.total and view.model is None:
        embeddings.start_in_background()
    return cosines
