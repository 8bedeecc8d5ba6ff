"""Divide a budget of tokens among the parts of a prompt, and take as many items as fit."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Measure = Callable[[str], int]
    """Returns the tokens of a text."""

_PartT = TypeVar("_PartT", bound=str)

LEAST_TOKENS = 16
"""Tokens below which no beginning of a text is worth its place."""
ELLIPSIS = " …"


class FittedItems(NamedTuple):
    """The items that fit, in their order, and the tokens that they take."""

    items: tuple[str, ...]
    tokens: int


_ROUNDING = 1e-9
"""More than what a product of real numbers can be too small."""


def divide_budget(
    budget: int, shares: Mapping[_PartT, float], demands: Mapping[_PartT, int]
) -> dict[_PartT, int]:
    """Return the tokens of each part that asks for some; what one does not need others get.

    `shares` are relative; `demands` are the tokens that each part would like to have.
    """
    given = dict.fromkeys(demands, 0)
    hungry = {part for part, wanted in demands.items() if wanted > 0 and shares.get(part, 0) > 0}
    left = max(0, budget)
    while hungry and left > 0:
        total = sum(shares[part] for part in hungry)
        portions = {part: int(left * shares[part] / total + _ROUNDING) for part in sorted(hungry)}
        fed = {part for part in hungry if given[part] + portions[part] >= demands[part]}
        for part in fed or hungry:
            more = min(portions[part], demands[part] - given[part])
            given[part] += more
            left -= more
        if not fed:
            break
        hungry -= fed
    return given


def fit_items(
    items: Sequence[str], limit: int, measure: Measure, *, heading: str = ""
) -> FittedItems:
    """Return the first items that fit into a limit, with their heading; a long one is cut.

    The heading takes part of the limit; without any item there is none.
    """
    head = measure(heading) + 1 if heading else 0
    used, taken = head, list[str]()
    for item in items:
        size = measure(item) + 1
        if used + size > limit:
            cut = shorten(item, limit - used - 1, measure)
            if cut:
                taken.append(cut)
                used += measure(cut) + 1
            break
        taken.append(item)
        used += size
    if not taken:
        return FittedItems((), 0)
    return FittedItems((heading, *taken) if heading else tuple(taken), used)


def shorten(text: str, limit: int, measure: Measure) -> str:
    """Return the beginning of a text that has at most `limit` tokens; empty if it says nothing."""
    if limit < LEAST_TOKENS:
        return ""
    if measure(text) <= limit:
        return text
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if measure(" ".join(words[:middle]) + ELLIPSIS) <= limit:
            low = middle
        else:
            high = middle - 1
    cut = " ".join(words[:low]).rstrip(" ,;:")
    return f"{cut}{ELLIPSIS}" if cut else ""
