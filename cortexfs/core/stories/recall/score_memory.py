"""The score of a memory: six parts, each with its weight of the settings, which add up to it.

In a scene that goes on, what matters is what is important, recent and of the same mood, beside what
is about the same. A question is answered by what is about the same: there, relevance has nearly
all of the weight, and what else a memory has counts only as far as it is relevant.
"""

from __future__ import annotations

from math import log2
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import RecallSettings

CORE_FLOOR = 0.5
"""The lowest recency of a core memory."""
CORE_SLOWNESS = 5
"""How many times slower a core memory decays."""
FULL_READS = 16
"""Reads from which reinforcement is full."""
QUESTION_SHARE = 0.15
"""How much salience, recency, emotion and reads count for a question, compared with a scene."""
QUESTION_ENTITY = 2
"""How many times an entity counts for a question: it is about somebody, who mostly says it."""
DIGITS = 4


class ScorePart(NamedTuple):
    """A part of a score, and what it adds."""

    name: str
    value: float


class Signals(NamedTuple):
    """What is known of a memory, each from 0 to 1; `distance` is in messages, `reads` a count."""

    relevance: float
    salience: float
    distance: int
    is_core: bool
    resonance: float
    overlap: float
    reads: int


def compute_recency(distance: int, half_life: int, *, is_core: bool) -> float:
    """Return from 0 to 1 how recent a memory is; that of a core memory is never below 0.5."""
    if is_core:
        return max(CORE_FLOOR, float(0.5 ** (distance / (CORE_SLOWNESS * half_life))))
    return float(0.5 ** (distance / half_life))


def compute_reinforcement(reads: int) -> float:
    """Return from 0 to 1 how much reads reinforce a memory."""
    return min(1.0, log2(1 + max(0, reads)) / log2(1 + FULL_READS))


def score_memory(
    signals: Signals, settings: RecallSettings, *, is_question: bool
) -> tuple[ScorePart, ...]:
    """Return the parts of the score of a memory; their sum is at most that of the weights.

    For a question it can be more if `entity` weighs more than all other parts but `semantic`.
    """
    recency = compute_recency(signals.distance, settings.half_life, is_core=signals.is_core)
    reinforcement = compute_reinforcement(signals.reads)
    share = QUESTION_SHARE * signals.relevance if is_question else 1.0
    values = {
        "semantic": weigh_relevance(settings, is_question=is_question) * signals.relevance,
        "salience": settings.salience * share * signals.salience,
        "recency": settings.recency * share * recency,
        "emotion": settings.emotion * signals.resonance * share,
        "entity": settings.entity * signals.overlap * (QUESTION_ENTITY if is_question else 1),
        "reinforcement": settings.reinforcement * share * reinforcement,
    }
    return tuple([ScorePart(name, round(value, DIGITS)) for name, value in values.items()])


def weigh_relevance(settings: RecallSettings, *, is_question: bool) -> float:
    """Return the weight of relevance: for a question, most of that of other parts too."""
    if not is_question:
        return settings.semantic
    others = settings.salience + settings.recency + settings.emotion + settings.reinforcement
    gained = (1 - QUESTION_SHARE) * others - (QUESTION_ENTITY - 1) * settings.entity
    return settings.semantic + max(0.0, gained)


def sum_parts(parts: tuple[ScorePart, ...]) -> float:
    """Return the score with these parts."""
    return round(sum([part.value for part in parts]), DIGITS)
