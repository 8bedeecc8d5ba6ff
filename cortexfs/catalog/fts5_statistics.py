"""What FTS5 knows of all texts together: their number, their mean length, how many have a term."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.catalog.schema import read_data_version

if TYPE_CHECKING:
    from sqlite3 import Connection

    from cortexfs.catalog.fts5_postings import KnownPostings

MAX_KNOWN_TERMS = 10_000
"""Maximum number of terms whose frequency is kept in memory."""
MAX_KNOWN_LENGTHS = 20_000
"""Maximum number of texts whose length is kept in memory."""
_AVERAGES_SQL = "SELECT block FROM words_data WHERE id = 1"
"""The record from which SQLite computes its own BM25: number of rows, terms of each column."""
_CONTINUES, _LOW_BITS = 0x80, 0x7F


class KnownStatistics:
    """The statistics of a full-text index, kept while the catalog does not change."""

    def __init__(self, postings: KnownPostings) -> None:
        self.postings = postings
        self.cache_key = (-1, -1)
        self.averages: tuple[int, float] | None = None
        self.frequencies: dict[str, int] = {}
        """The number of texts with a term, a prefix or a phrase."""
        self.lengths: dict[int, int] = {}
        """The lengths of texts in terms."""

    def forget_if_changed(self, db: Connection) -> None:
        """Forget everything if the catalog has changed."""
        now = (read_data_version(db), db.total_changes)
        if now != self.cache_key or len(self.frequencies) > MAX_KNOWN_TERMS:
            self.cache_key, self.averages = now, None
            self.frequencies.clear()
            self.lengths.clear()
            self.postings.forget()
        if len(self.lengths) > MAX_KNOWN_LENGTHS:
            self.lengths.clear()

    def read_averages(self, db: Connection) -> tuple[int, float]:
        """Return the number of texts, and their mean length in terms."""
        if self.averages is None:
            row = db.execute(_AVERAGES_SQL).fetchone()
            text_count, *totals = [*_parse_varints(bytes(row[0]) if row else b""), 0]
            self.averages = text_count, sum(totals) / max(text_count, 1)
        return self.averages


def _parse_varints(block: bytes) -> list[int]:
    """Return the numbers in a record of SQLite: seven bits a byte, the highest first."""
    numbers, value = list[int](), 0
    for byte in block:
        value = value << 7 | byte & _LOW_BITS
        if not byte & _CONTINUES:
            numbers.append(value)
            value = 0
    return numbers
