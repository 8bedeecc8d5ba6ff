"""Pairs of similar texts are the same as when each text is compared with each."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.audit.near_duplicate_pairs import MIN_SIMILARITY, find_similar_pairs

WORDS = [f"w{number}" for number in range(14)]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=5, max_size=14, unique=True), max_size=8)


@given(TEXTS)
def test_the_similar_pairs_are_those_of_a_full_comparison(texts: list[list[str]]) -> None:
    expected = set()
    for position, own in enumerate(texts):
        for earlier in texts[:position]:
            if len({*own} & {*earlier}) / len({*own} | {*earlier}) >= MIN_SIMILARITY:
                expected.add(position)
    found = list(find_similar_pairs([" ".join(text) for text in texts]))
    assert {pair.position for pair in found} == expected
    for pair in found:
        own, earlier = {*texts[pair.position]}, {*texts[pair.earlier]}
        assert pair.earlier < pair.position
        assert pair.similarity == len(own & earlier) / len(own | earlier)


def test_a_changed_number_is_a_pair_and_another_fact_is_not() -> None:
    one = "The server keeps ten connections open for each client of the pool"
    texts = [one, "Releases are made on Mondays by the person on call", one.replace("ten", "two")]
    assert [(pair.position, pair.earlier) for pair in find_similar_pairs(texts)] == [(2, 0)]


@pytest.mark.soak
def test_many_equal_texts_end_soon() -> None:
    texts = ["the same five words here"] * 5000
    assert len(list(find_similar_pairs(texts))) < 5000


@pytest.mark.soak
def test_every_one_of_many_alike_texts_is_compared() -> None:
    text = "The retry limit of service {} is three attempts within one minute after each deploy"
    texts = [text.format(number) for number in range(3000)]
    assert len(list(find_similar_pairs(texts))) == len(texts) - 1
