"""Latest changes in front of tantivy's index: what is found is what one index would find."""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_strategies import NOW

from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.catalog.layered_index import MAX_CHANGE_LENGTH, MAX_RECENT_TEXTS, LayeredIndex
from cortexfs.catalog.schema import TABLE_STATEMENTS, insert_rows
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.parse_query import Query, parse_query

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cortexfs.catalog.full_text_index import FullTextIndex

WORDS = ("alpha", "alpine", "beta", "gamma", "delta")
QUERIES = (
    *("alpha", "alpha beta", "alp*", '"alpha beta"', "beta -alpha", '-"beta gamma" delta'),
    *("beta kind:even", "gamma -kind:even"),
)
MAX_RECENT = 3

words = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
changes = st.dictionaries(st.integers(1, 8), st.one_of(st.none(), words), max_size=5)
"""New texts of some atoms by their numbers; None removes one."""


class Engines(NamedTuple):
    """The layered index and the one it is compared with, each with its database."""

    layered: LayeredIndex
    plain: Fts5Index

    def apply(self, change: Mapping[int, str | None]) -> None:
        """Replace texts in both."""
        for index in self:
            with index.db:
                index.db.execute("BEGIN")
                _replace(index, index.db, change)


@contextmanager
def _open_engines(max_recent: int = MAX_RECENT) -> Iterator[Engines]:
    with (
        tempfile.TemporaryDirectory() as folder,
        closing(_make_database(":memory:")) as db,
        closing(_make_database(":memory:")) as other,
    ):
        layered = LayeredIndex.for_catalog(db, str(Path(folder, "catalog")))
        layered.max_recent = max_recent
        layered.prepare()
        plain = Fts5Index.for_catalog(other, 1000)
        plain.prepare()
        yield Engines(layered, plain)


def _make_database(path: str) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    for statement in TABLE_STATEMENTS:
        db.execute(statement)
    return db


def _replace(
    index: FullTextIndex, db: sqlite3.Connection, change: Mapping[int, str | None]
) -> None:
    known = [doc for (doc,) in db.execute("SELECT doc FROM texts") if doc in change]
    db.executemany("DELETE FROM texts WHERE doc = ?", ((doc,) for doc in known))
    texts = {doc: text for doc, text in change.items() if text is not None}
    insert_rows(db, "texts", map(_make_row, texts))
    index.replace_texts(known, ((doc, _make_fields(text)) for doc, text in texts.items()))


def _make_row(doc: int) -> tuple[int | str, ...]:
    kind = ("even", "odd")[doc % 2]
    return (doc, f"{doc}.md", "", "", "", "", kind, "", "", 1, 0, "", *[""] * 8)


def _make_fields(text: str) -> IndexedFields:
    first, _, rest = text.partition(" ")
    return IndexedFields(first, "", "", rest, "")


def _answers(index: FullTextIndex) -> list[object]:
    queries = [parse_query(each, NOW.date()) for each in QUERIES]
    texts = {doc: each.text for doc, each in index.read_weighted_texts([*range(1, 100)])}
    return [
        [{doc for doc, _ in index.search(query, 100)} for query in queries],
        index.count_terms(WORDS),
        index.find_terms(WORDS),
        index.count_candidates(WORDS, 100).keys(),
        texts,
    ]


@given(st.lists(changes, min_size=1, max_size=8))
def test_both_layers_answer_as_one_index_does(history: list[dict[int, str | None]]) -> None:
    with _open_engines() as engines:
        for change in history:
            engines.apply(change)
            assert engines.layered.is_ready
            assert _answers(engines.layered) == _answers(engines.plain)
            (recent,) = engines.layered.db.execute("SELECT count(*) FROM recent").fetchone()
            assert recent <= MAX_RECENT


@given(st.lists(changes, min_size=1, max_size=5))
@settings(max_examples=settings().max_examples // 2)
def test_a_limit_leaves_out_the_worst_only(history: list[dict[int, str | None]]) -> None:
    with _open_engines() as engines:
        for change in history:
            engines.apply(change)
        query = parse_query("alpha beta", NOW.date())
        every = engines.layered.search(query, 100)
        assert every == sorted(every, key=lambda hit: -hit[1])
        for limit in range(1, 9):
            found = engines.layered.search(query, limit)
            assert [score for _, score in found] == [score for _, score in every[:limit]]


def test_a_small_change_writes_no_file_of_tantivy() -> None:
    with _open_engines(MAX_RECENT_TEXTS) as engines:
        engines.apply(dict.fromkeys(range(1, 9), "alpha"))
        before = _list_files(engines.layered)
        engines.apply({1: "beta", 2: None, 9: "gamma"})
        assert _list_files(engines.layered) == before
        assert [doc for doc, _ in engines.layered.search(Query(("beta", "gamma")), 9)] != []
        engines.apply(dict.fromkeys(range(10, 10 + MAX_RECENT_TEXTS), "delta"))
        assert _list_files(engines.layered) != before
        assert engines.layered.db.execute("SELECT * FROM words, recent").fetchall() == []
        assert _answers(engines.layered) == _answers(engines.plain)


def test_a_long_text_goes_to_tantivy() -> None:
    with _open_engines(MAX_RECENT_TEXTS) as engines:
        engines.apply({1: "alpha", 2: "beta"})
        before = _list_files(engines.layered)
        engines.apply({1: "gamma " * MAX_CHANGE_LENGTH})
        assert _list_files(engines.layered) != before


def test_a_change_that_is_rolled_back_is_not_found() -> None:
    with _open_engines(MAX_RECENT_TEXTS) as engines:
        engines.apply({1: "alpha", 2: "beta"})
        db = engines.layered.db
        db.execute("BEGIN")
        _replace(engines.layered, db, {1: "gamma", 3: "gamma"})
        db.execute("ROLLBACK")
        assert engines.layered.is_ready
        assert _answers(engines.layered) == _answers(engines.plain)


def test_a_recent_text_is_scored_as_if_it_were_in_tantivy() -> None:
    texts = {number: " ".join(WORDS[: 1 + number % 5]) for number in range(1, 41)}
    scores = []
    for max_recent in (0, MAX_RECENT_TEXTS):
        with _open_engines(max_recent) as engines:
            engines.apply(texts)
            engines.apply({41: "beta gamma beta"})
            scores.append(dict(engines.layered.search(Query(("gamma",)), 50))[41])
    assert scores[1] == pytest.approx(scores[0], rel=0.25)


def _list_files(index: LayeredIndex) -> set[tuple[str, int]]:
    """Return the engine's files, with their inodes."""
    found: Iterable[Path] = Path(index.large.folder).rglob("*")
    return {(path.name, path.stat().st_ino) for path in found}
