"""The terms of a full-text index of SQLite, in a table of their own.

A lookup there takes 1 µs; one in the index takes 10 when it has several segments, and the index
reads all places of each term that begins with a prefix. Terms of deleted texts stay in the table,
so what is found there is looked up in the index too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from sqlite3 import Connection

MAX_TERM_COUNT = 1000
"""Number of texts from which a term counts as common."""
_AFTER_ALL = "\U0010ffff"
"""A character after all others: a beginning and this is after all terms with that beginning."""


class Fts5Vocabulary(NamedTuple):
    """The terms of an index."""

    db: Connection
    full_text: str
    """The table of the index."""
    table: str
    """The table of its terms."""

    def is_empty(self) -> bool:
        """Return whether no text was added yet."""
        return not self.db.execute(f"SELECT EXISTS (SELECT 1 FROM {self.table})").fetchone()[0]  # noqa: S608 - our own name

    def add_terms(self, terms: Iterable[str]) -> None:
        """Add terms of new texts."""
        sql = f"INSERT OR IGNORE INTO {self.table} SELECT value FROM json_each(?)"  # noqa: S608 - our own name
        self.db.execute(sql, (json.dumps(sorted(terms)),))

    def copy_index(self) -> None:
        """Add all terms of the index; of many texts at once a quarter of the time."""
        self.db.execute(
            f"CREATE VIRTUAL TABLE temp.indexed USING fts5vocab(main, {self.full_text}, row)"
        )
        self.db.execute(f"INSERT OR IGNORE INTO {self.table} SELECT term FROM indexed")  # noqa: S608 - our own name
        self.db.execute("DROP TABLE temp.indexed")

    def list_known(self, candidates: Iterable[str]) -> list[str]:
        """Return those of some terms that a text has or had, in order."""
        sql = f"SELECT term FROM json_each(?) CROSS JOIN {self.table} ON term = value"  # noqa: S608
        return [term for (term,) in self.db.execute(sql, (json.dumps(list(candidates)),))]

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that a text has."""
        return {term for term in self.list_known(terms) if self._count_texts(term, 1)}

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that texts have, each with their number."""
        counts = {
            term: self._count_texts(term, MAX_TERM_COUNT)
            for term in self.list_known(candidates)[:limit]
        }
        return {term: count for term, count in counts.items() if count}

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted texts."""
        sql = (
            f"SELECT term FROM {self.table} WHERE term >= ? AND term < ?"  # noqa: S608 - our own name
            " ORDER BY length(term), term LIMIT ?"
        )
        return [term for (term,) in self.db.execute(sql, (prefix, prefix + _AFTER_ALL, limit))]

    def _count_texts(self, term: str, limit: int) -> int:
        sql = (
            f"SELECT count(*) FROM (SELECT 1 FROM {self.full_text} WHERE {self.full_text} MATCH ?"  # noqa: S608
            " LIMIT ?)"
        )
        quoted = term.replace('"', "")
        return int(self.db.execute(sql, (f'"{quoted}"', limit)).fetchone()[0])


def atom_vocabulary(db: Connection) -> Fts5Vocabulary:
    """Return the terms of the atoms."""
    return Fts5Vocabulary(db, "words", "terms")


def page_vocabulary(db: Connection) -> Fts5Vocabulary:
    """Return the terms of the pages."""
    return Fts5Vocabulary(db, "page_words", "page_terms")
