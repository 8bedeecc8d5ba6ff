"""Spread memories over the time of a story: one part of it does not crowd out the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    _ItemT = TypeVar("_ItemT")

MIN_WINDOW = 50
WINDOWS = 20
MAX_LAG = 0.15
"""How far the score of a second memory of a window may be below that of the first."""
PER_WINDOW = 2


def diversify(
    ranked: Sequence[_ItemT],
    messages: int,
    limit: int,
    place: Callable[[_ItemT], tuple[int, float]],
) -> list[_ItemT]:
    """Return the best items, best first; `place` returns message number and score of one.

    Of each window of messages two are taken at most, the second if it is nearly as good as the
    first. The others follow where too few are left.
    """
    window = max(MIN_WINDOW, messages // WINDOWS)
    best: dict[int, list[float]] = {}
    taken: list[_ItemT] = []
    later: list[_ItemT] = []
    for item in ranked:
        number, score = place(item)
        scores = best.setdefault(number // window, [])
        if scores and (len(scores) >= PER_WINDOW or score < scores[0] - MAX_LAG):
            later.append(item)
        else:
            scores.append(score)
            taken.append(item)
    return [*taken, *later][:limit]
