"""Search the chunks of a story: by the tree's full-text index, and its vectors where they are."""

from __future__ import annotations

from functools import partial
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.tokenize import tokenize
from cortexfs.core.stories.recall.recall_words import choose_words
from cortexfs.core.stories.recall.score_messages import WeightedTerm
from cortexfs.operations.embed import open_embeddings
from cortexfs.operations.find import find_known_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cortexfs.core.find.parse_query import Query
    from cortexfs.session.annotation_types import TextEmbeddings
    from cortexfs.session.view import View

MAX_MATCHES, MAX_MATCHES_OF_SCENE = 100, 50
"""Chunks of the story that are compared message by message because they have the words of a
question, or of what was said last."""
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
    view: View, project: str, texts: Sequence[str], is_sought: Callable[[str], bool], share: float
) -> ChunkMatches:
    """Return what matches texts, of which the last one counts most, among the chunks of a story.

    `is_sought` tells from its ref whether a chunk of the project is one of them; `share` is how
    much of the project's chunks the story has.
    """
    queries = view.text_queries()
    today = view.clock().date()
    typed = choose_words(texts)
    if len(texts) == 1:
        is_word = find_known_words(view)
        corrected = queries.parse_corrected_query(typed, today, with_pages=False, is_word=is_word)
        typed, query = corrected.text, corrected.query
    else:
        query = queries.parse_query(typed, today, with_pages=False)
    terms = _weigh_by_age(texts, query)
    if not terms:
        return ChunkMatches((), (), {})
    filters = AtomFilter(kinds=(CHUNK_KIND,), projects=(project,))
    most = MAX_MATCHES if len(texts) == 1 else MAX_MATCHES_OF_SCENE
    limit = min(MAX_SEARCHED, ceil(most / share) if share else most)
    query = query._replace(filters=filters, refs_or_paths=(), only_ref="")
    embeddings = open_embeddings(view, queries)
    if embeddings is None:
        refs = queries.find_candidates(query, limit)
        return ChunkMatches(terms, tuple(filter(is_sought, refs))[:most], {})
    compare = partial(_compare_embeddings, view, embeddings, typed)
    found = queries.search_atoms(query, today, limit, compare)
    hits = [hit for hit in found if is_sought(hit.atom.ref)][:most]
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


def _compare_embeddings(view: View, embeddings: TextEmbeddings, text: str) -> Mapping[str, float]:
    cosines, progress = embeddings.compute_similarities(text)
    if progress.done < progress.total and view.model is None:
        embeddings.start_in_background()
    return cosines
