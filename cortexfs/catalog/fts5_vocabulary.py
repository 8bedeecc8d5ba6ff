"""The terms of a full-text index of SQLite, in a table of their own.

A lookup there takes 1 µs; one in the index takes 10 when it has several segments, and the index
reads all places of each term that begins with a prefix. Terms of deleted texts stay in the table,
so what is found there is looked up in the index too.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from sqlite3 import Connection

    from cortexfs.core.find.indexed_fields import IndexedFields

MAX_TERM_COUNT = 1000
"""Number of texts from which a term counts as common."""
MAX_COUNTED_TERMS = 100
"""Maximum number of terms with the same beginning whose texts are counted: the shortest."""
_AFTER_ALL = "\U0010ffff"
"""A character after all others: a beginning and this is after all terms with that beginning."""


class Fts5Vocabulary(NamedTuple):
    """The terms of an index."""

    db: Connection
    full_text: str
    """The table of the index."""
    table: str
    """The table of its terms."""

    def add_texts(self, texts: Iterable[IndexedFields]) -> None:
        """Add the terms of texts."""
        terms = set[str]()
        for fields in texts:
            for part in fields:
                terms.update(part.split())
        sql = f"INSERT OR IGNORE INTO {self.table} SELECT value FROM json_each(?)"  # noqa: S608 - our own name
        self.db.execute(sql, (json.dumps(sorted(terms)),))

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of texts with each term, at most `MAX_TERM_COUNT`."""
        return {term: self._count_texts(term, MAX_TERM_COUNT) for term in terms}

    def find_terms(self, candidates: Collection[str]) -> set[str]:
        """Return those of some terms that a text has."""
        sql = f"SELECT term FROM json_each(?) CROSS JOIN {self.table} ON term = value"  # noqa: S608
        rows = self.db.execute(sql, (json.dumps(list(candidates)),))
        return {term for (term,) in rows if self._count_texts(term, 1)}

    def complete_term(self, prefix: str, limit: int) -> list[str]:
        """Return terms that begin with a prefix: those in most texts first, then the longest."""
        sql = (
            f"SELECT term FROM {self.table} WHERE term >= ? AND term < ?"  # noqa: S608 - our own name
            " ORDER BY length(term), term LIMIT ?"
        )
        values = (prefix, prefix + _AFTER_ALL, max(limit, MAX_COUNTED_TERMS))
        terms = [term for (term,) in self.db.execute(sql, values)]
        counts = self.count_terms(terms[:MAX_COUNTED_TERMS])
        counted = sorted(filter(counts.get, counts), key=lambda term: (-counts[term], term))
        return [*counted, *terms[MAX_COUNTED_TERMS:]][:limit]

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
