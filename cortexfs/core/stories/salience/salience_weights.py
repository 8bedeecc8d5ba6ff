"""The weights of the parts of a salience; `stories: salience:` in `cortexfs.yaml` changes them."""

from __future__ import annotations

from typing import NamedTuple

WORDS_PER_POINT = 800
"""Words of a passage that would give a length of 1, before its cap."""
FULL_DIALOGUE_QUOTES = 4
INTENSIFIER_FACTOR, DIMINISHER_FACTOR = 1.5, 0.6
PRONOUN_SHARE = 0.6
"""What an emotion verb counts after a pronoun, compared with one after a name."""
MIN_DENSITY_WORDS = 10
DENSITY_FACTOR = 1.5


class SalienceWeights(NamedTuple):
    """What each part adds to a salience, which is at most 1; `max_` is the cap of a part."""

    max_length: float = 0.15
    dialogue: float = 0.06
    action: float = 0.04
    introspection: float = 0.06
    scene: float = 0.05
    voiced_dialogue: float = 0.05
    lore: float = 0.05
    punctuation: float = 0.012
    capitals: float = 0.008
    emphasis: float = 0.008
    max_intensity: float = 0.08
    question: float = 0.015
    short_line: float = 0.01
    commitment: float = 0.04
    revelation: float = 0.035
    declaration: float = 0.04
    decision: float = 0.03
    insult: float = 0.025
    max_dialogue_content: float = 0.15
    agency: float = 0.025
    max_agency: float = 0.1
    max_density: float = 0.08
    milestone: float = 0.06
    disruption: float = 0.04
    emotion_phrase: float = 0.05
    emotion_word: float = 0.035
    flag: float = 0.06
    many_emotions: float = 0.07
    many_flags: float = 0.06
    dialogue_and_introspection: float = 0.05
    scene_and_dialogue: float = 0.04
    mixed_emotions: float = 0.08
    milestone_and_emotion: float = 0.05
    disruption_and_flag: float = 0.04


DEFAULT_WEIGHTS = SalienceWeights()
