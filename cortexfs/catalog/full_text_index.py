"""The protocol of a full-text index: SQLite's own, and that for large trees."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.find.parse_query import Query


class FullTextIndex(Protocol):
    """What takes in the streams of atoms, each under a number, and finds them by their words.

    The first two are called within the catalog's write transaction, `replace` as the last.
    """

    name: ClassVar[str]
    """What a person calls it."""
    batch_size: ClassVar[int]
    """Texts of one transaction: what is killed has lost no more."""

    def prepare(self) -> None:
        """Agree with the catalog; what begins anew has every text wait to be taken in."""

    def replace_texts(
        self, gone: Iterable[int], texts: Iterable[tuple[int, IndexedFields]]
    ) -> None:
        """Forget some atoms, then take in those that are not in, or no longer."""

    @property
    def is_ready(self) -> bool:
        """Tell whether it agrees with the catalog."""

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Count the atoms that say each of some terms, up to what is common."""

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Give the numbers of the atoms that fit best, with a score that is higher for better."""
