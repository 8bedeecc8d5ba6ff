"""Recall finds the turns that answer a question, on our own set: more of them than `find`."""

from __future__ import annotations

from statistics import fmean

import pytest

from bench.answers import Choice
from bench.locomo import TURNS
from bench.locomo_file import iter_sessions, read_talks
from bench.story_recall import ALL_PARTS, OWN_SET, WITHOUT, iter_messages, score_talks

LEAST_MESSAGES, LEAST_QUESTIONS = 150, 60
FLOORS = {0: 0.66, 1: 0.37, 2: 0.85, 4: 0.77}
"""The least recall@10 of all questions, and of each category, in two of the conversations."""


def test_the_set_is_large_and_names_its_answers() -> None:
    talks = read_talks(OWN_SET)
    assert len(talks) == 4
    assert sum(len(talk.questions) for talk in talks) >= LEAST_QUESTIONS
    for talk in talks:
        places = {turn.place for session in iter_sessions(talk) for turn in session.turns}
        assert len(places) >= LEAST_MESSAGES
        assert len(list(iter_messages(talk))) == len(places)
        assert all(set(each.evidence) <= places for each in talk.questions)
        assert {each.category for each in talk.questions} == {1, 2, 4}


@pytest.fixture(scope="module")
def means() -> dict[str, dict[int, float]]:
    """Recall@10 by method and category (0: all)."""
    runs = score_talks(read_talks(OWN_SET)[:2], TURNS.categories, Choice(("sqlite",)))
    return {
        name: {
            wanted: fmean(s.recall_10 for c, s in scores if wanted in {0, c}) for wanted in FLOORS
        }
        for name, scores in runs.items()
    }


def test_recall_does_not_fall_below_what_was_reached(means: dict[str, dict[int, float]]) -> None:
    assert {key: value for key, value in means[ALL_PARTS].items() if value < FLOORS[key]} == {}


def test_recall_finds_at_least_as_much_as_find(means: dict[str, dict[int, float]]) -> None:
    find = means["cortexfs find, sqlite"]
    assert means[ALL_PARTS][0] >= find[0]
    assert means[ALL_PARTS][1] > find[1]


def test_entities_and_emotions_find_more_of_what_several_turns_say(
    means: dict[str, dict[int, float]],
) -> None:
    assert means[ALL_PARTS][1] >= means[WITHOUT][1]
