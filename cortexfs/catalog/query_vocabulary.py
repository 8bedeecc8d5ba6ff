"""The terms of a tree, those of its atoms and of its pages, to correct queries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.fts5_vocabulary import page_vocabulary
from cortexfs.catalog.full_text_backend import open_full_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

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

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of texts with each term, at most the limit of each index."""
        counted = list(terms)
        counts = [part.count_terms(counted) for part in self.parts]
        return {term: sum(each[term] for each in counts) for term in counted}

    def find_terms(self, candidates: Collection[str]) -> set[str]:
        """Return those of some terms that a text has."""
        return set().union(*(part.find_terms(candidates) for part in self.parts))

    def complete_term(self, prefix: str, limit: int) -> list[str]:
        """Return terms that begin with a prefix: those in most texts of each index."""
        terms = (term for part in self.parts for term in part.complete_term(prefix, limit))
        return list(dict.fromkeys(terms))
