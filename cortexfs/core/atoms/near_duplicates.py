"""Find near-duplicates of a new atom by the words of summary and tags."""

from __future__ import annotations

import re
from heapq import nsmallest
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Shingle = str | tuple[str, str]

MIN_SIMILARITY = 0.4
"""The similarity from which two atoms are near-duplicates, from 0 to 1.

In the sample tree no two atoms of a kind reach it: the most similar, an experiment and its
successor, have 0.39, the most similar unrelated atoms 0.20; the same summary in other words has
0.55 and more."""
MAX_DUPLICATES = 3
"""Maximum number of near-duplicates returned."""

_WORD = re.compile(r"[^\W_]+(?:[.,]\d+)?")
_STOP_WORDS = frozenset(
    {"a", "an", "and", "are", "as", "at", "be", "by", "for", "from", "in", "is", "it", "its", "no"}
    | {"not", "of", "on", "one", "or", "than", "that", "the", "this", "to", "was", "with"}
)


class AtomSummary(NamedTuple):
    """The compared parts of an atom: its ref, summary and tags."""

    ref: str
    summary: str
    tags: Sequence[str] = ()


class NearDuplicate(NamedTuple):
    """A near-duplicate, with its similarity from 0 (nothing in common) to 1 (the same)."""

    ref: str
    summary: str
    similarity: float


def find_near_duplicates(
    new: AtomSummary, present: Iterable[AtomSummary]
) -> tuple[NearDuplicate, ...]:
    """Return the near-duplicates among the present atoms, the most similar first."""
    shingles = make_shingles(new)
    every = (
        NearDuplicate(
            atom.ref,
            atom.summary,
            round(_compute_similarity(shingles, make_shingles(atom)), 2),
        )
        for atom in present
    )
    similar = (each for each in every if each.similarity >= MIN_SIMILARITY)
    return tuple(nsmallest(MAX_DUPLICATES, similar, key=lambda each: (-each.similarity, each.ref)))


def make_shingles(atom: AtomSummary) -> set[Shingle]:
    """Return the words of a summary, its pairs of adjacent words, and the tags."""
    words = [word for word in _WORD.findall(atom.summary.casefold()) if word not in _STOP_WORDS]
    return {*words, *pairwise(words), *(("#", tag) for tag in atom.tags)}


def _compute_similarity(one: set[Shingle], other: set[Shingle]) -> float:
    """Return Dice's coefficient of two sets, from 0 to 1: `2 |A & B| / (|A| + |B|)`."""
    return 2 * len(one & other) / (len(one) + len(other) or 1)
