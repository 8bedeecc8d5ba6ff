"""The words of a tree in SQLite's own full text: what is found, and how well it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cortexfs.catalog.schema import FULL_TEXT_STATEMENT, insert_rows
from cortexfs.catalog.search_filters import format_sql_conditions
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.indexed_fields import IndexedFields
    from cortexfs.core.find.parse_query import Query

_ADD = "INSERT INTO words (rowid, title, tags, headings, body, names) VALUES (?, ?, ?, ?, ?, ?)"
_FIND = "SELECT words.rowid, -rank AS score FROM words"
"""`ORDER BY rank` would reckon each rank twice: once to sort, and again to tell it."""
_SET = "INSERT INTO words (words, rank) VALUES (?, ?)"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
MAX_TERM_COUNT = 1000
"""From so many atoms on a term says nothing of one."""
HASH_TABLE_BYTES = 64 << 20
"""Bytes that are gathered before they are written: fewer parts, which are to be merged later."""
_FILTERED = " CROSS JOIN texts ON doc = words.rowid"
"""The engine has each atom that fits looked up: see `catalog.search_filters` for when not to."""


@dataclass(frozen=True, slots=True)
class Fts5Index:
    """Full text within the catalog: transactional with all else that it knows."""

    db: Connection

    name: ClassVar[str] = "SQLite"
    batch_size: ClassVar[int] = 10_000

    @property
    def is_ready(self) -> bool:
        """Tell whether there is a full text yet."""
        (count,) = self.db.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'words'"
        ).fetchone()
        return bool(count)

    def prepare(self) -> None:
        """Make the table where there is none yet, for every text to be taken into it."""
        if not self.is_ready:
            self.db.execute(FULL_TEXT_STATEMENT)
            weighed = f"bm25({', '.join(FIELD_WEIGHTS)})"
            self.db.execute(_SET, ("rank", weighed))
            self.db.execute(_SET, ("hashsize", HASH_TABLE_BYTES))
            self.db.execute("DELETE FROM about WHERE key = 'large'")
            insert_rows(self.db, "waiting", self.db.execute("SELECT path FROM texts").fetchall())

    def replace_texts(
        self, gone: Iterable[int], texts: Iterable[tuple[int, IndexedFields]]
    ) -> None:
        """Forget some atoms, then take in those that are not in, or no longer."""
        self.db.executemany("DELETE FROM words WHERE rowid = ?", ((doc,) for doc in gone))
        self.db.executemany(_ADD, [(doc, *said) for doc, said in texts])

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Count the atoms that say each of some terms; from `COMMON` on it is no matter."""
        return {
            term: self.db.execute(_COUNT, (_quoted(term), MAX_TERM_COUNT)).fetchone()[0]
            for term in terms
        }

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Give the numbers of the atoms that fit best, with a score that is higher for better."""
        where, given = format_sql_conditions(query.filters)
        joined = _FILTERED if where else ""
        sql = f"{_FIND}{joined} WHERE words MATCH ?{where} ORDER BY score DESC LIMIT ?"
        return self.db.execute(sql, (format_match_query(query), *given, limit)).fetchall()


def format_match_query(query: Query) -> str:
    """Write a query for the engine; every token is quoted, so none is syntax."""
    wanted = _any([_quoted(term) for term in query.terms] + [_phrase(p) for p in query.phrases])
    needed = [_phrase(phrase) for phrase in query.phrases]
    said = " AND ".join([*needed, f"({wanted})"])
    if not query.excluded:
        return said
    return f"({said}) NOT ({_any([_phrase(phrase) for phrase in query.excluded])})"


def _any(said: Sequence[str]) -> str:
    return " OR ".join(said)


def _phrase(phrase: Sequence[str]) -> str:
    return _quoted(" ".join(phrase))


def _quoted(token: str) -> str:
    text = token.replace('"', "")
    return f'"{text}"{"*" if is_prefix_query(text) else ""}'


def is_prefix_query(text: str) -> bool:
    """Tell whether all is sought that begins so.

    A single letter of a script without spaces begins the pairs that it is in.
    """
    return len(text) == 1 and not text.isascii()
