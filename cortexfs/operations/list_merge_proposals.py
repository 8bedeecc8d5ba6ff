"""List the pairs of similar memories that somebody may merge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.equal_memories import find_equal_memories
from cortexfs.core.maintain.merge_proposals import (
    MAX_PROPOSALS,
    MemoryPair,
    MergeProposal,
    OpenPair,
    list_open_pairs,
    make_comparable_text,
    make_proposal,
    sort_by_age,
)
from cortexfs.core.maintain.similar_texts import MAX_NEIGHBOURS, find_similar_texts
from cortexfs.errors import Refused
from cortexfs.operations.embed import open_embeddings
from cortexfs.operations.shared.load_weighed_memories import iter_weighed_memories
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.maintain.equal_memories import WeighedMemory
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MIN_COSINE = 0.7
"""The cosine from which a merge is proposed: of 25 rewordings 24 have it, of others none."""


class MergeProposals(NamedTuple):
    """The first proposals, the most similar first, and the number of all."""

    proposals: list[MergeProposal]
    total: int


def list_merge_proposals(
    session: Session, projects: Sequence[str] | None = None, limit: int = MAX_PROPOSALS
) -> MergeProposals:
    """Return the proposals about memories of some projects or of all, without personal ones."""
    with session.read(needed_contents(session)) as view:
        found = list(_iter_open_pairs(view, projects))
    return MergeProposals([make_proposal(*each) for each in found[:limit]], len(found))


def needed_contents(session: Session) -> NeededContents:
    """Return what a view needs: texts, if there may be vectors of them."""
    with session.view_without_refresh() as view:
        return NeededContents.TEXTS if view.find_model() else NeededContents.ATOMS


def _iter_open_pairs(view: View, projects: Sequence[str] | None) -> Iterator[OpenPair]:
    """Yield all pairs, the most similar first: those by words, then those by vectors."""
    memories = sort_by_age(iter_weighed_memories(view, projects))
    settings = view.settings.maintenance
    merges = find_equal_memories(memories) if settings.merges else []
    merging = {
        frozenset((merge.kept.record.number, merged.record.number))
        for merge in merges
        for merged in merge.merged
    }
    pairs = list(_iter_pairs_by_words(memories, settings.similarity))
    known = {frozenset((pair.earlier.record.path, pair.later.record.path)) for pair in pairs}
    pairs += _iter_pairs_by_vectors(view, memories, known)
    yield from list_open_pairs(pairs, merging)


def require_proposal(view: View, proposal_id: str) -> MergeProposal:
    """Return the proposal with an id; raises `Refused` if there is none."""
    wanted, pairs = proposal_id.strip(), _iter_open_pairs(view, None)
    found = next((each for each in pairs if each.proposal_id == wanted), None)
    if found is None:
        raise Refused(
            f"no proposal `{proposal_id}`", hint="`cortexfs maintain --proposals` lists them"
        )
    return make_proposal(*found)


def _iter_pairs_by_words(memories: Sequence[WeighedMemory], least: float) -> Iterator[MemoryPair]:
    texts = [make_comparable_text(each.record) for each in memories]
    for earlier, later, similarity in find_similar_texts(texts, least):
        yield MemoryPair(memories[earlier], memories[later], similarity, "words")


def _iter_pairs_by_vectors(
    view: View, memories: Sequence[WeighedMemory], known: set[frozenset[str]]
) -> Iterator[MemoryPair]:
    """Yield the pairs that only their vectors find; none if no model is installed."""
    embeddings = open_embeddings(view, view.text_queries()) if view.find_model() else None
    if embeddings is None:
        return
    order = {each.record.path: position for position, each in enumerate(memories)}
    found = embeddings.find_similar_paths(order.keys(), MIN_COSINE, MAX_NEIGHBOURS)
    for one, other, cosine in sorted(found, key=lambda each: (-each[2], each[:2])):
        if frozenset((one, other)) not in known:
            earlier, later = sorted((order[one], order[other]))
            yield MemoryPair(memories[earlier], memories[later], round(cosine, 4), "vectors")
