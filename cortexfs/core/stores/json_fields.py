"""Read fields of untrusted JSON: text, numbers, times, lists; a wrong type is a `BadEntry`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.stores.stored_values import BrokenEntry
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Json = object
ValueT = TypeVar("ValueT")

MAX_CONTENT_CHARS = 1_000_000
"""Maximum characters of one memory; a longer one is reported, not cut."""
MAX_ID_CHARS = 200
_MILLISECONDS_FROM = 1e11
"""Larger numbers of seconds would be after the year 5000: they are milliseconds."""


class BadEntry(ValueError):
    """An entry of a store that cannot be read; the message gives the reason."""


def parse_entries(
    entries: Json,
    place: str,
    parse: Callable[[Mapping[str, Json], int], ValueT | None],
    broken: list[BrokenEntry],
) -> list[ValueT]:
    """Parse each entry of a list; an entry that cannot be read is added to `broken`."""
    if entries is None:
        return []
    if not isinstance(entries, list):
        broken.append(BrokenEntry(place, "it is not a list"))
        return []
    found: list[ValueT] = []
    for number, entry in enumerate(entries):
        try:
            value = parse(require_object(entry), number)
        except BadEntry as error:
            broken.append(BrokenEntry(f"{place}[{number}]", str(error)))
        else:
            found += [] if value is None else [value]
    return found


def require_object(entry: Json) -> Mapping[str, Json]:
    """Return an entry that is an object; raise `BadEntry` for any other."""
    if not isinstance(entry, dict):
        raise BadEntry("it is not an object")
    return entry


def read_text(entry: Mapping[str, Json], *keys: str) -> str:
    """Return the first of these fields that is not empty, as text; numbers become text."""
    for key in keys:
        value = entry.get(key)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise BadEntry(f"`{key}` is not text")
        if len(text := to_valid_text(str(value))) > MAX_CONTENT_CHARS:
            raise BadEntry(f"`{key}` has over {MAX_CONTENT_CHARS:,} characters")
        if text.strip():
            return text
    return ""


def require_text(entry: Mapping[str, Json], *keys: str) -> str:
    """Return one of these fields as text; raise `BadEntry` if all are empty."""
    text = read_text(entry, *keys)
    if not text:
        raise BadEntry(f"`{keys[0]}` is missing or empty")
    return text


def read_line(entry: Mapping[str, Json], *keys: str) -> str:
    """Return a short field on one line: an id, a name, a type."""
    return truncate_line(read_text(entry, *keys), MAX_ID_CHARS)


def require_line(entry: Mapping[str, Json], *keys: str) -> str:
    """Return a short field on one line; raise `BadEntry` if it is empty."""
    return to_one_line(truncate_line(require_text(entry, *keys), MAX_ID_CHARS))


def read_count(entry: Mapping[str, Json], key: str, default: int = 0) -> int:
    """Return a field that counts something; the default for any other value."""
    value = entry.get(key)
    is_count = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 31
    return value if is_count and isinstance(value, int) else default


def read_lines(entry: Mapping[str, Json], key: str) -> list[str]:
    """Return the texts in a list, or one text as a list; values of other types are left out."""
    value = entry.get(key)
    items = value if isinstance(value, list) else [value]
    return [to_valid_text(item) for item in items if isinstance(item, str) and item.strip()]


def read_time(entry: Mapping[str, Json], *keys: str) -> str:
    """Return a time in UTC, `2026-05-06T20:31:10Z`; an empty string if there is none."""
    for key in keys:
        if time := to_utc_time(entry.get(key)):
            return time
    return ""


def to_utc_time(value: Json) -> str:
    """Return a time in UTC, from ISO 8601, from SQLite's form, or from seconds since 1970."""
    try:
        if isinstance(value, str) and value.strip():
            moment = datetime.fromisoformat(value.strip())
        elif isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if abs(value) >= _MILLISECONDS_FROM else value
            moment = datetime.fromtimestamp(seconds, UTC)
        else:
            return ""
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ").zfill(20)
    except (ValueError, OverflowError, OSError):
        return ""


def to_valid_text(text: str) -> str:
    """Return a text that can be written as UTF-8, with LF, and without NUL."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
