"""The texts with each of some terms, kept in memory for terms that are searched repeatedly.

FTS5 looks up each text with a term of a query, to compute its score: most of the time of a search.
The score of a text is the sum of its scores for the terms, so those can be kept, term by term.
"""

from __future__ import annotations

from array import array
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

POSTINGS_PER_ATOM = 20
"""Number of postings, of 16 bytes each, for each atom of which anything is kept."""


USUAL_LIMIT = 100
"""The number of best matches up to which texts without a chance are left out early."""


class Postings(NamedTuple):
    """The texts with a term, and the score of each for this term alone."""

    docs: array[int]
    scores: array[float]
    least: float
    """The score that `USUAL_LIMIT` of the texts reach; 0 if there are fewer texts."""

    @classmethod
    def from_hits(cls, hits: Iterable[tuple[int, float]]) -> Postings:
        """Return some texts with their scores in two arrays."""
        docs, scores = [*zip(*hits, strict=True)] or ((), ())
        least = sorted(scores)[-USUAL_LIMIT] if len(scores) >= USUAL_LIMIT else 0.0
        return cls(array("q", docs), array("d", scores), least)


class KnownPostings:
    """The postings of terms that were searched before: to read them takes longer than a search."""

    def __init__(self, max_count: int) -> None:
        self.max_count = max_count
        self.by_term: dict[str, Postings] = {}
        self.searched: set[str] = set()
        self.count = 0
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
    """Return the texts with the highest sums of scores, best first.

    Most texts have only the most common term: of those, only the best are considered.
    """
    *others, longest = sorted(every, key=lambda each: len(each.docs))
    least = max(each.least for each in every) if limit <= USUAL_LIMIT else 0.0
    totals = dict(zip(others[0].docs, others[0].scores, strict=True)) if others else {}
    for each in others[1:]:
        for doc, score in zip(each.docs, each.scores, strict=True):
            totals[doc] = totals.get(doc, 0.0) + score
    pairs = zip(longest.docs, longest.scores, strict=True)
    for doc, score in [pair for pair in pairs if pair[1] >= least or pair[0] in totals]:
        totals[doc] = totals.get(doc, 0.0) + score
    best = [hit for hit in totals.items() if hit[1] >= least]
    best.sort(key=itemgetter(0))
    return sorted(best, key=itemgetter(1), reverse=True)[:limit]
