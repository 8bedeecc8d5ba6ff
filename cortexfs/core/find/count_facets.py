"""Count what a list can be narrowed to: its facets, and the values that are chosen of each.

A cell is what its things have in common: a named tuple with a field for each facet.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    Chosen = Mapping[str, Collection[str]]
    """The values that are chosen of each facet; none means any."""
    FacetCounts = Mapping[str, Sequence[tuple[str, int]]]
    """The values of each facet with their numbers, the most frequent first."""

CellT = TypeVar("CellT")


def has_chosen(cell: object, chosen: Chosen, without: str = "") -> bool:
    """Return whether a cell has a chosen value of each facet, but for one that does not count."""
    return all(
        not values or facet == without or getattr(cell, facet) in values
        for facet, values in chosen.items()
    )


def count_chosen(cells: Mapping[CellT, int], chosen: Chosen) -> int:
    """Return how many things are chosen."""
    return sum(count for cell, count in cells.items() if has_chosen(cell, chosen))


def count_facets(cells: Mapping[CellT, int], chosen: Chosen) -> FacetCounts:
    """Return what each facet has.

    The counts of a facet leave out its own choice: they say what another choice would give.
    """
    return {facet: _count_facet(cells, chosen, facet) for facet in chosen}


def choose_one(request: object, facets: Collection[str]) -> Chosen:
    """Return what a request with a value for each facet has chosen; an empty one is any."""
    values = {facet: getattr(request, facet) for facet in facets}
    return {facet: (value,) if value else () for facet, value in values.items()}


def _count_facet(cells: Mapping[CellT, int], chosen: Chosen, facet: str) -> list[tuple[str, int]]:
    counts = Counter[str]()
    for cell, count in cells.items():
        if has_chosen(cell, chosen, facet):
            counts[getattr(cell, facet)] += count
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))
