"""Whether a term is meant as it stands: negated, said in sarcasm, stronger or weaker."""

from __future__ import annotations

import re

from cortexfs.core.stories.salience.salience_weights import (
    DIMINISHER_FACTOR,
    INTENSIFIER_FACTOR,
)

NEGATION_CHARS, STRENGTH_CHARS = 50, 40
"""How many characters before a term are looked at, within its clause."""
SENTENCE_CHARS = 1000
"""How far back the beginning of a sentence is looked for."""

_CLAUSE_END = re.compile(
    r"[.!?;:,()\n\"\u201c\u201d\u2013\u2014\u2026]"
    r"|\b(?:but|although|though|however|yet|because|until)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not(?! only\b| just\b)|never|hardly|barely|scarcely|no(?! doubt\b| matter\b)"
    r"|cannot|without)\b|n['\u2019]t\b",
    re.IGNORECASE,
)
_NEGATIVE_PAIR = re.compile(r"\b(?:neither|nor)\b", re.IGNORECASE)
_NEVER_STOPPED = re.compile(
    r"\b(?:stop(?:s|ped|ping)?|fail(?:s|ed|ing)?|ceas(?:e|es|ed|ing))\b", re.IGNORECASE
)
_INTENSIFIER = re.compile(
    r"\b(?:very|so|extremely|utterly|completely|deeply|absolutely|truly|incredibly|overwhelmingly"
    r"|intensely|such|pure|sheer|terribly|bitterly|violently|uncontrollably)\b",
    re.IGNORECASE,
)
_DIMINISHER = re.compile(
    r"\b(?:slightly|somewhat|a little|a bit|mildly|vaguely|faintly|almost|nearly|kind of|sort of"
    r"|rather|half|a hint of|a trace of)\b",
    re.IGNORECASE,
)
_CAPITALS_BEFORE = re.compile(r"\b[A-Z]{2,}[^\w.!?]+$")
_SENTENCE_END = re.compile(r"[.!?\n](?=\s|$|\n)")


def is_negated(text: str, start: int) -> bool:
    """Return whether the term at `start` is negated in its clause; two negations affirm."""
    clause = _before_in_clause(text, start, NEGATION_CHARS)
    if _NEGATIVE_PAIR.search(clause):
        return True
    negations = len(_NEGATION.findall(clause))
    return (negations + bool(negations and _NEVER_STOPPED.search(clause))) % 2 == 1


def find_strength(text: str, start: int) -> float:
    """Return the factor of the words before a term that make it stronger or weaker; 1 is none."""
    clause = _before_in_clause(text, start, STRENGTH_CHARS)
    if _DIMINISHER.search(clause):
        return DIMINISHER_FACTOR
    return INTENSIFIER_FACTOR if _INTENSIFIER.search(clause) else 1.0


def has_capitals_before(text: str, start: int) -> bool:
    """Return whether the word before a term is in capitals: `I am SO happy`."""
    return bool(_CAPITALS_BEFORE.search(text, max(0, start - STRENGTH_CHARS), start))


def find_sentence_start(text: str, at: int) -> int:
    """Return where the sentence begins that `at` is in; 0 if that is far."""
    begin = 0
    for found in _SENTENCE_END.finditer(text, max(0, at - SENTENCE_CHARS), at):
        begin = found.end()
    return begin


def _before_in_clause(text: str, start: int, chars: int) -> str:
    before = text[max(0, start - chars) : start]
    for found in reversed(list(_CLAUSE_END.finditer(before))):
        return before[found.end() :]
    return before
