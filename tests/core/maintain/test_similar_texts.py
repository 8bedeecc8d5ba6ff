"""Reworded facts are found without a model, unrelated ones are not, and ten thousand take seconds.

`similar_facts.json` has 25 facts, each also reworded, with another number, negated, and about
somebody or something else.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cost import cost_of

from cortexfs.core.maintain.similar_texts import SimilarTexts, find_similar_texts
from cortexfs.core.settings.maintenance_settings import DEFAULT_MAINTENANCE

FACTS: list[dict[str, str]] = json.loads((Path(__file__).parent / "similar_facts.json").read_text())
WORDINGS = ("fact", "reworded", "number", "negated", "role")
TEXTS = [fact[wording] for fact in FACTS for wording in WORDINGS]
THRESHOLD = DEFAULT_MAINTENANCE.similarity


def _find_pairs() -> set[tuple[int, int]]:
    return {(pair.earlier, pair.later) for pair in find_similar_texts(TEXTS, THRESHOLD)}


def test_the_pairs_are_a_hundred_of_realistic_length() -> None:
    assert len(FACTS) * (len(WORDINGS) - 1) == 100
    assert len(set(TEXTS)) == 125
    assert all(8 <= len(text.split()) <= 40 for text in TEXTS)


def test_of_the_rewordings_four_fifths_are_found_by_words_alone() -> None:
    found = _find_pairs()
    reworded = [number for number in range(25) if (5 * number, 5 * number + 1) in found]
    assert len(reworded) == 23
    alone = [
        fact for fact in FACTS if find_similar_texts([fact["fact"], fact["reworded"]], THRESHOLD)
    ]
    assert len(alone) == 23


def test_every_changed_fact_is_found() -> None:
    found = _find_pairs()
    changed = [(5 * number, 5 * number + other) for number in range(25) for other in (2, 3, 4)]
    assert [pair for pair in changed if pair not in found] == []


def test_no_pair_of_unrelated_facts_is_found() -> None:
    assert [pair for pair in _find_pairs() if pair[0] // 5 != pair[1] // 5] == []


def test_the_most_similar_come_first_and_equal_texts_have_the_similarity_one() -> None:
    texts = ["red green blue", "red green blue yellow", "red green blue", "one thing"]
    found = find_similar_texts(texts, 0.5)
    assert found[0] == SimilarTexts(0, 2, 1.0)
    assert [(pair.earlier, pair.later) for pair in found[1:]] == [(0, 1), (1, 2)]
    assert found[1].similarity == found[2].similarity < 1


@pytest.mark.parametrize("texts", [[], ["red green"], ["a b", "a b"], ["", ""]])
def test_short_texts_are_not_compared(texts: list[str]) -> None:
    assert find_similar_texts(texts, 0) == []


def test_the_cost_is_bounded() -> None:
    texts = [f"The quick brown fox number {n} jumps over {n % 7} lazy dogs" for n in range(2_000)]
    cost = cost_of(lambda: find_similar_texts(texts, THRESHOLD))
    assert cost.is_allowed, cost
