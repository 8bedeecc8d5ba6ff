"""Parse a JSON document into values that know their position in the text."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn

from cortexfs.errors import Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

JsonValue = str | int | float | bool | list["JsonValue"] | dict[str, "JsonValue"] | None
"""Any JSON value."""

JsonPath = tuple[str | int, ...]
"""The keys and positions that lead to a value: `("permissions", "allow", 0)`."""

MAX_DEPTH = 100
"""Maximum nesting depth of containers; settings files stay far below it."""

MAX_CHARACTERS = 1 << 20
MAX_COMMAS = 5000
"""Maximum characters of an edited document, and commas in it: an edit parses it several times.

Typical settings have a hundredth of that.
"""
MAX_ENTRIES = 5000
"""Maximum entries of one container in a document of which only some paths are parsed."""

WHOLE: tuple[JsonPath, ...] = ((),)
"""The paths to parse if all of the document is wanted."""

_SPACE = re.compile(r"[ \t\r\n]*")
_STRING = r'"(?:[^"\\]|\\.?)*(?:"|\Z)'
_COMMENT = re.compile(_STRING + r"|(//[^\n]*|/\*.*?\*/)|/\*.*", re.DOTALL)
"""A comment without an end is searched once: it takes the rest of the text, which stays."""
_TRAILING_COMMA = re.compile(_STRING + r"|(,)(?=[ \t\r\n]*[}\]])", re.DOTALL)


@dataclass(frozen=True, slots=True)
class JsonNode:
    """One value at `text[start:end]`; `key_start` is the start of its key, if any."""

    value: JsonValue
    key_start: int
    start: int
    end: int
    children: Mapping[str | int, JsonNode] = field(default_factory=dict)


def parse_json(text: str, along: Sequence[JsonPath] = WHOLE) -> JsonNode:
    """Parse a document with its positions; raise `Unreadable` with line and column.

    With `along` only the containers on these paths, and everything below their ends, have children;
    a large document is parsed fast then.
    """
    if along == WHOLE and (len(text) > MAX_CHARACTERS or text.count(",") > MAX_COMMAS):
        limits = f"over {MAX_CHARACTERS} characters or {MAX_COMMAS} commas"
        raise Unreadable(f"the file is too large: {limits}", hint="edit it by hand")
    start = _skip_space(text, len("\ufeff") if text.startswith("\ufeff") else 0)
    root = _parse_value(text, start, start, 0, along)
    if (rest := _skip_space(text, root.end)) < len(text):
        _refuse(text, rest, "text follows the end of the document")
    return root


def parse_jsonc(text: str, along: Sequence[JsonPath] = WHOLE) -> JsonNode:
    """Parse a document that may have comments and trailing commas."""
    return parse_json(_blank_comments(text), along)


def find_node(root: JsonNode, path: JsonPath) -> JsonNode | None:
    """Return the node at a path; None if there is none."""
    node: JsonNode | None = root
    for step in path:
        node = node.children.get(step) if node else None
    return node


def _blank_comments(text: str) -> str:
    """Return the text with spaces in place of comments and trailing commas: as long as before."""
    with suppress(ValueError, RecursionError):  # fast, for large documents
        json.loads(text.removeprefix("\ufeff"))
        return text
    if "//" in text or "/*" in text:
        text = _COMMENT.sub(_blank_group, text)
    return _TRAILING_COMMA.sub(_blank_group, text)


def _blank_group(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0]) if found[1] else found[0]


def _narrow(along: Sequence[JsonPath], step: str | int) -> Sequence[JsonPath]:
    """Return what is to be parsed of one child."""
    return WHOLE if () in along else [path[1:] for path in along if path[0] == step]


def _skip_space(text: str, at: int) -> int:
    """Return the position after white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _parse_value(text: str, at: int, start: int, depth: int, along: Sequence[JsonPath]) -> JsonNode:
    """Parse the value that begins at `start`, of any type."""
    if not along or text[start : start + 1] not in ("{", "["):
        value, end = _parse_scalar(text, start)
        return JsonNode(value, at, start, end)
    if depth == MAX_DEPTH:
        _refuse(text, start, f"nested more than {MAX_DEPTH} levels deep")
    keyed = text[start] == "{"
    entries: dict[str | int, JsonNode] = {}
    at_entry = _skip_space(text, start + 1)
    while text[at_entry : at_entry + 1] != ("}" if keyed else "]"):
        if entries:
            at_entry = _skip_sign(text, at_entry, ",")
        key, inner = _parse_key(text, at_entry) if keyed else (len(entries), at_entry)
        if key in entries:
            _refuse(text, at_entry, f"the key {json.dumps(key)} is a duplicate")
        if len(entries) == MAX_ENTRIES and along != WHOLE:
            _refuse(text, at_entry, f"more than {MAX_ENTRIES} entries")
        entries[key] = _parse_value(text, at_entry, inner, depth + 1, _narrow(along, key))
        at_entry = _skip_space(text, entries[key].end)
    values = [node.value for node in entries.values()]
    plain: JsonValue = dict(zip(map(str, entries), values, strict=True)) if keyed else values
    return JsonNode(plain, at, start, at_entry + 1, entries)


def _parse_key(text: str, at: int) -> tuple[str, int]:
    """Parse a key and its colon; return the key, and the start of its value."""
    if text[at : at + 1] != '"':
        _refuse(text, at, "a key in double quotes is missing")
    key, end = _parse_scalar(text, at)
    return str(key), _skip_sign(text, _skip_space(text, end), ":")


def _skip_sign(text: str, at: int, sign: str) -> int:
    """Return the position after a required sign and the white space behind it."""
    if text[at : at + 1] != sign:
        _refuse(text, at, f"a `{sign}` is missing")
    return _skip_space(text, at + 1)


def _parse_scalar(text: str, at: int) -> tuple[JsonValue, int]:
    """Parse a string, number or word, or a container without positions; return it and its end."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except RecursionError:
        _refuse(text, at, "nested too deeply")
    except json.JSONDecodeError as error:
        reason = error.msg[0].lower() + error.msg[1:]
        _refuse(text, error.pos, reason.removesuffix(" at").removesuffix(" starting"))
    except ValueError as error:
        _refuse(text, at, str(error))
    return value, end


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def _refuse(text: str, at: int, reason: str) -> NoReturn:
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    comment = text[at : at + 2] in ("//", "/*")
    raise Unreadable(
        f"not JSON at line {line}, column {column}: {reason}",
        hint="JSON has no comments" if comment else "fix it by hand; nothing was changed",
    )
