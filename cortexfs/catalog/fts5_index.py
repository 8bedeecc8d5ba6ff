"""The words of a tree in SQLite's own full text: what is found, and how well it fits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from cortexfs.catalog.schema import WORDS, insert
from cortexfs.catalog.search_filters import conditions
from cortexfs.core.find.indexed_fields import WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.indexed_fields import Streams
    from cortexfs.core.find.parse_query import Query

_ADD = "INSERT INTO words (rowid, title, tags, headings, body, names) VALUES (?, ?, ?, ?, ?, ?)"
_FIND = "SELECT words.rowid, -rank AS score FROM words"
"""`ORDER BY rank` would reckon each rank twice: once to sort, and again to tell it."""
_SET = "INSERT INTO words (words, rank) VALUES (?, ?)"
_COUNT = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
COMMON = 1000
"""From so many atoms on a term says nothing of one."""
GATHERED = 64 << 20
"""Bytes that are gathered before they are written: fewer parts, which are to be merged later."""
_FILTERED = " CROSS JOIN texts ON doc = words.rowid"
"""The engine has each atom that fits looked up: see `catalog.search_filters` for when not to."""


@dataclass(frozen=True, slots=True)
class Words:
    """Full text within the catalog: transactional with all else that it knows."""

    db: Connection

    name: ClassVar[str] = "SQLite"
    at_once: ClassVar[int] = 10_000

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
            self.db.execute(WORDS)
            weighed = f"bm25({', '.join(WEIGHTS)})"
            self.db.execute(_SET, ("rank", weighed))
            self.db.execute(_SET, ("hashsize", GATHERED))
            self.db.execute("DELETE FROM about WHERE key = 'large'")
            insert(self.db, "waiting", self.db.execute("SELECT path FROM texts").fetchall())

    def replace(self, gone: Iterable[int], texts: Iterable[tuple[int, Streams]]) -> None:
        """Forget some atoms, then take in those that are not in, or no longer."""
        self.db.executemany("DELETE FROM words WHERE rowid = ?", ((doc,) for doc in gone))
        self.db.executemany(_ADD, [(doc, *said) for doc, said in texts])

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Count the atoms that say each of some terms; from `COMMON` on it is no matter."""
        return {
            term: self.db.execute(_COUNT, (_quoted(term), COMMON)).fetchone()[0] for term in terms
        }

    def search(self, query: Query, most: int) -> list[tuple[int, float]]:
        """Give the numbers of the atoms that fit best, with a score that is higher for better."""
        where, given = conditions(query.only)
        joined = _FILTERED if where else ""
        sql = f"{_FIND}{joined} WHERE words MATCH ?{where} ORDER BY score DESC LIMIT ?"
        return self.db.execute(sql, (match(query), *given, most)).fetchall()


def match(query: Query) -> str:
    """Write a query for the engine; every token is quoted, so none is syntax."""
    wanted = _any([_quoted(term) for term in query.terms] + [_phrase(p) for p in query.phrases])
    needed = [_phrase(phrase) for phrase in query.phrases]
    said = " AND ".join([*needed, f"({wanted})"])
    if not query.without:
        return said
    return f"({said}) NOT ({_any([_phrase(phrase) for phrase in query.without])})"


def _any(said: Sequence[str]) -> str:
    return " OR ".join(said)


def _phrase(phrase: Sequence[str]) -> str:
    return _quoted(" ".join(phrase))


def _quoted(token: str) -> str:
    text = token.replace('"', "")
    return f'"{text}"{"*" if is_beginning(text) else ""}'


def is_beginning(text: str) -> bool:
    """Tell whether all is sought that begins so.

    A single letter of a script without spaces begins the pairs that it is in.
    """
    return len(text) == 1 and not text.isascii()
