"""Which emotions are called up, and how memories resonate with them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.recall.emotional_context import (
    MAX_EMOTIONS,
    call_up_emotions,
    resonate,
)
from cortexfs.core.stories.salience.emotion_terms import Emotion

SETS = st.sets(st.sampled_from(sorted(Emotion)))


@pytest.mark.parametrize(
    ("called", "memory", "expected"),
    [
        ("grief", "grief", 0.48),
        ("joy humor", "joy humor tension", 0.65),
        ("grief resolve", "resolve grief", 0.65),
        ("grief dread fury", "fury dread grief", 0.77),
        ("grief", "dread", 0.15),
        ("joy", "humor", 0.15),
        ("joy", "joy", 0.40),
        ("joy", "grief", 0.0),
        ("", "grief", 0.0),
    ],
)
def test_resonance_is_what_is_common(called: str, memory: str, expected: float) -> None:
    assert resonate(called.split(), memory.split()) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("text", "emotion"),
    [
        ("She danced in the rain", Emotion.JOY),
        ("rain fell", Emotion.MELANCHOLY),
        ("dark and cozy", Emotion.INTIMACY),
        ("A drizzle over the harbour.", Emotion.MELANCHOLY),
        ("Thunder, far away.", Emotion.DREAD),
        ("He lit the candlelight dinner.", Emotion.INTIMACY),
    ],
)
def test_things_that_are_seen_or_heard_call_up_an_emotion(text: str, emotion: Emotion) -> None:
    assert call_up_emotions([text])[0] is emotion


def test_a_thing_does_not_contradict_what_is_expressed() -> None:
    assert Emotion.MELANCHOLY not in call_up_emotions(["She danced in the rain"])


def test_what_was_said_last_comes_first() -> None:
    assert call_up_emotions(["I hate you!", "We laughed and laughed."])[0] is Emotion.HUMOR


def test_a_turn_of_the_mood_calls_up_what_it_is_like() -> None:
    to_the_bad = call_up_emotions(["They celebrated.", "He wept at the grave."])
    assert Emotion.MELANCHOLY in to_the_bad
    to_the_good = call_up_emotions(["He wept at the grave.", "They celebrated."])
    assert Emotion.RESOLVE in to_the_good
    assert Emotion.RESOLVE not in call_up_emotions(["They celebrated.", "They celebrated."])


@given(st.lists(st.text(max_size=200), max_size=8))
def test_few_emotions_are_called_up_each_once(texts: list[str]) -> None:
    found = call_up_emotions(texts)
    assert len(found) == len(set(found)) <= MAX_EMOTIONS


@given(SETS, SETS)
def test_resonance_is_symmetric_and_bounded(one: set[Emotion], other: set[Emotion]) -> None:
    assert resonate(one, other) == resonate(other, one)
    assert 0 <= resonate(one, other) <= 1
