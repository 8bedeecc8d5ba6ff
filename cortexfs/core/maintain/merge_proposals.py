"""Proposals to merge two similar memories: somebody accepts or rejects each of them."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.reviewed_field import Review, parse_review
from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
from cortexfs.core.maintain.normalize_text import normalize_text
from cortexfs.core.maintain.text_differences import TextDifferences, find_text_differences
from cortexfs.core.memory.memory_record import number_from_id
from cortexfs.core.patterns.pattern_text import is_own_origin

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.memory.memory_record import MemoryRecord

MAX_PROPOSALS = 100
"""Maximum number of proposals that are shown at once."""
ID_DIGITS = 10
"""Hexadecimal digits of the id of a proposal."""
NEVER_PROPOSED_TYPES = frozenset({"session_summary"})
"""Types whose memories follow one template, and are similar for that reason."""


class ProposalKind(StrEnum):
    """How the later memory of a proposal seems to relate to the earlier one."""

    SAME = "same fact"
    NEWER = "newer replaces older"
    CONTRADICTS = "contradicts"


class MemoryPair(NamedTuple):
    """Two similar memories, the earlier one first, and how that was found."""

    earlier: WeighedMemory
    later: WeighedMemory
    similarity: float
    found_by: str


class MergeProposal(NamedTuple):
    """Two memories that may be merged; `merge` is what accepting it does."""

    id: str
    kind: ProposalKind
    pair: MemoryPair
    differences: tuple[str, ...]
    merge: MemoryMerge


def make_comparable_text(memory: MemoryRecord) -> str:
    """Return the text of a memory that is compared with others."""
    return f"{memory.title}\n{memory.content}"


def sort_by_age(memories: Iterable[WeighedMemory]) -> list[WeighedMemory]:
    """Return the memories that may be proposed, the oldest first.

    Observations about patterns follow one template, too, and a later run updates each of them.
    """
    proposable = (
        each
        for each in memories
        if each.record.type not in NEVER_PROPOSED_TYPES and not is_own_origin(each.record.origin)
    )
    return sorted(proposable, key=lambda each: (each.record.created, each.record.number))


class OpenPair(NamedTuple):
    """A pair that is proposed, and the id of its proposal."""

    proposal_id: str
    pair: MemoryPair


def list_open_pairs(
    pairs: Iterable[MemoryPair], merging: Collection[frozenset[int]] = ()
) -> Iterator[OpenPair]:
    """Yield the pairs that are proposed, in their order.

    Left out are pairs that are related already, that were rejected with the same texts, or that
    are merged by rule (`merging`, by their numbers).
    """
    compute_digest = cache(_compute_digest)  # a memory may be in several pairs
    for pair in pairs:
        one, other = pair.earlier.record, pair.later.record
        if frozenset((one.number, other.number)) in merging or _are_related(one, other):
            continue
        proposal_id = _make_id(
            *((each.number, compute_digest(each.title, each.content)) for each in (one, other))
        )
        if not _is_rejected(proposal_id, (*pair.earlier.reviewed, *pair.later.reviewed)):
            yield OpenPair(proposal_id, pair)


def make_proposal_id(one: MemoryRecord, other: MemoryRecord) -> str:
    """Return the id of a pair: it changes with a text, and not with the order or the project."""
    return _make_id(
        *((each.number, _compute_digest(each.title, each.content)) for each in (one, other))
    )


def _make_id(*numbers_and_digests: tuple[int, str]) -> str:
    text = "|".join(f"{number}:{digest}" for number, digest in sorted(numbers_and_digests))
    return hashlib.blake2b(text.encode(), digest_size=ID_DIGITS // 2).hexdigest()


def make_rejection(proposal: MergeProposal, day: str) -> tuple[str, ...]:
    """Return the field `reviewed` of the later memory with the rejection of a proposal."""
    cited, items = proposal.pair.earlier.record.ref, proposal.pair.later.reviewed
    kept = [item for item in items if not ((old := parse_review(item)) and old.cited == cited)]
    return (*kept, str(Review(cited, day, proposal.id)))


def _compute_digest(title: str, content: str) -> str:
    text = "\n".join(map(normalize_text, (title, content)))
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _are_related(one: MemoryRecord, other: MemoryRecord) -> bool:
    return any(
        number_from_id(relation.ref.rpartition("/")[2]) == target.number
        for source, target in ((one, other), (other, one))
        for relation in source.relations
    )


def _is_rejected(proposal_id: str, items: Sequence[str]) -> bool:
    return any(review and review.mark == proposal_id for review in map(parse_review, items))


def make_proposal(proposal_id: str, pair: MemoryPair) -> MergeProposal:
    """Return the proposal of a pair: what differs, and what a merge would be."""
    texts = (make_comparable_text(each.record) for each in (pair.earlier, pair.later))
    found = find_text_differences(*texts)
    kind = _choose_kind(found)
    is_later_kept = kind is not ProposalKind.SAME or (
        pair.later.importance >= pair.earlier.importance
    )
    order = (pair.later, pair.earlier) if is_later_kept else (pair.earlier, pair.later)
    merge = MemoryMerge(order[0], (order[1],), is_same=kind is ProposalKind.SAME)
    return MergeProposal(proposal_id, kind, pair, found.lines, merge)


def _choose_kind(found: TextDifferences) -> ProposalKind:
    if found.is_negated:
        return ProposalKind.CONTRADICTS
    return ProposalKind.NEWER if found.is_replaced else ProposalKind.SAME
