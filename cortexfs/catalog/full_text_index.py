"""The protocol of a full-text index: that of SQLite, and that for large trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.find.count_terms import WeightedText
    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.find.parse_query import Query
    from cortexfs.core.find.score_texts import TextStatistics


class FullTextIndex(Protocol):
    """An index of the text fields of atoms by document number.

    `prepare` and `replace_texts` are called within the catalog's write transaction,
    `replace_texts` last.
    """

    name: ClassVar[str]
    """The name shown to users."""
    batch_size: ClassVar[int]
    """Number of texts per transaction: the most that a killed process loses."""

    def prepare(self) -> None:
        """Make the index agree with the catalog; a new index marks every text as waiting."""

    def replace_texts(
        self, removed: Iterable[int], texts: Iterable[tuple[int, IndexedFields]]
    ) -> None:
        """Remove some atoms, then add others that are not in the index."""

    @property
    def is_ready(self) -> bool:
        """Whether the index agrees with the catalog."""

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of atoms with each term, up to the limit for common terms."""

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that an atom has."""

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that atoms have, each with about their number."""

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted atoms."""

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Return the document numbers of the best matches with their scores; higher is better."""

    def read_statistics(self, searched: Iterable[str]) -> TextStatistics:
        """Return what scores depend on besides the text: see `core.find.score_texts`."""

    def read_weighted_texts(self, docs: Sequence[int]) -> Iterator[tuple[int, WeightedText]]:
        """Yield the weighted texts of some atoms, in their order; unknown ones are missing."""
