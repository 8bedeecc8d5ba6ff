"""The terms of a tree, those of its atoms and of its pages, to correct queries."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.fts5_vocabulary import page_vocabulary
from cortexfs.catalog.full_text_backend import open_full_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.core.find.correct_terms import Vocabulary


def open_vocabulary(catalog: Catalog, *, with_pages: bool) -> Vocabulary:
    """Return the terms of the atoms, or of atoms and pages; both indexes must be up to date."""
    atoms = catalog.full_text or open_full_text(catalog)
    pages = page_vocabulary(catalog.db)
    return JointVocabulary((atoms, pages)) if with_pages else atoms


class JointVocabulary(NamedTuple):
    """The terms of several indexes."""

    parts: tuple[Vocabulary, ...]

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that a text has."""
        every = list(terms)
        return set().union(*(part.find_terms(every) for part in self.parts))

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that texts have, each with about their number."""
        every, counts = list(candidates), Counter[str]()
        for part in self.parts:
            counts.update(part.count_candidates(every, limit))
        return dict(islice(((term, counts[term]) for term in every if term in counts), limit))

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted texts."""
        terms = {term for part in self.parts for term in part.list_terms(prefix, limit)}
        return sorted(terms, key=lambda term: (len(term), term))[:limit]
