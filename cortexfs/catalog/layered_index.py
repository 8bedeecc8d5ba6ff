"""The full-text index of a large tree: tantivy's, and one of SQLite with the latest changes.

A commit of tantivy writes and syncs a dozen files. So the texts of small changes stay in the
catalog, in its transactions, until there are too many of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar

from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.catalog.fts5_vocabulary import MAX_TERM_COUNT
from cortexfs.catalog.schema import FULL_TEXT_STATEMENT, insert_rows, read_data_version
from cortexfs.catalog.tantivy_index import TantivyIndex
from cortexfs.core.find.count_terms import SearchedPatterns, TermCounts, count_terms, select_counts
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.parse_query import Query
from cortexfs.core.find.score_texts import TextStatistics, list_searched_strings, score_counts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from sqlite3 import Connection

    from cortexfs.core.find.count_terms import WeightedText

    Texts = Iterable[tuple[int, IndexedFields]]

MAX_RECENT_TEXTS = 64
"""Number of changed texts that stay in the catalog; with more, all go to tantivy."""
MAX_CHANGE_LENGTH = 1 << 16
"""Number of characters of a change that may stay in the catalog."""
_ENGINE_FACTOR = 2.2
"""How much higher tantivy's scores are than ours: it multiplies by `k1 + 1`."""
_TEXTS_SQL = "SELECT id, c0, c1, c2, c3, c4 FROM words_content"


