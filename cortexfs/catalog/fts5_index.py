"""The text index of a tree in SQLite's FTS5: matches and their scores."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, ClassVar

from cortexfs.catalog.fts5_match_query import (
    format_match_query,
    join_alternatives,
    quote_token,
)
from cortexfs.catalog.fts5_postings import POSTINGS_PER_ATOM, KnownPostings, add_scores
from cortexfs.catalog.fts5_statistics import KnownStatistics
from cortexfs.catalog.fts5_vocabulary import MAX_TERM_COUNT, atom_vocabulary
from cortexfs.catalog.schema import FULL_TEXT_STATEMENT, insert_rows
from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.count_terms import FORM_SEPARATOR, WeightedText
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS, IndexedFields
from cortexfs.core.find.score_texts import TextStatistics, weigh_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from sqlite3 import Connection

    from cortexfs.catalog.fts5_postings import Postings
    from cortexfs.core.find.parse_query import Query

_INSERT_SQL = (
    "INSERT INTO words (rowid, title, tags, headings, body, names) VALUES (?, ?, ?, ?, ?, ?)"
)
_SEARCH_SQL = "SELECT words.rowid, -rank AS score FROM words"
"""`ORDER BY rank` would compute each rank twice: once to sort, and once for the result."""
_POSTINGS_SQL = f"{_SEARCH_SQL} WHERE words MATCH ?"
_TEXTS_SQL = """
SELECT words_content.id, c0, c1, c2, c3, c4
FROM json_each(?) CROSS JOIN words_content ON words_content.id = value
"""
"""In the order of the numbers, one by one: of long texts not all are scored."""
_LARGE_SQL = "SELECT 1 FROM about WHERE key = 'large'"
_SET_OPTION_SQL = "INSERT INTO words (words, rank) VALUES (?, ?)"
_COUNT_SQL = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
_HOLDERS_SQL = "SELECT rowid FROM words WHERE words MATCH ?"
MAX_KEPT_TERMS = 8
"""Number of terms of a query up to which their postings are kept: nobody types the words of a whole
atom twice, and to read the texts of each takes four times as long as the search."""
MAX_HOLDERS = 200
"""Number of texts up to which they are listed: faster than to compare a hundred texts."""
_UNLISTED = frozenset(f'{FORM_SEPARATOR}"')
"""Characters of searched strings whose texts are not listed: those of several forms, and quotes."""
MIN_COMMON_TEXTS = 5000
"""Number of texts from which a term in half of all texts is first searched outside of bodies."""
_NAMING_FIELDS = "{title tags headings names}"
HASH_TABLE_BYTES = 64 << 20
"""Bytes that are collected before they are written: fewer segments to merge later."""
_FILTER_JOIN_SQL = " CROSS JOIN texts ON doc = words.rowid"
"""Makes the engine look up each matching atom: see `catalog.search_filters` for when not to."""


class Fts5Index:
    """The full-text index within the catalog, in the same transactions."""

    name: ClassVar[str] = "SQLite"
    batch_size: ClassVar[int] = 10_000

    def __init__(self, db: Connection, known: KnownStatistics) -> None:
        self.db = db
        self.known = known

    @classmethod
    def for_catalog(cls, db: Connection, max_cached_atoms: int) -> Fts5Index:
        """Return the index within a catalog."""
        return cls(db, KnownStatistics(KnownPostings(POSTINGS_PER_ATOM * max_cached_atoms)))

    @property
    def is_ready(self) -> bool:
        """Whether the index exists, and has all texts: beside tantivy it has the latest changes."""
        return self.has_table and not self.db.execute(_LARGE_SQL).fetchone()

    @property
    def has_table(self) -> bool:
        """Whether the table of the index exists."""
        (count,) = self.db.execute(
            "SELECT count(*) FROM sqlite_master WHERE name = 'words'"
        ).fetchone()
        return bool(count)

    def prepare(self) -> None:
        """Create the table if it is missing, and mark every text as waiting."""
        if not self.is_ready:
            self.db.execute("DROP TABLE IF EXISTS words")
            self.db.execute(FULL_TEXT_STATEMENT)
            ranking = f"bm25({', '.join(map(str, FIELD_WEIGHTS))})"
            self.db.execute(_SET_OPTION_SQL, ("rank", ranking))
            self.db.execute(_SET_OPTION_SQL, ("hashsize", HASH_TABLE_BYTES))
            self.db.execute("DELETE FROM about WHERE key = 'large'")
            insert_rows(self.db, "waiting", self.db.execute("SELECT path FROM texts").fetchall())

    def replace_texts(
        self, removed: Iterable[int], texts: Iterable[tuple[int, IndexedFields]]
    ) -> None:
        """Remove some atoms, then add others that are not in the index."""
        self.db.executemany("DELETE FROM words WHERE rowid = ?", ((doc,) for doc in removed))
        vocabulary = atom_vocabulary(self.db)
        terms = None if vocabulary.is_empty() else set[str]()
        self.db.executemany(_INSERT_SQL, _iter_rows(texts, terms))
        if terms is None:
            vocabulary.copy_index()
        else:
            vocabulary.add_terms(terms)

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of atoms with each term, at most `MAX_TERM_COUNT`."""
        return {term: self._count_texts(term, MAX_TERM_COUNT) for term in terms}

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that an atom has; scoring needs their frequencies too."""
        known = atom_vocabulary(self.db).list_known(terms)
        frequencies = self._read_frequencies(known)
        return {term for term in known if frequencies[term]}

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that atoms have, each with about their number."""
        return atom_vocabulary(self.db).count_candidates(candidates, limit)

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted atoms."""
        return atom_vocabulary(self.db).list_terms(prefix, limit)

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Return the document numbers of the best matches with their scores; higher is better.

        Words in half of all texts say nothing about a text that merely has them, and to score
        each of these would take most of the time: texts that are named after them come first.
        """
        self.known.forget_if_changed(self.db)
        if self._has_only_common_terms(query):
            best = self._search(
                f"{_NAMING_FIELDS} : ({format_match_query(query)})", query.filters, limit
            )
            if len(best) == limit:
                return best
        if postings := self._read_postings(query):
            return add_scores(postings, limit)
        return self._search(format_match_query(query), query.filters, limit)

    def read_statistics(self, searched: Iterable[str]) -> TextStatistics:
        """Return what scores depend on besides the text."""
        frequencies = self._read_frequencies(searched)
        text_count, average_length = self.known.read_averages(self.db)
        rare = [each for each, count in frequencies.items() if 0 < count <= MAX_HOLDERS]
        holders = {each: self._list_texts(each) for each in rare if not _UNLISTED & {*each}}
        return TextStatistics(text_count, average_length, frequencies, holders)

    def _read_frequencies(self, searched: Iterable[str]) -> dict[str, int]:
        """Return the number of texts with each of some strings."""
        self.known.forget_if_changed(self.db)
        text_count, _ = self.known.read_averages(self.db)
        counts = self.known.frequencies
        frequencies = {}
        for each in searched:
            if each not in counts:
                counts[each] = self._count_texts(each, text_count)
            frequencies[each] = counts[each]
        return frequencies

    def read_weighted_texts(self, docs: Sequence[int]) -> Iterator[tuple[int, WeightedText]]:
        """Yield the weighted texts of some atoms, in their order."""
        self.known.forget_if_changed(self.db)
        lengths = self.known.lengths
        for doc, *parts in self.db.execute(_TEXTS_SQL, (json.dumps(docs),)):
            length = lengths.get(doc)
            text = weigh_parts(parts, length)
            if length is None:
                lengths[doc] = text.length
            yield doc, text

    def _search(self, match: str, only: AtomFilter, limit: int) -> list[tuple[int, float]]:
        where, given = filter_to_sql(only)
        joined = _FILTER_JOIN_SQL if where else ""
        sql = f"{_SEARCH_SQL}{joined} WHERE words MATCH ?{where} ORDER BY score DESC LIMIT ?"
        return self.db.execute(sql, (match, *given, limit)).fetchall()

    def _read_postings(self, query: Query) -> list[Postings]:
        """Return the postings of all terms of a query that has nothing else, if they are kept."""
        if len(query.terms) > MAX_KEPT_TERMS:
            return []
        if query.phrases or query.excluded or query.filters != AtomFilter():
            return []
        forms = [form for term in query.terms for form in query.list_forms(term)]
        return self.known.postings.read(forms, self._search_token)

    def _search_token(self, token: str) -> list[tuple[int, float]]:
        """Return all texts with a token, in the order of their numbers, with their scores."""
        return self.db.execute(_POSTINGS_SQL, (quote_token(token),)).fetchall()

    def _has_only_common_terms(self, query: Query) -> bool:
        """Return whether each term is in half of very many texts."""
        text_count, _ = self.known.read_averages(self.db)
        if text_count < MIN_COMMON_TEXTS or not query.terms or query.phrases or query.excluded:
            return False
        counts, half = self.known.frequencies, text_count // 2
        return all(
            (counts[term] if term in counts else self._count_texts(term, half)) >= half
            for term in query.terms
        )

    def _list_texts(self, term: str) -> set[int]:
        """Return all texts with a term."""
        if known := self.known.postings.by_term.get(term):
            return set(known.docs)
        return {doc for (doc,) in self.db.execute(_HOLDERS_SQL, (quote_token(term),))}

    def _count_texts(self, term: str, limit: int) -> int:
        """Return the number of texts with a term, or with any of its forms, at most `limit`."""
        match = join_alternatives(list(map(quote_token, term.split(FORM_SEPARATOR))))
        return int(self.db.execute(_COUNT_SQL, (match, limit)).fetchone()[0])


def _iter_rows(
    texts: Iterable[tuple[int, IndexedFields]], terms: set[str] | None
) -> Iterator[tuple[int | str, ...]]:
    """Yield the rows of texts, and add their terms to a set.

    One by one: while a text is inserted, other processes compute the next ones.
    """
    for doc, fields in texts:
        if terms is not None:
            terms.update(" ".join(fields).split())
        yield doc, *fields
