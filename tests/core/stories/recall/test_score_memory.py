"""What a memory is worth, and what its messages are worth for a question."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.settings.story_settings import RecallSettings
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.recall.chunk_text import ChunkText
from cortexfs.core.stories.recall.diversify import MIN_WINDOW, diversify
from cortexfs.core.stories.recall.rank_chunks import Candidate, rank_chunks
from cortexfs.core.stories.recall.score_memory import (
    Signals,
    compute_recency,
    compute_reinforcement,
    score_memory,
    sum_parts,
)
from cortexfs.core.stories.recall.score_messages import WeightedTerm, index_terms
from cortexfs.core.stories.recall.visible_end import count_visible

SETTINGS = RecallSettings()
share = st.floats(0, 1)
signals = st.builds(
    Signals, share, share, st.integers(0, 100_000), st.booleans(), share, share, st.integers(0, 99)
)


@given(signals, st.booleans())
def test_the_parts_are_the_score_and_no_part_is_more_than_its_weight(
    known: Signals, is_question: bool
) -> None:
    parts = score_memory(known, SETTINGS, is_question=is_question)
    assert sum_parts(parts) == pytest.approx(sum(part.value for part in parts))
    assert all(part.value >= 0 for part in parts)
    assert sum_parts(parts) <= 1.1 + 1e-9
    if not is_question:
        assert all(part.value <= getattr(SETTINGS, part.name) + 1e-4 for part in parts)


@given(signals, share)
def test_for_a_question_the_more_relevant_memory_is_worth_more(
    known: Signals, other: float
) -> None:
    one = sum_parts(score_memory(known, SETTINGS, is_question=True))
    two = sum_parts(score_memory(known._replace(relevance=other), SETTINGS, is_question=True))
    assert (one >= two - 1e-3) == (known.relevance >= other - 1e-3) or abs(one - two) < 2e-3


def test_recency_is_halved_after_the_half_life_and_core_memories_keep_half() -> None:
    assert compute_recency(0, 500, is_core=False) == 1
    assert compute_recency(500, 500, is_core=False) == pytest.approx(0.5)
    assert compute_recency(1000, 500, is_core=False) == pytest.approx(0.25)
    assert compute_recency(500, 500, is_core=True) == pytest.approx(0.5**0.2)
    assert compute_recency(100_000, 500, is_core=True) == 0.5


def test_reads_reinforce_up_to_a_limit() -> None:
    values = [compute_reinforcement(reads) for reads in (0, 1, 4, 16, 1000)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0, 1)


def test_a_second_memory_of_a_window_must_be_nearly_as_good() -> None:
    ranked = [(0, 0.9), (1, 0.8), (2, 0.79), (3, 0.5), (MIN_WINDOW, 0.2)]
    assert diversify(ranked, 100, 3, lambda one: one) == [(0, 0.9), (1, 0.8), (MIN_WINDOW, 0.2)]
    assert diversify(ranked, 100, 9, lambda one: one)[3:] == [(2, 0.79), (3, 0.5)]
    assert diversify([(0, 0.9), (1, 0.7), (60, 0.1)], 100, 2, lambda one: one)[1] == (60, 0.1)


@given(st.lists(st.tuples(st.integers(0, 5000), share)), st.integers(0, 20))
def test_diversity_loses_nothing_and_adds_nothing(
    ranked: list[tuple[int, float]], limit: int
) -> None:
    ranked.sort(key=lambda one: -one[1])
    found = diversify(ranked, 5000, limit, lambda one: one)
    assert len(found) == min(limit, len(ranked))
    assert not set(found) - set(ranked)
    assert found[:1] == ranked[:1][:limit]


def rank(question: str, *said: str, terms: str) -> list[float]:
    messages = tuple(Message("", "", "Ann", "user", text) for text in said)
    wanted = [WeightedTerm((term,), 1.0) for term in terms.split()]
    text = ChunkText(messages, index_terms(messages))
    return list(rank_chunks(wanted, [Candidate(1, text)], 100, question)[0])


def test_the_answer_after_a_question_counts() -> None:
    said = ("How old is Lena now?", "Nine.", "It rained.", "We ate bread.")
    found = rank("How old is Lena?", *said, terms="old lena")
    assert found[1] > found[2]
    assert found[1] > found[3]
    scene = rank("", *said, terms="old lena")
    assert scene[1] == scene[2]


def test_a_statement_answers_better_than_a_question() -> None:
    found = rank("Who has the oven?", "Is it the oven?", "Bread.", "It is the oven.", terms="oven")
    assert found[2] > found[0]


def test_who_asks_when_gets_a_time() -> None:
    said = ("The shop opens for us.", "Bread.", "The shop opens in May.")
    found = rank("When does the shop open?", *said, terms="shop open")
    other = rank("Where is the shop?", *said, terms="shop open")
    assert found[2] / found[0] > other[2] / other[0]


def test_the_best_answer_is_fully_relevant_but_a_scene_only_by_its_words() -> None:
    assert max(rank("Who?", "An oven.", terms="oven bun sea dog")) == 1
    assert max(rank("", "An oven.", terms="oven")) == pytest.approx(1)


@given(st.lists(st.text(max_size=20), max_size=8), st.integers(0, 8), st.integers(0, 2))
def test_what_was_said_last_is_found_at_the_end_of_the_record(
    recorded: list[str], count: int, new: int
) -> None:
    tail = recorded[len(recorded) - min(count, len(recorded)) :]
    assert count_visible([*tail, *["new message"] * new], recorded) >= len(tail)


def test_other_texts_are_not_visible() -> None:
    assert count_visible(["a", "b"], ["x", "y"]) == 0
    assert count_visible(["b", "c  d"], ["a", "b", "C d"]) == 2
