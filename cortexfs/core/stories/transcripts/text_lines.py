"""Transcripts as text: exports of WhatsApp, and lines of `Name: text`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stores.json_fields import BadEntry
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.json_lines import refuse
from cortexfs.core.stories.transcripts.transcript import (
    SYSTEM,
    USER,
    Conversation,
    clean_message,
    guess_role,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.stories.transcripts.transcript import RefusedLine

_MARKS = re.compile("[\u200e\u200f\u202a-\u202e\ufeff]")
_WIDE_SPACES = re.compile("[\u00a0\u202f\u2009]")
WHATSAPP_LINE = re.compile(
    r"\[?(?P<date>\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\.?,? (?:at |um |à |a las )?"
    r"(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?:[:.](?P<second>\d\d))?"
    r"(?: ?(?P<half>[ap])\.? ?m\.?)?(?:\] ?|:? - |: )(?P<rest>.*)",
    re.IGNORECASE | re.ASCII,
)
_WHATSAPP_SPEAKER = re.compile(r"(?P<speaker>[^:\n]{1,100}): ?(?P<text>.*)", re.DOTALL)
PLAIN_LINE = re.compile(
    r"(?:\*\*|__)?(?P<speaker>[^\s:*_>#|`-][^:\n*`|]{0,59}?)(?:\*\*|__)?:(?:\*\*|__)?"
    r"(?: (?P<text>.*)|$)"
)
_MAX_NAME_WORDS = 4
_NO_NAME = re.compile(r"[.!?,;\"(){}\[\]<>=]\s|[!?,;\"{}\[\]<>=]|\\|^\d+$|^https?$")
_NOON = 12
_SHORT_YEAR = 100
_MAX_MONTH = 12


class _Line(NamedTuple):
    """The first line of a message of WhatsApp, with its number, and the lines after it."""

    number: int
    date: tuple[int, int, int]
    clock: tuple[int, int, int]
    body: str
    is_dated_by_dots: bool
    has_halves: bool


def parse_whatsapp(text: str, refused: list[RefusedLine]) -> list[Conversation]:
    """Return the conversation of an export of WhatsApp; its times are taken as UTC.

    The order of day and month is that in which every date is one; if both are possible, the one
    in which time does not go back.
    """
    lines = list(_iter_whatsapp_lines(text, refused))
    order = _find_date_order(lines)
    messages: list[Message] = []
    for line in lines:
        time = _make_time(line, order)
        said = _WHATSAPP_SPEAKER.fullmatch(line.body)
        if not time:
            refuse(refused, line.number, "it has no valid date")
            continue
        speaker, body = (said["speaker"], said["text"]) if said else ("", line.body)
        role = USER if said else SYSTEM
        messages += _clean(refused, line.number, Message("", time, speaker, role, body))
    return [Conversation("", tuple(messages))]


def parse_plain(text: str, refused: list[RefusedLine]) -> list[Conversation]:
    """Return the conversation of lines of `Name: text`; other lines continue a message."""
    messages: list[Message] = []
    parts: list[str] = []
    begun, speaker = 0, ""
    for number, line in enumerate((*text.split("\n"), None), start=1):
        found = match_plain_line(line) if line is not None else None
        if line is None or found:
            if speaker:
                said = Message("", "", speaker, guess_role(speaker), "\n".join(parts))
                messages += _clean(refused, begun, said)
            speaker, parts = (found[0], [found[1]]) if found else ("", [])
            begun = number
        elif speaker:
            parts.append(line)
        elif line.strip():
            refuse(refused, number, "nobody says it: the line has no `Name: ` before it")
    return [Conversation("", tuple(messages))]


def match_plain_line(line: str) -> tuple[str, str] | None:
    """Return the speaker and the text of a line of `Name: text`; None for any other line."""
    found = PLAIN_LINE.fullmatch(line.rstrip("\r"))
    if found is None:
        return None
    speaker = found["speaker"].strip()
    if len(speaker.split()) > _MAX_NAME_WORDS or _NO_NAME.search(speaker):
        return None
    if speaker[0].islower() and " " in speaker:
        return None  # `she said: no` is prose, `melina: no` is not
    return speaker, found["text"] or ""


def match_whatsapp_line(line: str) -> re.Match[str] | None:
    """Return the match of the first line of a message of WhatsApp; None for any other line."""
    return WHATSAPP_LINE.fullmatch(_WIDE_SPACES.sub(" ", _MARKS.sub("", line[:300])) + line[300:])


def _clean(refused: list[RefusedLine], number: int, message: Message) -> list[Message]:
    """Return a cleaned message as a list; an empty one without text, or if it is refused."""
    try:
        cleaned = clean_message(message)
    except BadEntry as error:
        refuse(refused, number, str(error))
        return []
    return [cleaned] if cleaned else []


def _iter_whatsapp_lines(text: str, refused: list[RefusedLine]) -> Iterator[_Line]:
    """Yield each message with the lines that continue it."""
    current: _Line | None = None
    parts: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        found = match_whatsapp_line(line.rstrip("\r"))
        if found is None:
            if current is None and line.strip():
                refuse(refused, number, "it has no date")
            parts.append(line)
            continue
        if current:
            yield current._replace(body="\n".join(parts))
        current, parts = _read_whatsapp_line(number, found), [found["rest"]]
    if current:
        yield current._replace(body="\n".join(parts))


def _read_whatsapp_line(number: int, found: re.Match[str]) -> _Line:
    first, second, third = (int(part) for part in re.split(r"[./-]", found["date"]))
    hour, half = int(found["hour"]), (found["half"] or "").lower()
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    clock = (hour, int(found["minute"]), int(found["second"] or 0))
    return _Line(
        number, (first, second, third), clock, "", "." in found["date"], has_halves=bool(half)
    )


def _find_date_order(lines: Sequence[_Line]) -> tuple[int, int, int]:
    """Return where year, month and day are in the dates of a file."""
    if any(line.date[0] >= _SHORT_YEAR for line in lines):
        return 0, 1, 2
    day_first, month_first = (2, 1, 0), (2, 0, 1)
    if any(line.date[0] > _MAX_MONTH for line in lines):
        return day_first
    if any(line.date[1] > _MAX_MONTH for line in lines):
        return month_first
    steps_back = [
        sum(then < before for before, then in _pairs(_make_time(line, order) for line in lines))
        for order in (day_first, month_first)
    ]
    if steps_back[0] != steps_back[1]:
        return day_first if steps_back[0] < steps_back[1] else month_first
    has_halves = any(line.has_halves and not line.is_dated_by_dots for line in lines)
    return month_first if has_halves else day_first


def _pairs(times: Iterable[str]) -> Iterator[tuple[str, str]]:
    before = ""
    for time in times:
        if time:
            yield before, time
            before = time


def _make_time(line: _Line, order: tuple[int, int, int]) -> str:
    """Return the time of a message in UTC; empty if there is no such day or hour."""
    year, month, day = (line.date[place] for place in order)
    year += 2000 if year < _SHORT_YEAR else 0
    try:
        moment = datetime(year, month, day, *line.clock, tzinfo=UTC)
    except ValueError:
        return ""
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}".zfill(20)
