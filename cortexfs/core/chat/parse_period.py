"""Find the time in a question: `since Monday`, `last week`, `3 days ago`, `2026-03-09`."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from cortexfs.core.find.atom_filter import parse_since

_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UNIT_DAYS = {"hour": 1, "day": 1, "week": 7, "month": 30, "year": 365}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "few": 3, "couple": 2}
_COUNT = rf"(?:[0-9]{{1,3}}|{'|'.join(_NUMBERS)})"
_UNIT = rf"(?:{'|'.join(_UNIT_DAYS)})s?"
_PERIOD = re.compile(
    r"(?i)(?<![\w/-])(?:(?:since|from|during|in|within|over)\s+)?(?:the\s+)?(?:"
    r"(?P<near>today|yesterday)"
    rf"|(?P<which>this|last|past)\s+(?:(?P<count>{_COUNT})\s+(?:of\s+)?)?(?P<unit>{_UNIT})"
    rf"|(?P<ago>{_COUNT})\s+(?P<ago_unit>{_UNIT})\s+ago"
    rf"|(?:last\s+)?(?P<weekday>{'|'.join(_WEEKDAYS)})"
    r"|(?P<day>[0-9]{4}-[0-9]{2}(?:-[0-9]{2})?|[0-9]{1,3}[dwmy])"
    r")(?![\w/-])"
)


class Period(NamedTuple):
    """The first day of a period (`2026-03-09`), and where its words are in the question."""

    since: str
    start: int
    end: int


def find_period(text: str, today: date) -> Period | None:
    """Return the first time that a question names; None if it names none."""
    for found in _PERIOD.finditer(text):
        words = {name: word.lower() for name, word in found.groupdict().items() if word}
        if day := _find_first_day(words, today):
            return Period(date.fromordinal(day).isoformat(), *found.span())
    return None


def _find_first_day(words: dict[str, str], today: date) -> int:
    """Return the first day of a period as an ordinal; 0 if there is no such day."""
    if near := words.get("near"):
        return today.toordinal() - (near == "yesterday")
    if weekday := words.get("weekday"):
        return today.toordinal() - ((today.weekday() - _WEEKDAYS.index(weekday)) % 7 or 7)
    if ago := words.get("ago"):
        return _count_back(today, _to_number(ago), words["ago_unit"])
    if unit := words.get("unit"):
        return _find_start(words["which"], words.get("count", ""), unit, today)
    return parse_since(words["day"], today)


def _find_start(which: str, count: str, unit: str, today: date) -> int:
    """Return the first day of `this week`, `last week` or `last 3 days`."""
    if count or which != "this":
        return _count_back(today, _to_number(count) if count else 1, unit)
    name = unit.removesuffix("s")
    if name == "week":
        return (today - timedelta(days=today.weekday())).toordinal()
    first = {"month": today.replace(day=1), "year": today.replace(month=1, day=1)}
    return first.get(name, today).toordinal()


def _to_number(word: str) -> int:
    return _NUMBERS.get(word) or int(word)


def _count_back(today: date, count: int, unit: str) -> int:
    return max(1, today.toordinal() - count * _UNIT_DAYS[unit.removesuffix("s")])
