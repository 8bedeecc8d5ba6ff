"""Whose colour each coloured part of a message is, and how sure that is."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.colours.coloured_text import ColouredSpan, read_coloured_text
from cortexfs.core.stories.colours.name_clues import (
    Clue,
    Clues,
    find_focus,
    has_first_person,
    is_verb,
    read_clues,
)
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.entities.common_words import FUNCTION_WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

WITH_VERB, BEFORE_SPEECH, AFTER_SPEECH = 0.90, 0.88, 0.85
TAG_BEFORE, TAG_AFTER = 0.90, 0.92
NEAR, NEARBY = (100, 0.78), (200, 0.65)
FIRST_PERSON, FIRST_PERSON_OF_SEVERAL = 0.70, 0.45
OWNER, OWNER_OF_SEVERAL = 0.50, 0.35
SAME_COLOUR, BESIDE = 0.70, 0.75
"""The most that a colour elsewhere, and the part beside it, can say."""
SURE = 0.85
MIN_OWNED_CHARS = 10
_REACH = 120
_LEAD_IN = re.compile(r"[^.!?\n\"“”«»]{0,80}[,:—–-]\s*$")
_BLANK = re.compile(r"[\"”“»」]?[\s*_,;:—–.-]*")
_VERB_BEFORE = re.compile(r"[\"”“»」]?[\s,.!?…*_—–-]{0,9}(?P<verb>[^\W\d_]{3,20})\s{1,3}$")
_QUOTES = re.compile('["“”«»„「」]')

Whose = tuple[str, float]
"""A name, and how sure it is."""


class Message(NamedTuple):
    """A message: its mentions, its coloured parts, its speaker (or nobody: an empty text)."""

    clues: Clues
    spans: tuple[ColouredSpan, ...]
    owner: str
    has_several: bool


class Attribution(NamedTuple):
    """A coloured part, whose colour it is (nobody's: an empty text), and how sure that is."""

    span: ColouredSpan
    text: str
    name: str
    confidence: float


def attribute_colours(text: str, owner: str, people: Mapping[str, str]) -> list[Attribution]:
    """Return whose colour each coloured part of a message is.

    `owner` is the name of its speaker, empty if that is nobody's; `people` has the name of each
    written form.
    """
    plain, spans = read_coloured_text(text)
    clues = read_clues(plain, people)
    subjects = {clue.name for clue in clues.mentions if not clue.quoted} - {owner}
    message = Message(clues, spans, owner, bool(subjects))
    found = [_attribute(message, number) for number in range(len(spans))]
    found = _use_same_colour(spans, found)
    found = _use_parts_beside(message, found)
    found = [
        each or _attribute_by_owner(message, span) for each, span in zip(found, spans, strict=True)
    ]
    return [
        Attribution(span, plain[span.start : span.end], *(each or ("", 0.0)))
        for span, each in zip(spans, found, strict=True)
    ]


def _attribute(message: Message, number: int) -> Whose | None:
    """Return whose a part is by its own words, and by those around it."""
    is_narration = message.spans[number].usage == ColourUsage.NARRATION
    direct = (_find_subject, _find_around) if is_narration else (_find_around, _find_subject)
    steps: tuple[Callable[[Message, int], Whose | None], ...] = (
        *direct,
        _find_first_person,
        _find_focus,
        _find_nearest,
    )
    return next(filter(None, (step(message, number) for step in steps)), None)


def _find_subject(message: Message, number: int) -> Whose | None:
    """Return the first name of a part that has a verb there."""
    span = message.spans[number]
    named = message.clues.select(span.start, span.end)
    subject = next((clue for clue in named if clue.has_verb and not clue.quoted), None)
    return (subject.name, WITH_VERB) if subject else None


def _find_around(message: Message, number: int) -> Whose | None:
    """Return who is said to say or think a part, right after or before it."""
    span = message.spans[number]
    if span.usage == ColourUsage.NARRATION:
        return None
    start, end = message.clues.find_paragraph(span.start)
    after = next(iter(_select_free(message, span.end, min(end, span.end + _REACH))), None)
    if after and _is_said_after(message.clues.plain, span.end, after):
        return after.name, _prefer_tag(message, after, AFTER_SPEECH, TAG_AFTER)
    before = _select_free(message, max(start, span.start - _REACH), span.start)[-1:]
    for clue in before:
        between = message.clues.plain[clue.end : span.start]
        if clue.has_verb and _LEAD_IN.fullmatch(between):
            return clue.name, _prefer_tag(message, clue, BEFORE_SPEECH, TAG_BEFORE)
    return None


def _select_free(message: Message, start: int, end: int) -> tuple[Clue, ...]:
    return tuple(clue for clue in message.clues.select(start, end) if not clue.quoted)


def _is_said_after(plain: str, end: int, clue: Clue) -> bool:
    """Return whether a name follows speech: `Kael said`, `said Kael`, `sagte Kael`."""
    between = plain[end : clue.start]
    if _BLANK.fullmatch(between):
        return clue.has_verb
    verb = _VERB_BEFORE.fullmatch(between)
    if verb is None or not verb["verb"].islower():
        return False
    return is_verb(verb["verb"]) or verb["verb"] not in FUNCTION_WORDS


def _prefer_tag(message: Message, clue: Clue, plain: float, coloured: float) -> float:
    """Return the confidence of a clue, which is another one in a coloured part."""
    inside = any(span.start <= clue.start < span.end for span in message.spans)
    return coloured if inside else plain


def _find_first_person(message: Message, number: int) -> Whose | None:
    """Return the speaker if the part, or what stands beside speech, tells of `I`."""
    if not message.owner:
        return None
    span, plain = message.spans[number], message.clues.plain
    told = plain[span.start : span.end]
    if span.usage == ColourUsage.SPEECH:
        end = message.clues.find_paragraph(span.start)[1]
        told = _QUOTES.split(plain[span.end : end], maxsplit=1)[0]
        told = re.split(r"[.!?]", told, maxsplit=1)[0]
    if not has_first_person(told):
        return None
    return message.owner, FIRST_PERSON_OF_SEVERAL if message.has_several else FIRST_PERSON


def _find_focus(message: Message, number: int) -> Whose | None:
    return find_focus(message.clues, message.spans[number].start)


def _find_nearest(message: Message, number: int) -> Whose | None:
    """Return the nearest name of the same paragraph; none of two that are equally near."""
    span = message.spans[number]
    free = _select_free(message, *message.clues.find_paragraph(span.start))
    distances = sorted((_measure(span, clue), clue.name) for clue in free)
    if not distances:
        return None
    rival = next((far for far, name in distances if name != distances[0][1]), None)
    if rival == distances[0][0]:
        return None
    for limit, confidence in (NEAR, NEARBY):
        if distances[0][0] < limit:
            return distances[0][1], confidence
    return None


def _measure(span: ColouredSpan, clue: Clue) -> int:
    return max(0, clue.start - span.end, span.start - clue.end)


def _use_same_colour(
    spans: Sequence[ColouredSpan], found: Sequence[Whose | None]
) -> list[Whose | None]:
    """Give what is unsure to whom its colour belongs elsewhere in the message."""
    owners: dict[tuple[str, ColourUsage], Counter[str]] = {}
    for span, whose in zip(spans, found, strict=True):
        if whose and whose[1] >= SURE:
            for usage in ColourUsage:
                weight = 2 if usage == span.usage else 1
                owners.setdefault((span.colour, usage), Counter())[whose[0]] += weight
    changed: list[Whose | None] = []
    for span, whose in zip(spans, found, strict=True):
        counted = owners.get((span.colour, span.usage), Counter()).most_common(2)
        is_clear = len(counted) == 1 or (len(counted) > 1 and counted[0][1] > counted[1][1])
        unsure = whose is None or whose[1] < SURE
        agrees = whose is not None and counted and whose[0] == counted[0][0]
        changed.append(
            (counted[0][0], SAME_COLOUR) if unsure and is_clear and not agrees else whose
        )
    return changed


def _use_parts_beside(message: Message, found: Sequence[Whose | None]) -> list[Whose | None]:
    """Give what is nobody's to whom the part beside it in the paragraph belongs."""
    changed = list(found)
    for number in range(len(found)):
        if found[number] is None:
            beside = [whose for whose in _iter_beside(message, found, number) if whose]
            if beside and len({name for name, _ in beside}) == 1:
                changed[number] = beside[0][0], min(BESIDE, max(sure for _, sure in beside))
    return changed


def _iter_beside(
    message: Message, found: Sequence[Whose | None], number: int
) -> Iterator[Whose | None]:
    paragraph = message.clues.find_paragraph(message.spans[number].start)
    for other in (number - 1, number + 1):
        is_there = 0 <= other < len(found)
        if is_there and message.clues.find_paragraph(message.spans[other].start) == paragraph:
            yield found[other]


def _attribute_by_owner(message: Message, span: ColouredSpan) -> Whose | None:
    """Return the speaker of a message of whose part nothing else is known."""
    if (
        not message.owner
        or len(message.clues.plain[span.start : span.end].strip()) <= MIN_OWNED_CHARS
    ):
        return None
    return message.owner, OWNER_OF_SEVERAL if message.has_several else OWNER