@dataclass(slots=True, eq=False)
class LayeredIndex:
    """Two indexes that are searched together.

    The table `recent` has the numbers of texts that were changed or removed since tantivy's last
    commit. What tantivy has of these is out of date; what SQLite has is current, and all it has.
    """

    db: Connection
    large: TantivyIndex
    small: Fts5Index
    max_recent: int = MAX_RECENT_TEXTS
    cached: tuple[tuple[int, int], AbstractSet[int]] = ((-1, -1), frozenset())
    """The recent texts, and the state of the catalog of which they are."""

    name: ClassVar[str] = TantivyIndex.name
    batch_size: ClassVar[int] = TantivyIndex.batch_size

    @classmethod
    def for_catalog(cls, db: Connection, path: str) -> LayeredIndex:
        """Return the index next to a catalog."""
        return cls(
            db, TantivyIndex.for_catalog(db, path), Fts5Index.for_catalog(db, MAX_RECENT_TEXTS)
        )

    @property
    def is_ready(self) -> bool:
        """Whether both indexes agree with the catalog."""
        return self.large.is_ready and self.small.has_table

    def prepare(self) -> None:
        """Make the index agree with the catalog, within the catalog's transaction."""
        self.large.prepare()
        if not self.small.has_table:
            self.db.execute(FULL_TEXT_STATEMENT)

    def replace_texts(self, removed: Iterable[int], texts: Texts) -> None:
        """Remove some atoms, then add others that are not in the index."""
        gone, rest = set(removed), iter(texts)
        some = list(islice(rest, self.max_recent + 1))
        changed = gone.union(doc for doc, _ in some)
        size = sum(len(part) for _, fields in some for part in fields)
        is_small = len(changed | self._list_recent()) <= self.max_recent
        if is_small and size <= MAX_CHANGE_LENGTH and self.large.has_texts:
            self.small.replace_texts(changed, some)
            insert_rows(self.db, "recent", ((doc,) for doc in changed))
        else:
            self._commit_texts(gone, chain(some, rest))

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of atoms with each term, up to the limit for common terms."""
        return {term: len(self._search_both(Query((term,)), MAX_TERM_COUNT)) for term in terms}

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that an atom has."""
        every = set(terms)
        found = self.small.find_terms(every) if self._list_recent() else set()
        return found | self._keep_current(self.large.find_terms(every - found))

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that atoms have, each with about their number."""
        every = list(candidates)
        if not self._list_recent():
            return self.large.count_candidates(every, limit)
        small = self.small.count_candidates(every, limit)
        large = self.large.count_candidates(every, limit)
        found = small.keys() | self._keep_current(large.keys() - small.keys())
        first = [term for term in every if term in found][:limit]
        return {term: small.get(term, 0) + large.get(term, 0) for term in first}

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted atoms."""
        terms = {*self.large.list_terms(prefix, limit), *self.small.list_terms(prefix, limit)}
        return sorted(terms, key=lambda term: (len(term), term))[:limit]

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Return the document numbers of the best matches with their scores; higher is better."""
        if not self._list_recent():
            return self.large.search(query, limit)
        return self._search_both(query, limit)

    def read_statistics(self, searched: Iterable[str]) -> TextStatistics:
        """Return what scores depend on besides the text; outdated texts count until a commit."""
        strings = tuple(searched)
        large = self.large.read_statistics(strings)
        if not self._list_recent():
            return large
        small = self.small.read_statistics(strings)
        count = large.text_count + small.text_count
        length = sum(each.text_count * each.average_length for each in (large, small))
        frequencies = {
            each: large.frequencies[each] + small.frequencies[each] for each in large.frequencies
        }
        return TextStatistics(count, length / max(count, 1), frequencies)

    def read_weighted_texts(self, docs: Sequence[int]) -> Iterator[tuple[int, WeightedText]]:
        """Yield the weighted texts of some atoms, the latest first, otherwise in their order."""
        recent = self._list_recent()
        if some := [doc for doc in docs if doc in recent]:
            yield from self.small.read_weighted_texts(some)
        yield from self.large.read_weighted_texts([doc for doc in docs if doc not in recent])

    def _search_both(self, query: Query, limit: int) -> list[tuple[int, float]]:
        found = [*self._search_small(query), *self._search_large(query, limit)]
        return sorted(found, key=lambda hit: hit[1], reverse=True)[:limit]

    def _search_small(self, query: Query) -> list[tuple[int, float]]:
        """Return the recent texts that match, with scores as tantivy would give them."""
        if not self._list_recent():
            return []
        docs = [doc for doc, _ in self.small.search(query, self.max_recent)]
        statistics = self.read_statistics(list_searched_strings(query) if docs else ())
        searched = SearchedPatterns.from_strings(statistics.frequencies, statistics.holders)
        counts = TermCounts({}, {})
        count_terms(counts, self.small.read_weighted_texts(docs), searched)
        scores = score_counts(select_counts(counts, docs, searched), searched, statistics)
        return [(doc, _ENGINE_FACTOR * sum(scores.get(doc, ()))) for doc in docs]

    def _search_large(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Return the best matches among the texts that have not changed."""
        recent, found = self._list_recent(), list[tuple[int, float]]()
        for wanted in (limit, limit + len(recent)):
            every = self.large.search(query, wanted)
            found = [hit for hit in every if hit[0] not in recent][:limit]
            if len(found) == limit or len(every) < wanted:
                break
        return found

    def _keep_current(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that a text has which has not changed."""
        if not self._list_recent():
            return set(terms)
        return {term for term in terms if self._search_large(Query((term,)), 1)}

    def _list_recent(self) -> AbstractSet[int]:
        now = (read_data_version(self.db), self.db.total_changes)
        if now != self.cached[0]:
            self.cached = now, {doc for (doc,) in self.db.execute("SELECT doc FROM recent")}
        return self.cached[1]

    def _commit_texts(self, gone: AbstractSet[int], texts: Texts) -> None:
        """Give a change, and all earlier ones, to tantivy."""
        rows = self.db.execute(_TEXTS_SQL).fetchall()
        kept = [(doc, IndexedFields(*parts)) for doc, *parts in rows if doc not in gone]
        self.large.replace_texts(gone | self._list_recent(), chain(kept, texts))
        for table in ("words", "terms", "recent"):
            self.db.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
        self.db.execute("INSERT INTO words (words) VALUES ('optimize')")
