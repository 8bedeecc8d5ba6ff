"""The words of a large tree in tantivy, beside the catalog: what SQLite grows too slow for."""

from __future__ import annotations

import json
import os
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import tantivy
from tantivy.tantivy import __version__ as VERSION  # noqa: N812 - it is a constant

from cortexfs.catalog import tantivy_files, tantivy_query
from cortexfs.catalog.checksums import is_sealed, seal
from cortexfs.catalog.fts5_index import COMMON
from cortexfs.catalog.schema import insert
from cortexfs.core.find.parse_query import Query
from cortexfs.errors import CatalogFailed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from sqlite3 import Connection

    from cortexfs.catalog.tantivy_files import Mark
    from cortexfs.core.find.indexed_fields import Streams

HEAP = 64_000_000
"""Bytes of words that are gathered before they are written."""
_FACTS = "SELECT kind, project, status, tags, born FROM texts WHERE doc = ?"


class State(NamedTuple):
    """Which index the catalog agrees with: whose, under which name, and how far it had come."""

    version: str
    made: str
    mark: Mark

    @classmethod
    def read(cls, said: str) -> State | None:
        """Read it as the catalog keeps it."""
        version, made, mark = json.loads(said or '["", "", []]')
        return cls(version, made, tantivy_files.Mark(*mark)) if version == VERSION else None

    def __str__(self) -> str:
        return json.dumps(self)


@dataclass(slots=True, eq=False)
class Large:
    """Full text in a folder of its own, which the catalog knows the state of.

    It is committed just before the catalog is. Who is killed in between leaves it ahead:
    what it has too much is dropped, and the texts are still waiting in the catalog.
    """

    db: Connection
    folder: str
    index: tantivy.Index | None = None
    known: str = ""
    """The state in which the index was last read."""

    name: ClassVar[str] = "tantivy"
    at_once: ClassVar[int] = 5_000

    @classmethod
    def beside(cls, db: Connection, path: str) -> Large:
        """Give the one that lies beside a catalog."""
        return cls(db, tantivy_files.beside(path))

    @property
    def is_ready(self) -> bool:
        """Tell whether the index is there, whole, and as the catalog knows it."""
        said = self._said()
        if self.index is not None and said == self.known:
            return True
        state = State.read(said)
        if state is None or tantivy_files.mark(path := self._path(state)) != state.mark:
            return False
        return is_sealed(path) and self._open(state)

    def prepare(self) -> None:
        """Agree with the catalog; within its transaction."""
        if self.is_ready:
            return
        state = State.read(self._said())
        if state is None or not self._agree(state):
            self._begin(state)

    def replace(self, gone: Iterable[int], texts: Iterable[tuple[int, Streams]]) -> None:
        """Forget some atoms, then take in those that are not in, or no longer."""
        state = State.read(self._said())
        if self.index is None or state is None:
            raise CatalogFailed("its full text is gone")
        ahead = tantivy_files.mark(self._path(state)) != state.mark
        with _refused():
            self._write(self.index, gone, texts, ahead=ahead)
        self._settle(state)

    def counts(self, terms: Iterable[str]) -> dict[str, int]:
        """Count the atoms that say each of some terms; from `COMMON` on it is no matter."""
        return {term: len(self.search(Query((term,)), COMMON)) for term in terms}

    def search(self, query: Query, most: int) -> list[tuple[int, float]]:
        """Give the numbers of the atoms that fit best, with a score that is higher for better."""
        if self.index is None:
            return []
        searcher = self.index.searcher()
        asked = tantivy_query.written(self.index.schema, query)
        hits = searcher.search(asked, most, count=False).hits
        docs = searcher.fast_field_values("doc", [place for _, place in hits])
        return [(int(doc or 0), score) for doc, (score, _) in zip(docs, hits, strict=True)]

    def _agree(self, state: State) -> bool:
        """Make an index that somebody else left agree; False where that is not to be done."""
        path = self._path(state)
        there = tantivy_files.mark(path)
        if there is None or not there.continues(state.mark) or not tantivy_files.is_sound(path):
            return False
        if not self._open(state):
            return False
        if there == state.mark:
            seal(path)
        else:
            self.replace((), ())
        return True

    def _begin(self, before: State | None) -> None:
        """Begin an index, for every text to be taken into it; the other full text is dropped."""
        path = tantivy_files.begin(self.folder, before.made if before else "")
        with _refused():
            self.index = tantivy.Index(tantivy_query.schema(), path)
            self.index.config_reader("manual")
        self._settle(State(VERSION, os.path.basename(path), tantivy_files.NOWHERE))
        self.db.execute("DROP TABLE IF EXISTS words")
        insert(self.db, "waiting", self.db.execute("SELECT path FROM texts").fetchall())

    def _open(self, state: State) -> bool:
        """Open the index, or read it again where it is open; False where it cannot be."""
        try:
            self.index = tantivy.Index.open(self._path(state))
            self.index.config_reader("manual")
            self.index.reload()
        except ValueError:  # all that the engine raises
            return False
        self.known = str(state)
        return True

    def _write(
        self,
        index: tantivy.Index,
        gone: Iterable[int],
        texts: Iterable[tuple[int, Streams]],
        *,
        ahead: bool,
    ) -> None:
        """Write one commit; the engine's own lock is let go of, whatever happens."""
        writer = index.writer(HEAP, 1)
        try:
            if ahead:
                (last,) = self.db.execute("SELECT ifnull(max(doc), 0) FROM texts").fetchone()
                writer.delete_documents_by_query(tantivy_query.after(index.schema, last))
            for doc in gone:
                writer.delete_documents_by_term("doc", doc)
            for doc, said in texts:
                if ahead:
                    writer.delete_documents_by_term("doc", doc)
                facts = tantivy_query.Facts(*self.db.execute(_FACTS, (doc,)).fetchone())
                writer.add_document(tantivy_query.document(doc, said, facts))
            writer.commit()
            writer.wait_merging_threads()
        finally:
            del writer

    def _settle(self, state: State) -> None:
        """Let the catalog know how far the index has come, and read it from there."""
        path = self._path(state)
        tantivy_files.close_to_others(path)
        seal(path)
        now = state._replace(mark=tantivy_files.mark(path) or tantivy_files.NOWHERE)
        insert(self.db, "about", [("large", str(now))])
        if self.index is not None:
            self.index.reload()
            self.known = str(now)

    def _said(self) -> str:
        row = self.db.execute("SELECT value FROM about WHERE key = 'large'").fetchone()
        return str(row[0]) if row else ""

    def _path(self, state: State) -> str:
        return os.path.join(self.folder, state.made)


@contextmanager
def _refused() -> Iterator[None]:
    """Say what the engine says; it has one error for a full disk, a lost file and all else."""
    try:
        yield
    except ValueError as error:
        raise CatalogFailed(str(error)) from None
