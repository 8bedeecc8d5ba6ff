"""Tell which atoms say nearly the same as a new one: by the words of summary and tags."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Shingle = str | tuple[str, str]

MIN_SIMILARITY = 0.4
"""From here on two atoms are near. In the sample tree no two of a kind are: the nearest, an
experiment and its heir, have 0.39, the nearest strangers 0.20; the same summary in other words
has 0.55 and more."""
MAX_DUPLICATES = 3
"""So many are named."""

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)?")
_FILLING = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "no"}
    | {"not", "of", "on", "one", "or", "than", "that", "the", "this", "to", "was", "with"}
)


class AtomSummary(NamedTuple):
    """What an atom says of itself: its ref, summary and tags."""

    ref: str
    summary: str
    tags: Sequence[str] = ()


class NearDuplicate(NamedTuple):
    """An atom that says nearly the same, from 0 (nothing alike) to 1 (the same)."""

    ref: str
    summary: str
    similarity: float


def find_near_duplicates(
    new: AtomSummary, present: Iterable[AtomSummary]
) -> tuple[NearDuplicate, ...]:
    """Give the present atoms that say nearly the same, the nearest first."""
    wanted = make_shingles(new)
    found = [
        NearDuplicate(said.ref, said.summary, likeness)
        for said in present
        if (likeness := round(_dice(wanted, make_shingles(said)), 2)) >= MIN_SIMILARITY
    ]
    return tuple(sorted(found, key=lambda near: (-near.similarity, near.ref))[:MAX_DUPLICATES])


def make_shingles(said: AtomSummary) -> set[Shingle]:
    """Give the words of a summary, each two that follow one another, and the tags."""
    words = [word for word in _WORD.findall(said.summary.casefold()) if word not in _FILLING]
    return {*words, *pairwise(words), *(("#", tag) for tag in said.tags)}


def _dice(one: set[Shingle], other: set[Shingle]) -> float:
    """Count what two sets share, against what they hold (Dice's coefficient)."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)
