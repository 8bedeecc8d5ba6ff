"""Find the date of a foreign note: in its frontmatter, its file name, or its mtime."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DATE_KEYS = (
    "date",
    "created",
    "created_at",
    "created-at",
    "createdat",
    "created_on",
    "created-on",
    "date_created",
    "date-created",
    "date created",
    "creation_date",
    "creation-date",
    "creation date",
    "timestamp",
    "published",
    "publishdate",
)
"""Frontmatter keys of a date, in lower case; the first key with a date counts."""

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]{{0,6}}\.?"
_YEAR_FIRST = re.compile(r"(?<!\d)(\d{4})([-_./])(\d{1,2})\2(\d{1,2})(?!\d)", re.ASCII)
_COMPACT = re.compile(
    r"(?<![\d.])((?:19|20)\d\d)(0[1-9]|1[0-2])([0-3]\d)(?:T?[0-2]\d[0-5]\d(?:[0-5]\d)?)?(?!\d)",
    re.ASCII,
)
_DAY_FIRST = re.compile(r"(?<!\d)(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)", re.ASCII)
_MONTH_FIRST = re.compile(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.ASCII)
_MONTH_SECOND = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (\d{{4}})\b", re.ASCII)
_MAX_SEARCHED_CHARS = 200
_EPOCH_FROM, _EPOCH_TO = 10**8, 10**10
_MILLISECONDS = 1000


def find_note_day(values: Mapping[str, object], path: str, modified: str) -> str:
    """Return the date of a note as YYYY-MM-DD."""
    lowered = {key.lower(): values[key] for key in reversed(list(values))}
    days = (_parse_day(lowered.get(key)) for key in DATE_KEYS)
    return next(filter(None, days), None) or _find_day_in_path(path) or modified


def find_day_in_text(text: str) -> str:
    """Return the first date in a text as YYYY-MM-DD; empty if there is none."""
    text = text[:_MAX_SEARCHED_CHARS].lower()
    for pattern, order in (
        (_YEAR_FIRST, (1, 3, 4)),
        (_COMPACT, (1, 2, 3)),
        (_DAY_FIRST, (3, 2, 1)),
        (_MONTH_FIRST, (3, 1, 2)),
        (_MONTH_SECOND, (3, 2, 1)),
    ):
        for found in pattern.finditer(text):
            if day := _to_iso_day(*(found[at] for at in order)):
                return day
    return ""


def _parse_day(value: object) -> str:
    match value:
        case date():  # a datetime too: its day is that of its own time zone
            return f"{value.year:04d}-{value.month:02d}-{value.day:02d}"
        case str():
            return find_day_in_text(value)
        case bool():
            return ""
        case int():
            return find_day_in_text(str(value)) or _parse_epoch(value)
        case [first, *_]:
            return _parse_day(first) if not isinstance(first, list) else ""
    return ""


def _parse_epoch(seconds: int) -> str:
    if seconds >= _EPOCH_FROM * _MILLISECONDS:
        seconds //= _MILLISECONDS
    if not _EPOCH_FROM <= seconds < _EPOCH_TO:
        return ""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def _find_day_in_path(path: str) -> str:
    """Search the file name, then the folders: `2026/05/06.md` is a daily note too."""
    stem = path.rpartition("/")[2].rpartition(".")[0]
    return find_day_in_text(stem) or find_day_in_text(
        path.rpartition(".")[0][-_MAX_SEARCHED_CHARS:]
    )


def _to_iso_day(year: str, month: str, day: str) -> str:
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    try:
        return date(int(year), number, int(day)).isoformat()
    except ValueError:
        return ""
