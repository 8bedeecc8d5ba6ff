"""Words that half of very many texts have are first searched where a text is named after them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.fts5_index import MIN_COMMON_TEXTS, Fts5Index
from cortexfs.catalog.schema import TABLE_STATEMENTS
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.parse_query import Query

if TYPE_CHECKING:
    from collections.abc import Iterator

NAMED = range(1, 31)
"""The texts with `alpha` in the title and once in the body; others have it often in the body."""
RARE = MIN_COMMON_TEXTS


@pytest.fixture(scope="module")
def index() -> Iterator[Fts5Index]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as db:
        for statement in TABLE_STATEMENTS:
            db.execute(statement)
        index = Fts5Index.for_catalog(db, MIN_COMMON_TEXTS)
        index.prepare()
        index.replace_texts((), ((doc, _make_text(doc)) for doc in range(1, RARE + 1)))
        yield index


def _make_text(doc: int) -> IndexedFields:
    title, body = ("alpha", "beta") if doc in NAMED else ("other", "alpha beta " * 20)
    return IndexedFields(title, "", "", body + (" rare" if doc == RARE else ""), "")


def test_texts_named_after_common_words_come_first(index: Fts5Index) -> None:
    found = index.search(Query(("alpha", "beta")), len(NAMED))
    assert {doc for doc, _ in found} == set(NAMED)


def test_if_too_few_are_named_after_them_all_texts_are_searched(index: Fts5Index) -> None:
    assert len(index.search(Query(("alpha", "beta")), 100)) == 100


def test_a_rare_word_beside_a_common_one_is_searched_in_every_body(index: Fts5Index) -> None:
    assert index.search(Query(("alpha", "rare")), 10)[0][0] == RARE


def test_a_phrase_of_common_words_is_searched_in_every_body(index: Fts5Index) -> None:
    found = index.search(Query(("alpha",), (("alpha", "beta"),)), len(NAMED))
    assert not {doc for doc, _ in found} & set(NAMED)
