"""Relations in the order of their rank, of which some are replaced with each message."""

from __future__ import annotations

from bisect import bisect_left, insort
from typing import TYPE_CHECKING

from cortexfs.core.stories.relations.relation import rank

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.relations.relation import Rank, Relation

_MANY = 500
"""Relations that change at once from which all are put in order anew."""


class RankedRelations:
    """Relations, no two of the same rank."""

    def __init__(self) -> None:
        self._ranked: list[tuple[Rank, Relation]] = []

    def replace(self, before: Sequence[Relation], after: Sequence[Relation]) -> None:
        """Take some out, and put others in."""
        if len(before) + len(after) > _MANY:
            gone = set(map(rank, before))
            kept = (each for each in self._ranked if each[0] not in gone)
            new = ((rank(each), each) for each in after)
            self._ranked = sorted((*kept, *new), key=_get_rank)
            return
        for each in before:
            del self._ranked[bisect_left(self._ranked, rank(each), key=_get_rank)]
        for each in after:
            insort(self._ranked, (rank(each), each), key=_get_rank)

    def list_first(self, count: int) -> list[Relation]:
        """Return the first ones."""
        return [relation for _, relation in self._ranked[:count]]


def _get_rank(ranked: tuple[Rank, Relation]) -> Rank:
    return ranked[0]
