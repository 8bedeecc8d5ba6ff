"""Which emotions and narrative flags a text has: negated and sarcastic terms do not count."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.salience.emotion_terms import EMOTION_TERMS, POSITIVE, Emotion
from cortexfs.core.stories.salience.find_terms import (
    find_terms,
    list_verb_forms,
    make_term_table,
    split_words,
)
from cortexfs.core.stories.salience.narrative_terms import (
    FLAG_TERMS,
    SARCASM_TERMS,
    Flag,
)
from cortexfs.core.stories.salience.negation import (
    find_sentence_start,
    find_strength,
    has_capitals_before,
    is_negated,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cortexfs.core.stories.salience.find_terms import FoundTerm, TermTable, Word

SHOUTED_SHARE = 0.5
"""The part of words in capitals from which capitals stress nothing."""
_SARCASM = "sarcasm"


class FoundEmotion(NamedTuple):
    """An emotion, how much stronger or weaker its strongest term is, and whether it is a phrase."""

    emotion: Emotion
    strength: float
    is_phrase: bool


@cache
def emotion_table() -> TermTable:
    """Return the table of the terms of all emotions."""
    return make_term_table(EMOTION_TERMS)


@cache
def emotion_verbs() -> frozenset[str]:
    """Return each form of the verbs that express an emotion."""
    return frozenset(form for text in EMOTION_TERMS.values() for form in list_verb_forms(text))


@cache
def _flag_table() -> TermTable:
    return make_term_table(FLAG_TERMS)


@cache
def _sarcasm_table() -> TermTable:
    return make_term_table({_SARCASM: SARCASM_TERMS})


def detect_emotions(text: str, words: Sequence[Word] | None = None) -> list[FoundEmotion]:
    """Return the emotions of a text in the order of `Emotion`, each by its strongest term.

    A positive emotion in a sentence with a phrase of sarcasm, or after a word in capitals, does
    not count; capitals mean nothing where most words have them.
    """
    words = split_words(text) if words is None else words
    sarcastic = {
        find_sentence_start(text, found.start) for found in find_terms(words, _sarcasm_table())
    }
    shouted = is_shouted(text, words)
    best: dict[Emotion, FoundEmotion] = {}
    for term in find_terms(words, emotion_table()):
        emotion = Emotion(term.meaning)
        if is_negated(text, term.start):
            continue
        if emotion in POSITIVE and _is_sarcastic(text, term, sarcastic, shouted=shouted):
            continue
        found = FoundEmotion(emotion, find_strength(text, term.start), term.is_phrase)
        known = best.get(emotion)
        if known is None or _rank(found) > _rank(known):
            best[emotion] = found
    return [best[emotion] for emotion in Emotion if emotion in best]


def detect_flags(text: str, words: Sequence[Word] | None = None) -> list[Flag]:
    """Return the narrative flags of a text, in the order of `Flag`."""
    words = split_words(text) if words is None else words
    present = {
        found.meaning
        for found in find_terms(words, _flag_table())
        if not is_negated(text, found.start)
    }
    return [flag for flag in Flag if flag in present]


def is_shouted(text: str, words: Sequence[Word]) -> bool:
    """Return whether most words are in capitals, so that they stress nothing."""
    long = [text[start:end] for _, start, end in words if end - start > 1]
    shouted = sum(map(str.isupper, long))
    return shouted > SHOUTED_SHARE * len(long)


def _is_sarcastic(text: str, term: FoundTerm, sarcastic: Collection[int], *, shouted: bool) -> bool:
    if not shouted and has_capitals_before(text, term.start):
        return True
    return bool(sarcastic) and find_sentence_start(text, term.start) in sarcastic


def _rank(found: FoundEmotion) -> tuple[float, bool]:
    return found.strength * (10 if found.is_phrase else 7), found.is_phrase
