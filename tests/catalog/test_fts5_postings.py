"""A search for terms that were searched before finds the same without another search of FTS5."""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.catalog import fts5_postings
from cortexfs.catalog.fts5_index import Fts5Index
from cortexfs.catalog.fts5_postings import POSTINGS_PER_ATOM
from cortexfs.catalog.schema import TABLE_STATEMENTS
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.parse_query import Query

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WORDS = ("alpha", "beta", "gamma", "alphabet", "store.go", "量检", "strasse")
parts = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
fields = st.builds(IndexedFields, parts, parts, parts, parts, parts)
terms = st.lists(st.sampled_from((*WORDS, "alph*", "量", "nowhere")), min_size=1, unique=True)
variants = st.sampled_from(({}, {"beta": ("betas", "gamma"), "strasse": ("strass",)}))
queries = st.builds(Query, terms.map(tuple), variants=variants)


@pytest.fixture(autouse=True, scope="module")
def few_texts() -> Iterator[None]:
    """Leave out texts without a chance early, in small indexes too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fts5_postings, "USUAL_LIMIT", 4)
        yield


@contextmanager
def _open_index(texts: Sequence[IndexedFields], max_cached_atoms: int = 9) -> Iterator[Fts5Index]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in TABLE_STATEMENTS:
            db.execute(statement)
        index = Fts5Index.for_catalog(db, max_cached_atoms)
        index.prepare()
        index.replace_texts((), enumerate(texts, 1))
        yield index


@given(st.lists(fields, max_size=20), queries, st.integers(1, 8))
def test_the_best_matches_and_their_scores_stay_the_same(
    added: list[IndexedFields], query: Query, limit: int
) -> None:
    with _open_index(added) as index:
        every = dict(index.search(query, 100))
        best = index.search(query, limit)
        assert [score for _, score in best] == pytest.approx(
            sorted(every.values(), reverse=True)[:limit]
        )
        assert dict(best) == pytest.approx({doc: every[doc] for doc, _ in best})


def _make_texts(*bodies: str) -> list[IndexedFields]:
    return [IndexedFields("", "", "", body, "") for body in bodies]


def _list_searched(index: Fts5Index, query: Query) -> list[str]:
    """Return the searches of FTS5 that a query takes."""
    statements: list[str] = []
    index.db.set_trace_callback(statements.append)
    index.search(query, 10)
    index.db.set_trace_callback(None)
    return [each for each in statements if "MATCH" in each]


def test_terms_are_kept_from_the_second_search_for_them_on() -> None:
    with _open_index(_make_texts("alpha", "beta", "gamma")) as index:
        searched = [_list_searched(index, Query(each)) for each in (("alpha", "beta"),) * 3]
        assert [len(each) for each in searched] == [1, 2, 0]
        assert len(_list_searched(index, Query(("alpha", "gamma")))) == 1


def test_terms_with_anything_else_are_searched_each_time() -> None:
    phrase = (("alpha", "beta"),)
    with _open_index(_make_texts("alpha beta", "beta alpha")) as index:
        for query in (Query(phrases=phrase), Query(("alpha",), excluded=phrase)):
            assert [len(_list_searched(index, query)) for _ in range(3)] == [1, 1, 1]
            assert len(index.search(query, 10)) == 1


def test_what_is_kept_follows_changes() -> None:
    with _open_index(_make_texts("alpha", "beta", "gamma")) as index:
        for _ in range(3):
            assert [doc for doc, _ in index.search(Query(("alpha",)), 10)] == [1]
        index.replace_texts((1,), [(4, *_make_texts("alpha beta"))])
        for _ in range(3):
            assert [doc for doc, _ in index.search(Query(("alpha",)), 10)] == [4]


def test_no_more_is_kept_than_is_allowed() -> None:
    words = [f"word{number}" for number in range(3 * POSTINGS_PER_ATOM)]
    with _open_index(_make_texts(*[" ".join(words)] * 3), max_cached_atoms=1) as index:
        for word in words:
            for _ in range(2):
                assert len(index.search(Query((word,)), 10)) == 3
            kept = index.known.postings.by_term.values()
            assert sum(len(each.docs) for each in kept) <= POSTINGS_PER_ATOM + 3
