"""The score of a text: how often it has rare terms, in which parts, and how long it is."""

from __future__ import annotations

from itertools import groupby
from math import log
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.find import count_terms as counting
from cortexfs.core.find.count_terms import (
    SearchedPatterns,
    TermCounts,
    WeightedText,
    count_terms,
    select_counts,
)
from cortexfs.core.find.indexed_fields import FIELD_WEIGHTS, IndexedFields
from cortexfs.core.find.parse_query import Query
from cortexfs.core.find.score_texts import (
    Saturation,
    TextStatistics,
    list_searched_strings,
    score_counts,
    weigh_parts,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

WORDS = ("alpha", "beta", "alphabet", "c++", "src/auth/store.go", "量检")
token_lists = st.lists(st.sampled_from(WORDS), max_size=8).map(
    lambda tokens: [token for token, _ in groupby(tokens)]  # equal neighbours share a blank
)
parts_of_texts = st.tuples(*[token_lists] * 5).filter(any)


def score_texts(
    texts: Iterable[tuple[int, WeightedText]], statistics: TextStatistics
) -> list[tuple[int, float]]:
    """Return the score of each text."""
    known = TermCounts({}, {})
    searched = SearchedPatterns.from_strings(statistics.frequencies, statistics.holders)
    count_terms(known, texts, searched)
    counted = select_counts(known, [*known.sizes], searched)
    scores = score_counts(counted, searched, statistics)
    return [(doc, sum(each)) for doc, each in scores.items()]


def _score(parts: IndexedFields, *searched: str, average: float = 10.0) -> float:
    statistics = TextStatistics(100, average, dict.fromkeys(searched, 10))
    ((_, score),) = score_texts([(1, weigh_parts(parts))], statistics)
    return score


def _body(text: str) -> IndexedFields:
    return IndexedFields("", "", "", text, "")


@given(parts_of_texts, st.lists(st.sampled_from(WORDS), min_size=1, max_size=3, unique=True))
def test_a_score_is_that_of_the_formula(parts: tuple[list[str], ...], terms: list[str]) -> None:
    """BM25F with Lucene's inverse document frequency, computed from lists of tokens."""
    weighted = list(zip(parts, FIELD_WEIGHTS, strict=True))
    half_count, share = Saturation.from_average_length(10)
    half = half_count * (1 - share + share * sum(map(len, parts)) / 10)
    counts = [sum(tokens.count(term) * weight for tokens, weight in weighted) for term in terms]
    expected = sum(log(1 + 90.5 / 10.5) * count / (count + half) for count in counts)
    assert _score(IndexedFields(*map(" ".join, parts)), *terms) == pytest.approx(expected)


@given(parts_of_texts)
def test_the_length_is_the_number_of_terms_without_weights(parts: tuple[list[str], ...]) -> None:
    assert weigh_parts(IndexedFields(*map(" ".join, parts))).length == sum(map(len, parts))


def test_repeated_terms_count_more_in_long_texts_and_the_length_less_in_short_ones() -> None:
    sentence, abstract, page = map(Saturation.from_average_length, (20, 128, 1000))
    assert sentence.half_count < abstract.half_count < page.half_count
    assert sentence.length_share < abstract.length_share == page.length_share
    assert abstract == (1.2, 0.75)
    assert Saturation.from_average_length(0) == Saturation.from_average_length(1)
    assert Saturation.from_average_length(1e9).half_count == pytest.approx(2)


def test_a_prefix_counts_the_words_that_begin_with_it() -> None:
    assert _score(_body("alpha alphabet beta"), "alph*") == _score(_body("beta gamma beta"), "beta")


def test_a_letter_without_spaces_counts_the_pairs_that_begin_with_it() -> None:
    assert _score(_body("量检 索"), "量") > 0


def test_a_phrase_counts_only_where_its_words_are_next_to_each_other() -> None:
    assert _score(_body("alpha beta gamma alpha beta"), "alpha beta") > _score(
        _body("beta alpha gamma alpha beta"), "alpha beta"
    )
    assert _score(_body("alpha gamma beta"), "alpha beta") == 0


def test_a_phrase_does_not_match_across_parts() -> None:
    assert _score(IndexedFields("beta", "", "", "alpha", ""), "beta alpha") == 0
    assert _score(IndexedFields("alpha beta", "", "", "", ""), "beta alpha") == 0


def test_all_terms_of_the_body_outweigh_one_in_the_title() -> None:
    title = IndexedFields("alpha", "", "", "gamma gamma gamma gamma", "")
    body = IndexedFields("gamma", "", "", "alpha beta delta gamma", "")
    assert _score(body, "alpha", "beta", "delta") > _score(title, "alpha", "beta", "delta")


def test_a_term_that_every_text_has_adds_less_than_a_rare_one() -> None:
    frequencies = {"alpha": 100, "beta": 1}
    texts = [(1, weigh_parts(_body("alpha"))), (2, weigh_parts(_body("beta")))]
    (_, common), (_, rare) = score_texts(texts, TextStatistics(100, 1.0, frequencies))
    assert 0 < common < rare / 100


def test_statistics_that_contradict_each_other_are_no_error() -> None:
    assert list(
        score_texts([(1, weigh_parts(_body("alpha")))], TextStatistics(0, 0.0, {"alpha": 7}))
    )


def test_after_very_long_texts_the_others_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MAX_COMPARISONS", 30)
    texts = [(doc, WeightedText(" alpha beta ", 2)) for doc in range(9)]
    statistics = TextStatistics(9, 2.0, {"alpha": 9, "beta": 9})
    assert [doc for doc, _ in score_texts(texts, statistics)] == [0, 1]


def test_texts_that_do_not_have_a_rare_term_are_not_compared_with_it() -> None:
    texts = [(doc, weigh_parts(_body("alpha beta"))) for doc in (1, 2)]
    frequencies = {"alpha": 2, "beta": 1}
    (_, one), (_, two) = score_texts(texts, TextStatistics(9, 2.0, frequencies, {"beta": {1}}))
    (_, both), (_, same) = score_texts(texts, TextStatistics(9, 2.0, frequencies))
    assert one == both == same > two > 0


def test_terms_and_phrases_are_searched_once_each() -> None:
    query = Query(("alpha", "alpha", "beta*"), (("alpha", "beta"),), (("gamma",),))
    assert list_searched_strings(query) == ("alpha", "beta*", "alpha beta")
