"""Pairs of texts that may say the same, by their words alone.

Similarity is the cosine of the texts' stems, weighted by how rare they are. Only texts that share
rare stems are compared, so that ten thousand take seconds.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from heapq import nlargest, nsmallest
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.stop_words import load_stop_words
from cortexfs.core.find.tokenize import tokenize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

MAX_NEIGHBOURS = 10
"""Maximum number of earlier texts that are returned for one text."""
MAX_PAIRS = 5_000
"""Maximum number of pairs that are returned: of a thousand copies there are half a million."""
MAX_STEMS = 400
"""Maximum number of distinct stems of a text that are compared."""
MIN_STEMS = 3
"""Texts with fewer stems are not compared."""

_RARE_STEMS = 12
"""The rarest stems of a text, by which others are found."""
_MAX_SHARING = 64
"""Maximum number of earlier texts that are looked up by one stem: the latest."""
_MAX_COMPARED = 24
"""Maximum number of texts that one text is compared with: those that share most."""
_SMOOTHING = 100
"""Texts that are assumed beside the given ones: in a small tree each word would be common."""


class SimilarTexts(NamedTuple):
    """The positions of two texts, the earlier one first, and their similarity from 0 to 1."""

    earlier: int
    later: int
    similarity: float


class _WeighedStems(NamedTuple):
    """The stems of one text, and the length of its vector."""

    stems: frozenset[str]
    length: float


def find_similar_texts(texts: Sequence[str], threshold: float) -> list[SimilarTexts]:
    """Return the pairs of a similarity from `threshold` on, the `MAX_PAIRS` most similar first."""
    stems = [_list_stems(text) for text in texts]
    weigh = _make_weights(stems)
    weighed = [_WeighedStems(each, math.sqrt(sum(weigh(s) ** 2 for s in each))) for each in stems]
    found = (
        pair
        for later, earlier in _iter_candidates(stems, weigh)
        for pair in _choose_neighbours(weighed, weigh, later, earlier, threshold)
    )
    return nsmallest(
        MAX_PAIRS, found, key=lambda pair: (-pair.similarity, pair.later, pair.earlier)
    )


def _list_stems(text: str) -> frozenset[str]:
    words = dict.fromkeys(tokenize(text).words.split())
    stop_words = load_stop_words()
    return frozenset(islice((word for word in words if word not in stop_words), MAX_STEMS))


def _make_weights(stems: Sequence[frozenset[str]]) -> Callable[[str], float]:
    """Return the function from a stem to its weight: the rarer, the higher."""
    counts = Counter(stem for each in stems for stem in each)
    total = len(stems) + _SMOOTHING
    weights = {stem: math.log(1 + total / (1 + count)) for stem, count in counts.items()}
    return weights.__getitem__


def _iter_candidates(
    stems: Sequence[frozenset[str]], weigh: Callable[[str], float]
) -> Iterator[tuple[int, list[int]]]:
    """Yield each text with the earlier texts that share most of its rarest stems."""
    sharing: dict[str, list[int]] = defaultdict(list)
    for position, own in enumerate(stems):
        if len(own) < MIN_STEMS:
            continue
        shared: Counter[int] = Counter()
        for stem in nlargest(_RARE_STEMS, own, key=lambda stem: (weigh(stem), stem)):
            weight = weigh(stem) ** 2
            for other in sharing[stem][-_MAX_SHARING:]:
                shared[other] += weight  # type: ignore[assignment]
        yield position, [other for other, _ in shared.most_common(_MAX_COMPARED)]
        for stem in own:
            sharing[stem].append(position)


def _choose_neighbours(
    weighed: Sequence[_WeighedStems],
    weigh: Callable[[str], float],
    later: int,
    candidates: Sequence[int],
    threshold: float,
) -> list[SimilarTexts]:
    """Return the most similar of some earlier texts, if they are similar enough."""
    own = weighed[later]
    pairs = []
    for earlier in candidates:
        other = weighed[earlier]
        shared = sum(weigh(stem) ** 2 for stem in own.stems & other.stems)
        similarity = round(shared / (own.length * other.length), 4)
        if similarity >= threshold:
            pairs.append(SimilarTexts(earlier, later, min(similarity, 1.0)))
    return nlargest(MAX_NEIGHBOURS, pairs, key=lambda pair: (pair.similarity, -pair.earlier))
