"""Which emotions what was said last calls up, and how much a memory resonates with them."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from cortexfs.core.stories.salience.detect_emotions import detect_emotions
from cortexfs.core.stories.salience.emotion_terms import NEGATIVE, POSITIVE, Emotion

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

MAX_EMOTIONS = 6
"""Emotions that are called up at most."""
MAX_KEPT_TEXTS = 64
"""Messages whose emotions are kept: of six that are looked at five were there before."""
MATCH_SHARES = (0.40, 0.25, 0.12, 0.05)
"""What the first, the second … common emotion adds."""
INTENSE_SHARE = 0.08
"""What an intense emotion adds that is the only common one."""
POLARITY_SHARE = 0.15
"""The resonance of emotions that are merely both good or both bad."""
INTENSE = frozenset({Emotion.GRIEF, Emotion.DREAD, Emotion.BETRAYAL, Emotion.FURY, Emotion.AWE})
_AFTER_TURN = {
    True: (Emotion.RESOLVE, Emotion.REVELATION),
    False: (Emotion.MELANCHOLY, Emotion.REVELATION),
}
"""What else is called up when the mood turns: to the good, to the bad."""
_TRIGGERS = {
    Emotion.MELANCHOLY: "rain drizzle fog mist autumn dusk twilight ashes dust piano violin",
    Emotion.DREAD: "thunder lightning darkness shadows blood howl howling scream screams",
    Emotion.GRIEF: "grave graves gravestone coffin ashes candles lilies wreath",
    Emotion.INTIMACY: "candlelight fireplace blanket perfume lullaby heartbeat warmth",
    Emotion.JOY: "sunlight sunshine laughter music song dancing festival fireworks blossoms",
    Emotion.AWE: "stars starlight aurora cathedral mountains ocean dawn sunrise",
    Emotion.FURY: "flames fire smoke steel",
    Emotion.TENSION: "footsteps silence ticking alarm siren",
}
"""Things that are seen, heard or smelled, and what they remind of."""
_LEANINGS = {
    emotion: emotion not in NEGATIVE | {Emotion.MELANCHOLY, Emotion.TENSION} for emotion in Emotion
}
"""Whether the mood of an emotion is good, including those that belong to no side by themselves."""
_WORD = re.compile(r"[a-z]+")


def call_up_emotions(texts: Sequence[str]) -> tuple[Emotion, ...]:
    """Return the emotions that texts call up, oldest first, at most `MAX_EMOTIONS`.

    First those that the texts express, the last text first; then those of a turn of the mood; then
    those of which things remind that are seen or heard, unless what is expressed is the contrary.
    """
    expressed = [_detect(text) for text in reversed(texts)]
    direct = list(dict.fromkeys(emotion for found in expressed for emotion in found))
    turned = _find_turn(expressed)
    triggered = [each for text in reversed(texts[-2:]) for each in _find_triggered(text, direct)]
    return tuple(dict.fromkeys([*direct, *turned, *triggered]))[:MAX_EMOTIONS]


def resonate(called: Collection[str], memory: Collection[str]) -> float:
    """Return from 0 to 1 how much a memory with some emotions resonates with those called up."""
    return _resonate(frozenset(map(str, called)), frozenset(map(str, memory)))


@lru_cache(maxsize=4096)
def _resonate(called: frozenset[str], memory: frozenset[str]) -> float:
    common = called & memory
    if common:
        shares = MATCH_SHARES[: len(common)]
        is_intense = len(common) == 1 and common <= INTENSE
        return round(sum(shares) + (INTENSE_SHARE if is_intense else 0.0), 4)
    return POLARITY_SHARE if _polarities(called) & _polarities(memory) else 0.0


@lru_cache(maxsize=MAX_KEPT_TEXTS)
def _detect(text: str) -> tuple[Emotion, ...]:
    found = sorted(detect_emotions(text), key=lambda one: -one.strength)
    return tuple(one.emotion for one in found)


def _find_turn(expressed: Sequence[Sequence[Emotion]]) -> tuple[Emotion, ...]:
    """Return what a turn of the mood calls up: the last mood differs from the one before it."""
    moods = [mood for found in expressed if (mood := _polarities(found))]
    if len(moods) > 1 and moods[0] != moods[1] and len(moods[0]) == len(moods[1]) == 1:
        return _AFTER_TURN[next(iter(moods[0]))]
    return ()


def _find_triggered(text: str, direct: Collection[Emotion]) -> list[Emotion]:
    words = set(_WORD.findall(text.lower()))
    found = [emotion for word, emotion in _list_triggers() if word in words]
    moods = _polarities(direct) or {True, False}
    return [each for each in found if _LEANINGS[each] in moods]


@cache
def _list_triggers() -> tuple[tuple[str, Emotion], ...]:
    return tuple((word, emotion) for emotion, text in _TRIGGERS.items() for word in text.split())


def _polarities(emotions: Iterable[str]) -> frozenset[bool]:
    """Return whether there are good emotions (True), and bad ones (False)."""
    names = set(map(str, emotions))
    good, bad = names & set(map(str, POSITIVE)), names & set(map(str, NEGATIVE))
    return frozenset([True] * bool(good) + [False] * bool(bad))
