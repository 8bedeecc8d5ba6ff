"""Where the values of a JSON text are, so that one is replaced and every other byte stays."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stores.json_fields import Json

_SPACE = re.compile(r"[ \t\n\r]*")
_decode = json.JSONDecoder().raw_decode


class JsonValue(NamedTuple):
    """A value, and its place in the text."""

    value: Json
    start: int
    end: int


def read_members(text: str) -> dict[str, JsonValue]:
    """Return the members of a text that is one object; of two with one name the last.

    Raises `ValueError` for any other text, and `RecursionError` if it is nested too deep.
    """
    members: dict[str, JsonValue] = {}
    at = _expect(text, 0, "{")
    if text.startswith("}", at):
        return members
    while True:
        _expect(text, at, '"')
        key, end = _decode(text, at)
        found = _read_value(text, _expect(text, end, ":"))
        members[key] = found
        at = _skip(text, found.end)
        if text.startswith("}", at):
            if _skip(text, at + 1) < len(text):
                raise ValueError("something follows the object")
            return members
        at = _expect(text, at, ",")


def iter_items(text: str, start: int) -> Iterator[JsonValue]:
    """Yield the items of the list that begins at a place of a text that was read before."""
    at = _expect(text, start, "[")
    while not text.startswith("]", at):
        found = _read_value(text, at)
        yield found
        at = _skip(text, found.end)
        if text.startswith(",", at):
            at = _skip(text, at + 1)


def splice(text: str, changes: list[tuple[int, int, str]]) -> str:
    """Return a text in which some places, in ascending order, have another text."""
    parts, at = list[str](), 0
    for start, end, new in changes:
        parts += (text[at:start], new)
        at = end
    return "".join((*parts, text[at:]))


def _read_value(text: str, at: int) -> JsonValue:
    value, end = _decode(text, at)
    return JsonValue(value, at, end)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _expect(text: str, at: int, sign: str) -> int:
    """Return the place of what follows a sign; raise `ValueError` without the sign."""
    at = _skip(text, at)
    if not text.startswith(sign, at):
        raise ValueError(f"`{sign}` is missing")
    return _skip(text, at + 1)
