"""A message without its tags, and where it is coloured."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from html import unescape
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.colours.colour_codes import parse_colour
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.entities.speech_marks import find_speech

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

HAS_COLOUR = re.compile(r"<(?:font|span)\b[^<>]{0,300}\bcolor\b", re.IGNORECASE)
"""What a text with a coloured part has."""
_TAG = re.compile(
    r"<(/?)([a-zA-Z][a-zA-Z0-9]{0,19})\b((?:[^<>\"']|\"[^\"<>]*\"|'[^'<>]*'){0,300})>"
)
_COLOUR = re.compile(
    r"(?:^|[\s;\"'])color\s{0,9}[=:]\s{0,9}[\"']?\s{0,9}(rgba?\([^)]{1,60}\)|[^\s;!\"'>]{1,40})"
)
_COLOURED = frozenset({"font", "span"})
_THINKING = frozenset({"i", "em", "think", "thinking", "thought", "thoughts"})
_OPENING, _CLOSING = '"“”„«»‹›「『', '"“”«»‹›」』'
_STRESS = re.compile(r"[*_]")
_THOUGHT_MARKS = (("*", "*"), ("_", "_"), ("（", "）"))
_QUOTED_SHARE = 1 / 3
_STROKES_OF_STRESS = 2
_MAX_DEPTH = 50
_ENDLESS = re.compile(r"&#(?:[0-9]{9,}|[xX][0-9a-fA-F]{9,});?")
"""No character has so high a number, and Python refuses to read one of thousands of digits."""
MAX_SPANS = 500
"""Coloured parts of one message that are read; nobody colours more."""

Range = tuple[int, int]


class ColouredSpan(NamedTuple):
    """A coloured part of a plain text, from `start` to `end`, and what it shows."""

    colour: str
    start: int
    end: int
    usage: ColourUsage


class ColouredText(NamedTuple):
    """A text without tags, and its coloured parts in their order."""

    plain: str
    spans: tuple[ColouredSpan, ...]


class _Range(NamedTuple):
    start: int
    end: int
    colour: str


class _Marks(NamedTuple):
    """Where thoughts are marked by tags, united and one by one, and where speech is."""

    thoughts: Sequence[Range]
    inner: Sequence[Range]
    speech: Sequence[Range]


def read_coloured_text(text: str) -> ColouredText:
    """Return a message without tags, with its coloured parts; one in another belongs to itself.

    A tag that is never closed ends with the text.
    """
    pieces: list[str] = []
    opened: list[tuple[str, int, str]] = []
    ranges: list[_Range] = []
    length, at = 0, 0
    for tag in _TAG.finditer(text):
        piece = _unescape(text[at : tag.start()])
        pieces.append(piece)
        length, at = length + len(piece), tag.end()
        name = tag[2].lower()
        if name == "br":
            pieces.append("\n")
            length += 1
        elif name in _COLOURED or name in _THINKING:
            if not tag[1]:
                opened = [*opened[-_MAX_DEPTH:], (name, length, _find_colour(tag[3]))]
            else:
                ranges += _close(opened, name, length)
    pieces.append(_unescape(text[at:]))
    plain = "".join(pieces)
    ranges += [_Range(start, len(plain), colour) for _, start, colour in opened]
    return ColouredText(plain, tuple(_make_spans(plain, ranges)))


def remove_tags(text: str) -> str:
    """Return a text without tags."""
    return _TAG.sub("", text) if "<" in text else text


def remove_colour_tags(text: str) -> str:
    """Return a text without tags that give colours; others may be what was talked about."""
    if "<" not in text:
        return text
    return _TAG.sub(lambda tag: "" if tag[2].lower() in _COLOURED else tag[0], text)


def _unescape(text: str) -> str:
    return unescape(_ENDLESS.sub("\ufffd", text))


def _close(opened: list[tuple[str, int, str]], name: str, end: int) -> list[_Range]:
    """Take the last open tag of a name away, and return its range."""
    for place in range(len(opened) - 1, -1, -1):
        if opened[place][0] == name:
            _, start, colour = opened.pop(place)
            return [_Range(start, end, colour)]
    return []


def _find_colour(attributes: str) -> str:
    """Return the colour that the attributes of a tag set; empty if none."""
    found = _COLOUR.search(attributes.lower())
    return (parse_colour(found[1]) or "") if found else ""


def _make_spans(plain: str, ranges: list[_Range]) -> list[ColouredSpan]:
    marks = _Marks(
        _unite((each.start, each.end) for each in ranges if not each.colour),
        sorted((each.start, each.end) for each in ranges if not each.colour),
        find_speech(plain),
    )
    coloured = sorted(each for each in ranges if each.colour)[:MAX_SPANS]
    spans: list[ColouredSpan] = []
    for place, each in enumerate(coloured):
        inner = coloured[place + 1] if place + 1 < len(coloured) else None
        end = min(each.end, inner.start) if inner else each.end
        if plain[each.start : end].strip():
            usage = _find_usage(plain, (each.start, end), marks)
            spans.append(ColouredSpan(each.colour, each.start, end, usage))
    return spans


def _unite(ranges: Iterable[Range]) -> list[Range]:
    """Return the same places as ranges of which none overlaps another, in order."""
    united: list[Range] = []
    for start, end in sorted(ranges):
        if united and start <= united[-1][1]:
            united[-1] = united[-1][0], max(end, united[-1][1])
        else:
            united.append((start, end))
    return united


def _find_usage(plain: str, part: Range, marks: _Marks) -> ColourUsage:
    """Return what a part shows: speech if it is quoted, a thought if it is marked as one."""
    content = plain[part[0] : part[1]].strip()
    bare = _STRESS.sub("", content).strip()
    if not bare:
        return ColourUsage.NARRATION
    if bare[0] in _OPENING or bare[-1] in _CLOSING or _is_mostly_quoted(part, marks.speech):
        return ColourUsage.SPEECH
    if _is_in_thought_tags(plain, part, marks) or _is_between_thought_marks(plain, part):
        return ColourUsage.THOUGHT
    return ColourUsage.NARRATION


def _is_between_thought_marks(plain: str, part: Range) -> bool:
    """Return whether a part is in asterisks, but not in two, which are stress."""
    content = plain[part[0] : part[1]].strip()
    before, after = (
        plain[max(0, part[0] - 9) : part[0]].rstrip(),
        plain[part[1] : part[1] + 9].lstrip(),
    )
    for opening, closing in _THOUGHT_MARKS:
        inside = content.startswith(opening) and content.endswith(closing)
        around = before.endswith(opening) and after.startswith(closing)
        marked = content if inside else before[::-1]
        strokes = len(marked) - len(marked.lstrip(opening))
        if (inside or around) and strokes != _STROKES_OF_STRESS:
            return True
    return False


def _is_mostly_quoted(part: Range, speech: Sequence[Range]) -> bool:
    near = speech[max(0, bisect_left(speech, part) - 1) : bisect_left(speech, (part[1], 0))]
    overlap = sum(max(0, min(part[1], end) - max(part[0], start)) for start, end in near)
    return overlap >= (part[1] - part[0]) * _QUOTED_SHARE


def _is_in_thought_tags(plain: str, part: Range, marks: _Marks) -> bool:
    """Return whether a part lies in a thought, or a thought is all of the part."""
    place = bisect_right(marks.thoughts, (part[0], len(plain))) - 1
    if place >= 0 and part[1] <= marks.thoughts[place][1]:
        return True
    at = bisect_left(marks.inner, part)
    if at == len(marks.inner) or marks.inner[at][0] >= part[1]:
        return False
    start, end = marks.inner[at]
    return plain[start : min(end, part[1])].strip() == plain[part[0] : part[1]].strip()
