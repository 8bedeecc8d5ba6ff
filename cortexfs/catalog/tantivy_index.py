"""The full-text index of a large tree in tantivy, next to the catalog: FTS5 gets too slow."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import tantivy

from cortexfs.catalog import (
    tantivy_files,
    tantivy_query,
    tantivy_statistics,
    tantivy_vocabulary,
)
from cortexfs.catalog.derived_file_seal import has_matching_checksum, save_checksum
from cortexfs.catalog.fts5_vocabulary import MAX_TERM_COUNT
from cortexfs.catalog.schema import insert_rows
from cortexfs.catalog.tantivy_state import ENGINE_VERSION, TantivyState
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.find.count_terms import WeightedText
from cortexfs.core.find.parse_query import Query
from cortexfs.core.find.score_texts import TextStatistics
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from sqlite3 import Connection

    from cortexfs.core.find.indexed_fields import IndexedFields


@dataclass(slots=True, eq=False)
class TantivyIndex:
    """A full-text index in its own folder; the catalog has its state.

    It is committed just before the catalog. After a crash in between the index is ahead of the
    catalog: its extra documents are deleted, and the texts are still waiting in the catalog.
    """

    db: Connection
    folder: str
    index: tantivy.Index | None = None
    known_state: str = ""
    """The state in which the index was last read."""
    known_length: tuple[str, float] = ("", 0.0)
    """The mean length of the texts, and the state of which it is."""
    last_places: tuple[str, dict[int, tantivy.DocAddress]] = ("", {})
    """The places of the last matches, and the state of which they are."""

    name: ClassVar[str] = "tantivy"
    batch_size: ClassVar[int] = 10_000

    @classmethod
    def for_catalog(cls, db: Connection, path: str) -> TantivyIndex:
        """Return the index next to a catalog."""
        return cls(db, tantivy_files.index_folder_path(path))

    @property
    def is_ready(self) -> bool:
        """Whether the index exists, is intact, and is in the state recorded in the catalog."""
        text = self._read_state_text()
        if self.index is not None and text == self.known_state:
            return True
        state = TantivyState.parse(text)
        if (
            state is None
            or tantivy_files.read_progress(path := self._state_folder(state)) != state.progress
        ):
            return False
        return has_matching_checksum(path) and self._open_index(state)

    @property
    def has_texts(self) -> bool:
        """Whether the index has any text."""
        return self.index is not None and self.index.searcher().num_docs > 0

    def prepare(self) -> None:
        """Make the index agree with the catalog, within the catalog's transaction."""
        if self.is_ready:
            return
        state = TantivyState.parse(self._read_state_text())
        if state is None or not self._recover_index(state):
            self._create_index(state)

    def replace_texts(
        self, removed: Iterable[int], texts: Iterable[tuple[int, IndexedFields]]
    ) -> None:
        """Remove some atoms, then add others that are not in the index."""
        from cortexfs.catalog.tantivy_writer import commit_documents  # noqa: PLC0415 - most commands only read

        state = TantivyState.parse(self._read_state_text())
        if self.index is None or state is None:
            raise CatalogFailed("the full-text index was removed meanwhile")
        ahead = tantivy_files.read_progress(self._state_folder(state)) != state.progress
        commit_documents(self.db, self.index, removed, texts, ahead=ahead)
        self._record_state(state)

    def count_terms(self, terms: Iterable[str]) -> dict[str, int]:
        """Return the number of atoms with each term, at most `MAX_TERM_COUNT`."""
        return {term: len(self.search(Query((term,)), MAX_TERM_COUNT)) for term in terms}

    def find_terms(self, terms: Iterable[str]) -> set[str]:
        """Return those of some terms that an atom has."""
        return tantivy_vocabulary.find_terms(self.index, terms) if self.index else set()

    def count_candidates(self, candidates: Iterable[str], limit: int) -> dict[str, int]:
        """Return the first of many terms that atoms have, each with about their number."""
        if self.index is None:
            return {}
        return tantivy_vocabulary.count_candidates(self.index, candidates, limit)

    def list_terms(self, prefix: str, limit: int) -> list[str]:
        """Return the shortest terms that begin with a prefix, also of deleted atoms."""
        return tantivy_vocabulary.list_terms(self.index, prefix, limit) if self.index else []

    def search(self, query: Query, limit: int) -> list[tuple[int, float]]:
        """Return the document numbers of the best matches with their scores; higher is better.

        Words in half of all texts say nothing about a text that merely has them, and to score
        each of these would take most of the time: texts that have them most often come first.
        """
        if self.index is None:
            return []
        searcher = self.index.searcher()
        hits = _search_heaviest(self.index, searcher, query, limit)
        if len(hits) < limit:
            engine_query = tantivy_query.build_query(self.index.schema, query)
            hits = searcher.search(engine_query, limit, count=False).hits
        places = [place for _, place in hits]
        docs = [int(doc or 0) for doc in searcher.fast_field_values("doc", places)]
        self.last_places = self.known_state, dict(zip(docs, places, strict=True))
        return [(doc, score) for doc, (score, _) in zip(docs, hits, strict=True)]

    def read_statistics(self, searched: Iterable[str]) -> TextStatistics:
        """Return what scores depend on besides the text; deleted texts count until a merge."""
        if self.index is None:
            return TextStatistics(0, 0.0, {})
        searcher = self.index.searcher()
        if self.known_length[0] != self.known_state:
            self.known_length = (
                self.known_state,
                tantivy_statistics.compute_average_length(searcher),
            )
        frequencies = tantivy_statistics.count_texts(self.index.schema, searcher, searched)
        return TextStatistics(searcher.num_docs, self.known_length[1], frequencies)

    def read_weighted_texts(self, docs: Sequence[int]) -> Iterator[tuple[int, WeightedText]]:
        """Yield the weighted texts of some atoms, in their order."""
        if self.index is None or not docs:
            return
        searcher = self.index.searcher()
        places = self._find_places(self.index, searcher, docs)
        found = [(doc, places[doc]) for doc in docs if doc in places]
        lengths = searcher.fast_field_values("length", [place for _, place in found])
        for (doc, place), length in zip(found, lengths, strict=True):
            text = str(searcher.doc(place).get_first("text") or "")
            yield doc, WeightedText(text, int(length or 0))

    def _find_places(
        self, index: tantivy.Index, searcher: tantivy.Searcher, docs: Sequence[int]
    ) -> Mapping[int, tantivy.DocAddress]:
        """Return the places of at least some atoms; only those that are not known are searched."""
        state, known = self.last_places
        if state == self.known_state and all(doc in known for doc in docs):
            return known
        query = tantivy_query.build_number_query(index.schema, docs)
        places = [place for _, place in searcher.search(query, len(docs), count=False).hits]
        numbers = searcher.fast_field_values("doc", places)
        return {int(doc or 0): place for doc, place in zip(numbers, places, strict=True)}

    def _recover_index(self, state: TantivyState) -> bool:
        """Make an existing index agree with the catalog; returns False if it is not usable."""
        path = self._state_folder(state)
        progress = tantivy_files.read_progress(path)
        if (
            progress is None
            or not progress.can_follow(state.progress)
            or not tantivy_files.is_intact(path)
        ):
            return False
        if not self._open_index(state):
            return False
        if progress == state.progress:
            save_checksum(path)
        else:
            self.replace_texts((), ())
        return True

    def _create_index(self, previous: TantivyState | None) -> None:
        """Create an index and mark every text as waiting; the FTS5 index is dropped."""
        from cortexfs.catalog.tantivy_writer import create_index  # noqa: PLC0415 - most commands only read

        path = tantivy_files.create_index_folder(
            self.folder, previous.folder_name if previous else ""
        )
        self.index = create_index(path)
        self._record_state(
            TantivyState(ENGINE_VERSION, os.path.basename(path), tantivy_files.NO_PROGRESS)
        )
        self.db.execute("DROP TABLE IF EXISTS words")
        self.db.execute("DELETE FROM terms")
        insert_rows(self.db, "waiting", self.db.execute("SELECT path FROM texts").fetchall())

    def _open_index(self, state: TantivyState) -> bool:
        """Open or reopen the index; returns False if that fails."""
        try:
            self.index = tantivy.Index.open(self._state_folder(state))
            self.index.config_reader("manual")
            self.index.reload()
        except ValueError:  # the only error of the engine
            return False
        self.known_state = str(state)
        return True

    def _record_state(self, state: TantivyState) -> None:
        """Record the state of the index in the catalog, and reload the index."""
        path = self._state_folder(state)
        tantivy_files.make_private(path)
        save_checksum(path)
        now = state._replace(
            progress=tantivy_files.read_progress(path) or tantivy_files.NO_PROGRESS
        )
        insert_rows(self.db, "about", [("large", str(now))])
        if self.index is not None:
            self.index.reload()
            self.known_state = str(now)

    def _read_state_text(self) -> str:
        row = self.db.execute("SELECT value FROM about WHERE key = 'large'").fetchone()
        return str(row[0]) if row else ""

    def _state_folder(self, state: TantivyState) -> str:
        return os.path.join(self.folder, state.folder_name)


def _search_heaviest(
    index: tantivy.Index, searcher: tantivy.Searcher, query: Query, limit: int
) -> list[tuple[float, tantivy.DocAddress]]:
    """Return the best matches with common words among their heaviest; empty if none is common."""
    if query.phrases or query.excluded or query.filters != AtomFilter():
        return []
    forms = [form for term in query.terms for form in query.list_forms(term)]
    common = tantivy_statistics.weigh_common_terms(searcher, forms)
    if not common:
        return []
    engine_query = tantivy_query.build_query_of_heaviest(index.schema, query, common)
    return searcher.search(engine_query, limit, count=False).hits
