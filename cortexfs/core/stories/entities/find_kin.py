"""Which names a text says are those of two relatives, who are not one person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_KINDS = frozenset({"parent", "child", "sibling", "lover"})
_SOURCES = frozenset({"possessive", "of"})
"""Of these, what says it in so many words: `Anne's father Walter`, `Anne, daughter of Walter`."""


def find_kin(ties: Iterable[str]) -> frozenset[str]:
    """Return pairs of forms of relatives, as "A|B" in alphabetical order.

    `ties`: the keys of what `read_relations` returns.
    """
    split = (tie.split("|") for tie in ties)
    return frozenset(
        "|".join(sorted((one, other)))
        for one, other, kind, source, _ in split
        if kind in _KINDS and source in _SOURCES
    )
