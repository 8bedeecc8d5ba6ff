"""What a person wants of the agent: instructions, and corrections of what the agent just did."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.tokenize import split_words, tokenize
from cortexfs.core.patterns.habit import Habit, HabitKind

if TYPE_CHECKING:
    from collections.abc import Collection

MIN_TERMS, MAX_TERMS = 2, 12
"""Terms that a wish has: fewer say nothing, more are a task."""
_FILLER_WORDS = """
    a an the to of for it this that these those is are be me my i you your in on please just so
    then also and with using via by when whenever if we our us really now again
"""
_FILLERS = frozenset(_FILLER_WORDS.split())
_LEAD = re.compile(r"(?:(?:please|and|also|but|so|ok|okay|hey|well|then)\b[\s,:]*)+", re.IGNORECASE)
_MARKER = re.compile(
    r"(?P<plain>always|from now on|in (?:the )?future|every time|remember to|make sure"
    r"(?: that| to| you)*|(?:do not|don't|dont) forget to)\b[\s,:]*"
    r"|(?P<not>never|do not|don't|dont|no more|stop(?= \w+ing\b)|avoid)\b[\s,:]*"
    r"(?:ever\b\s*)?",
    re.IGNORECASE,
)
_PLAIN_VERBS = frozenset({"use", "prefer"})
"""Verbs with which an instruction begins even without a word such as `always`."""
_NO_WISH_WORDS = """
    mind worry know think understand see care bother hesitate have get want need believe there you
    we it he she they i case
"""
_NO_WISH = frozenset(_NO_WISH_WORDS.split())
"""Words after `don't`, `never` or `use` that make no instruction: `never mind`, `use case`."""
_DONE = "changed|added|removed|used|wrote|edited|deleted|forgot|broke|ran|put|made|did"
"""What an agent just did."""
_CUE = re.compile(
    r"(?:no|nope|nah|wrong|actually|wait|stop|undo|revert|not that|not like that|again"
    r"|(?:that|this)(?:'s| is| was)? (?:not|wrong)|i (?:said|told you|asked)"
    rf"|you (?:just )?(?:{_DONE}))"
    r"\b(?!\s+(?:problem|worries|rush|need|idea|matter))[\s,.:!-]*",
    re.IGNORECASE,
)
_REFERENCE = re.compile(
    rf"\byou (?:just |have |had |still )*(?:{_DONE}|didn't)\b"
    r"|\byour (?:change|edit|fix|version|code|test|commit|last)\b"
    r"|\b(?:revert|undo) (?:that|this|it|your|the last)\b"
    r"|\bi (?:said|told you|asked)\b"
    r"|\b(?:that|this)(?:'s| is| was) (?:not|wrong)\b",
    re.IGNORECASE,
)


class Wish(NamedTuple):
    """A wish in a sentence; `is_certain` unless only a word such as `no` points to it."""

    habit: Habit
    is_certain: bool


def parse_wish(sentence: str, recent_names: Collection[str] | None) -> Wish | None:
    """Return the wish that a sentence states, if any.

    `recent_names` are files and programs that the agent used since the last prompt; None for the
    first prompt of a session, which cannot correct anything.
    """
    if sentence.endswith("?"):
        return None
    text = _strip_lead(sentence)
    if key := _parse_instruction(text):
        return Wish(Habit(HabitKind.INSTRUCTION, key), is_certain=True)
    cue = _CUE.match(text)
    if cue is None:
        return None
    rest = _strip_lead(text[cue.end() :])
    if key := _parse_instruction(rest):
        return Wish(Habit(HabitKind.INSTRUCTION, key), is_certain=True)
    if recent_names is None:
        return None
    names = {word.lower() for word in split_words(text)}
    refers = bool(_REFERENCE.search(text)) or not names.isdisjoint(recent_names)
    key = _join_terms(text if _REFERENCE.match(text) else rest)
    return Wish(Habit(HabitKind.CORRECTION, key), refers) if key else None


def _strip_lead(text: str) -> str:
    """Return a text without the polite or joining words at its beginning."""
    lead = _LEAD.match(text)
    return text[lead.end() :] if lead else text


def _parse_instruction(text: str) -> str:
    """Return the normalized form of an instruction; empty if the text begins with none."""
    is_marked = is_negated = False
    while marker := _MARKER.match(text):
        is_marked = True
        is_negated = is_negated or marker["not"] is not None
        text = text[marker.end() :]
    first = text.partition(" ")[0].lower().strip(",.!")
    second = text.partition(" ")[2].partition(" ")[0].lower().strip(",.!")
    if first in _NO_WISH or (first in _PLAIN_VERBS and second in _NO_WISH):
        return ""
    if not is_marked and first not in _PLAIN_VERBS:
        return ""
    key = _join_terms(text, is_negated=is_negated)
    return f"not {key}" if key and is_negated else key


def _join_terms(text: str, *, is_negated: bool = False) -> str:
    """Return the terms of a wish in their order; empty if there are too few or too many.

    The order stays: `use A instead of B` is not `use B instead of A`.
    """
    kept = [word for word in split_words(text) if word.lower() not in _FILLERS]
    terms = tokenize(" ".join(kept)).words.split()
    if is_negated and len(terms) == 1:  # `avoid mocks` is `don't use mocks`
        terms = ["use", *terms]
    return " ".join(terms) if MIN_TERMS <= len(terms) <= MAX_TERMS else ""
