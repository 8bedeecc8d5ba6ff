"""The salience of a passage, from 0 to 1, and each part of it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.salience import narrative_terms as terms
from cortexfs.core.stories.salience.detect_emotions import (
    detect_emotions,
    detect_flags,
    emotion_verbs,
    is_shouted,
)
from cortexfs.core.stories.salience.emotion_terms import NEGATIVE, POSITIVE, Emotion
from cortexfs.core.stories.salience.find_terms import find_terms, make_term_table, split_words
from cortexfs.core.stories.salience.salience_weights import (
    DEFAULT_WEIGHTS,
    DENSITY_FACTOR,
    FULL_DIALOGUE_QUOTES,
    MIN_DENSITY_WORDS,
    PRONOUN_SHARE,
    WORDS_PER_POINT,
    SalienceWeights,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from cortexfs.core.stories.salience.detect_emotions import FoundEmotion
    from cortexfs.core.stories.salience.find_terms import TermTable, Word
    from cortexfs.core.stories.salience.narrative_terms import Flag

MAX_QUOTE_CHARS = 2000
SHORT_LINE_CHARS = 25
MANY_EMOTIONS, MANY_FLAGS = 3, 2
SCORE_DIGITS = 4

_QUOTE = re.compile(
    rf'"([^"\n]{{1,{MAX_QUOTE_CHARS}}})"|“([^”\n]{{1,{MAX_QUOTE_CHARS}}})”'
    rf"|«([^»\n]{{1,{MAX_QUOTE_CHARS}}})»"
)
_ACTION = re.compile(r"(?<!\*)\*(?![\s*])[^*\n]{10,400}\*(?!\*)")
_STRESS = re.compile(r"!!+|\.\.\.+|…")
_CAPITALS = re.compile(r"\b[^\W\d_a-z]{3,}\b")
_EMPHASIS = re.compile(r"\*\*[^*\n]{1,200}\*\*|__[^_\n]{1,200}__")
_PRONOUNS = frozenset({"i", "he", "she", "we", "they", "you", "it"})
_NO_NAMES = _PRONOUNS | {
    *("the", "a", "an", "and", "but", "or", "so", "if", "then", "when", "while", "as", "at", "in"),
    *("on", "of", "to", "for", "from", "with", "no", "not", "his", "her", "their", "my", "your"),
    *("our", "its", "this", "that", "these", "those", "there", "here", "what", "who", "where"),
    *("why", "how", "yes", "oh"),
}
_SIGNS = {
    "milestone": terms.MILESTONE_TERMS,
    "disruption": terms.DISRUPTION_TERMS,
    "introspection": terms.INTROSPECTION_TERMS,
    "scene": terms.SCENE_TERMS,
    "lore": terms.LORE_TERMS,
    "voiced_dialogue": terms.VOICE_TERMS,
}
_SPEECH_SIGNS = {
    "commitment": terms.COMMITMENT_TERMS,
    "revelation": terms.REVEALING_TERMS,
    "declaration": terms.DECLARING_TERMS,
    "decision": terms.DECIDING_TERMS,
    "insult": terms.INSULT_TERMS,
}


class SaliencePart(NamedTuple):
    """A part of a salience: its name, and what it adds."""

    name: str
    value: float


class Salience(NamedTuple):
    """A salience from 0 to 1, its parts that are not 0, and what was found."""

    score: float
    parts: tuple[SaliencePart, ...]
    emotions: tuple[Emotion, ...]
    flags: tuple[Flag, ...]

    def is_core(self, threshold: float, core_flags: Collection[str]) -> bool:
        """Return whether the memory is protected: by its salience, or by a flag."""
        return self.score >= threshold or any(flag in core_flags for flag in self.flags)


def score_passage(text: str, weights: SalienceWeights = DEFAULT_WEIGHTS) -> Salience:
    """Return the salience of a text; the same text always has the same."""
    words = split_words(text)
    emotions, flags = detect_emotions(text, words), detect_flags(text, words)
    quotes = [next(filter(None, found.groups())) for found in _QUOTE.finditer(text)]
    signs = {found.meaning for found in find_terms(words, _sign_table())}
    every = (
        *_score_form(text, words, quotes, weights),
        *_score_signs(signs, weights, has_quotes=bool(quotes)),
        *_score_names(text, words, weights),
        *_score_findings(emotions, flags, weights),
        *_score_pairs(signs, emotions, flags, weights, has_quotes=bool(quotes)),
    )
    parts = tuple(part for part in every if part.value)
    score = round(min(1.0, sum((part.value for part in parts), 0.0)), SCORE_DIGITS)
    return Salience(score, parts, tuple(found.emotion for found in emotions), tuple(flags))


@cache
def _sign_table() -> TermTable:
    return make_term_table(_SIGNS)


@cache
def _speech_table() -> TermTable:
    return make_term_table(_SPEECH_SIGNS)


def _score_form(
    text: str, words: Sequence[Word], quotes: Sequence[str], weights: SalienceWeights
) -> Iterator[SaliencePart]:
    """Yield what the length, the dialogue and the stress of a passage add."""
    yield SaliencePart("length", min(weights.max_length, len(text.split()) / WORDS_PER_POINT))
    spoken = min(1.0, len(quotes) / FULL_DIALOGUE_QUOTES)
    yield SaliencePart("dialogue", weights.dialogue * spoken)
    yield SaliencePart("action", weights.action if _ACTION.search(text) else 0.0)
    capitals = 0 if is_shouted(text, words) else len(_CAPITALS.findall(text))
    intensity = (
        len(_STRESS.findall(text)) * weights.punctuation
        + capitals * weights.capitals
        + len(_EMPHASIS.findall(text)) * weights.emphasis
    )
    yield SaliencePart("intensity", min(weights.max_intensity, intensity))
    said = sum(_score_quote(quote, weights) for quote in quotes)
    yield SaliencePart("dialogue_content", min(weights.max_dialogue_content, said))


def _score_quote(quote: str, weights: SalienceWeights) -> float:
    found = {term.meaning for term in find_terms(split_words(quote), _speech_table())}
    return (
        sum(float(getattr(weights, name)) for name in sorted(found))
        + (weights.question if "?" in quote else 0.0)
        + (weights.short_line if len(quote) < SHORT_LINE_CHARS else 0.0)
    )


def _score_signs(
    signs: Collection[str], weights: SalienceWeights, *, has_quotes: bool
) -> Iterator[SaliencePart]:
    for name in _SIGNS:
        counts = name in signs and (has_quotes or name != "voiced_dialogue")
        yield SaliencePart(name, float(getattr(weights, name)) if counts else 0.0)


def _score_names(
    text: str, words: Sequence[Word], weights: SalienceWeights
) -> Iterator[SaliencePart]:
    """Yield what named characters who feel, and the density of names, add."""
    verbs, feeling, names = emotion_verbs(), 0.0, set[str]()
    for before, word in zip((None, *words), words, strict=False):
        if text[word.start].isupper() and word.text not in _NO_NAMES:
            names.add(word.text)
        if before and word.text in verbs:
            is_name = text[before.start].isupper() and before.text not in _NO_NAMES
            feeling += 1 if is_name else PRONOUN_SHARE * (before.text in _PRONOUNS)
    yield SaliencePart("agency", min(weights.max_agency, feeling * weights.agency))
    if len(words) >= MIN_DENSITY_WORDS and not is_shouted(text, words):
        density = len(names) / len(words) * DENSITY_FACTOR
        yield SaliencePart("density", min(weights.max_density, density))


def _score_findings(
    emotions: Sequence[FoundEmotion], flags: Sequence[Flag], weights: SalienceWeights
) -> Iterator[SaliencePart]:
    for emotion, strength, is_phrase in emotions:
        weight = weights.emotion_phrase if is_phrase else weights.emotion_word
        yield SaliencePart(f"emotion {emotion}", weight * strength)
    for flag in flags:
        yield SaliencePart(f"flag {flag}", weights.flag)
    if len(emotions) >= MANY_EMOTIONS:
        yield SaliencePart("many_emotions", weights.many_emotions)
    if len(flags) >= MANY_FLAGS:
        yield SaliencePart("many_flags", weights.many_flags)


def _score_pairs(
    signs: Collection[str],
    emotions: Sequence[FoundEmotion],
    flags: Sequence[Flag],
    weights: SalienceWeights,
    *,
    has_quotes: bool,
) -> Iterator[SaliencePart]:
    """Yield what pairs of signs add."""
    felt = {found.emotion for found in emotions}
    pairs = {
        "dialogue_and_introspection": has_quotes and "introspection" in signs,
        "scene_and_dialogue": has_quotes and "scene" in signs,
        "mixed_emotions": not felt.isdisjoint(POSITIVE) and not felt.isdisjoint(NEGATIVE),
        "milestone_and_emotion": "milestone" in signs and bool(felt),
        "disruption_and_flag": "disruption" in signs and bool(flags),
    }
    for name, counts in pairs.items():
        yield SaliencePart(name, float(getattr(weights, name)) if counts else 0.0)
