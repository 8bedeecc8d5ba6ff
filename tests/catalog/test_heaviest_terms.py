"""Words that half of very many texts have are first searched where a text has them most often."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.schema import TABLE_STATEMENTS, insert_rows
from cortexfs.catalog.tantivy_index import TantivyIndex
from cortexfs.catalog.tantivy_statistics import MIN_COMMON_TEXTS, weigh_common_terms
from cortexfs.catalog.tantivy_writer import list_heaviest_terms
from cortexfs.core.find.indexed_fields import IndexedFields
from cortexfs.core.find.parse_query import Query

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAVY = range(1, 31)
"""The texts that have `alpha` and `beta` most often; the others have them once."""
OTHER = 31
"""A text that has them more often still, but other words most often."""
RARE = MIN_COMMON_TEXTS
FILLER = " ".join(f"w{number}" for number in range(14))


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TantivyIndex]:
    folder: Path = tmp_path_factory.mktemp("index")
    with closing(sqlite3.connect(":memory:")) as db:
        for statement in TABLE_STATEMENTS:
            db.execute(statement)
        index = TantivyIndex.for_catalog(db, str(folder / "catalog"))
        index.prepare()
        docs = range(1, RARE + 1)
        empty = ("", "", "", 0, 0, *[""] * 9)
        insert_rows(db, "texts", ((doc, str(doc), "", "", "", "", *empty) for doc in docs))
        index.replace_texts((), ((doc, _make_text(doc)) for doc in docs))
        yield index


def _make_text(doc: int) -> IndexedFields:
    common = "alpha beta " * 3 if doc in HEAVY else f"w1 w2 {FILLER} alpha beta"
    if doc == OTHER:
        common = "alpha beta " * 20 + "w1 w2 w3 " * 21
    return IndexedFields("", "", "", f"{common} {FILLER}{' rare' * (doc == RARE)}", "")


def test_texts_that_have_common_words_most_often_come_first(index: TantivyIndex) -> None:
    found = index.search(Query(("alpha", "beta")), len(HEAVY))
    assert {doc for doc, _ in found} == set(HEAVY)


def test_common_words_are_not_searched_in_every_text(index: TantivyIndex) -> None:
    assert index.index
    common = weigh_common_terms(index.index.searcher(), ("alpha", "beta", "rare"))
    assert common.keys() == {"alpha", "beta"}
    assert index.index.searcher().doc_freq("heaviest", "alpha") == len(HEAVY)


def test_if_too_few_texts_are_found_so_all_are_searched(index: TantivyIndex) -> None:
    found = index.search(Query(("alpha", "beta")), 100)
    assert len(found) == 100
    assert {doc for doc, _ in found[: len(HEAVY) + 1]} == {*HEAVY, OTHER}


def test_a_rare_word_beside_a_common_one_is_searched_in_every_text(index: TantivyIndex) -> None:
    assert index.search(Query(("alpha", "rare")), len(HEAVY))[0][0] == RARE


def test_common_words_count_as_little_as_in_a_search_of_every_text(index: TantivyIndex) -> None:
    few, many = (dict(index.search(Query(("alpha", "beta")), most)) for most in (len(HEAVY), 100))
    assert few[1] == pytest.approx(many[1], rel=0.5)


@pytest.mark.parametrize(
    ("text", "heaviest"),
    [
        ("", ""),
        (" beta | beta ", "beta beta"),
        ("a b c d e f g h h", "h h"),
        ("a b c d e f g h i i", "i i a"),
    ],
)
def test_the_heaviest_are_an_eighth_of_the_terms_or_more(text: str, heaviest: str) -> None:
    assert list_heaviest_terms(text) == heaviest
