"""Narrow rows by the values of their facets, and count what another choice would give."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from cortexfs.core.find.count_facets import FacetCounts

RowT = TypeVar("RowT")


class RowFacets(NamedTuple, Generic[RowT]):
    """The facets of rows of one type: their names, and what reads the values of one from a row.

    A filter has a field for each facet; an empty one is any.
    """

    names: Sequence[str]
    read_values: Callable[[RowT, str], Collection[str]]

    def select_rows(self, rows: Iterable[RowT], wanted: object) -> list[RowT]:
        """Return the rows that have the wanted value of each facet."""
        return list(self._iter_matching(rows, wanted))

    def count_values(self, rows: Sequence[RowT], wanted: object) -> FacetCounts:
        """Return what each facet has; its counts leave out its own condition."""
        return {name: self._count_one(rows, wanted, name) for name in self.names}

    def _count_one(self, rows: Sequence[RowT], wanted: object, name: str) -> list[tuple[str, int]]:
        matching = self._iter_matching(rows, wanted, name)
        counts = Counter(value for row in matching for value in self.read_values(row, name))
        return sorted(counts.items(), key=lambda each: (-each[1], each[0]))

    def _iter_matching(
        self, rows: Iterable[RowT], wanted: object, without: str = ""
    ) -> Iterator[RowT]:
        asked = {name: getattr(wanted, name) for name in self.names if name != without}
        needed = [(name, value) for name, value in asked.items() if value]
        for row in rows:
            if all(value in self.read_values(row, name) for name, value in needed):
                yield row
