"""The texts with each of some terms, kept in memory for terms that are searched repeatedly.

FTS5 looks up each text with a term of a query, to compute its score: most of the time of a search.
The score of a text is the sum of its scores for the terms, so those can be kept, term by term.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

POSTINGS_PER_ATOM = 20
"""Number of postings, of 16 bytes each, for each atom of which anything is kept."""


class Postings(NamedTuple):
    """The texts with a term, and the score of each for this term alone."""

    docs: array[int]
    scores: array[float]

    @classmethod
    def from_hits(cls, hits: Iterable[tuple[int, float]]) -> Postings:
        """Return some texts with their scores in two arrays."""
        docs, scores = [*zip(*hits, strict=True)] or ((), ())
        return cls(array("q", docs), array("d", scores))


@dataclass(slots=True, eq=False)
class KnownPostings:
    """The postings of terms that were searched before: to read them takes longer than a search."""

    max_count: int
    by_term: dict[str, Postings] = field(default_factory=dict)
    searched: set[str] = field(default_factory=set)
    count: int = 0
    """The number of postings of all terms together."""

    def read(
        self, terms: Sequence[str], search: Callable[[str], Iterable[tuple[int, float]]]
    ) -> list[Postings]:
        """Return the postings of some terms; none unless all of them were searched before."""
        if self.count > self.max_count:
            self.forget()
        if not self.searched.issuperset(terms):
            self.searched.update(terms)
            return []
        return [self.by_term.get(term) or self._add(term, search(term)) for term in terms]

    def forget(self) -> None:
        """Forget everything."""
        self.by_term.clear()
        self.searched.clear()
        self.count = 0

    def _add(self, term: str, hits: Iterable[tuple[int, float]]) -> Postings:
        added = self.by_term[term] = Postings.from_hits(hits)
        self.count += len(added.docs)
        return added


def add_scores(every: Sequence[Postings], limit: int) -> list[tuple[int, float]]:
    """Return the texts with the highest sums of scores; of equal ones those added first."""
    totals: dict[int, float] = dict(zip(*every[0], strict=True)) if every else {}
    for docs, scores in every[1:]:
        for doc, score in zip(docs, scores, strict=True):
            totals[doc] = totals.get(doc, 0.0) + score
    hits: Iterable[tuple[int, float]] = totals.items()
    if len(totals) > limit:
        least = sorted(totals.values())[-limit]
        hits = [hit for hit in hits if hit[1] >= least]
    return sorted(sorted(hits), key=itemgetter(1), reverse=True)[:limit]
