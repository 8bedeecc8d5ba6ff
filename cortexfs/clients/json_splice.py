"""Edit a JSON document as text: insert or remove one entry, and keep every other byte."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from cortexfs.errors import Refused, Unreadable

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

_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class JsonNode:
    """One value at `text[start:end]`; `key_start` is the start of its key, if any."""

    value: JsonValue
    key_start: int
    start: int
    end: int
    children: Mapping[str | int, JsonNode] = field(default_factory=dict)


class _Layout(NamedTuple):
    """The layout of the text near one container."""

    spread: bool
    unit: str
    newline: str
    colon: str

    @property
    def pause(self) -> str:
        """The white space after a comma within a line."""
        return " " if self.colon.endswith(" ") else ""

    def write(self, key: str | int, value: JsonValue, indent: str) -> str:
        """Return one entry as text, its inner lines indented below `indent`."""
        text = json.dumps(
            value,
            ensure_ascii=False,
            indent=self.unit if self.spread else None,
            separators=("," if self.spread else "," + self.pause, self.colon),
        ).replace("\n", self.newline + indent)
        name = json.dumps(key, ensure_ascii=False) + self.colon if isinstance(key, str) else ""
        return name + text


def parse_json(text: str) -> JsonNode:
    """Parse a document with its positions; raise `Unreadable` with line and column."""
    if len(text) > MAX_CHARACTERS or text.count(",") > MAX_COMMAS:
        limits = f"over {MAX_CHARACTERS} characters or {MAX_COMMAS} commas"
        raise Unreadable(f"the file is too large: {limits}", hint="edit it by hand")
    start = _skip_space(text, len("\ufeff") if text.startswith("\ufeff") else 0)
    root = _parse_value(text, start, start, 0)
    if (rest := _skip_space(text, root.end)) < len(text):
        _refuse(text, rest, "something follows the end of the document")
    return root


def find_node(root: JsonNode, path: JsonPath) -> JsonNode | None:
    """Return the node at a path; None if there is none."""
    node: JsonNode | None = root
    for step in path:
        node = node.children.get(step) if node else None
    return node


def set_value(text: str, path: JsonPath, value: JsonValue) -> str:
    """Return the text with a value set at a path; missing objects on the way are created."""
    trail = _list_nodes_along(parse_json(text), path)
    last = trail[-1]
    if len(trail) > len(path):
        style = _detect_layout(text, trail[:-1] or trail)
        new = style.write(0, value, _read_indent(text, last.start))
        return text[: last.start] + new + text[last.end :]
    step, *missing = path[len(trail) - 1 :]
    for key in reversed(missing):
        value = {str(key): value}
    if text[last.start] != ("{" if isinstance(step, str) else "["):
        raise Refused(f"`{'.'.join(map(str, path))}` leads through something of another type")
    return _insert_entry(text, trail, step, value)


def append_value(text: str, path: JsonPath, value: JsonValue) -> str:
    """Return the text with a value added to the list at a path; a missing list is created."""
    node = find_node(parse_json(text), path)
    return (
        set_value(text, (*path, len(node.children)), value)
        if node
        else set_value(text, path, [value])
    )


def remove_entry(text: str, path: JsonPath) -> str:
    """Return the text without one entry and its comma; a missing entry changes nothing."""
    root = parse_json(text)
    parent, node = find_node(root, path[:-1]), find_node(root, path)
    if not path or parent is None or node is None:
        return text
    siblings = list(parent.children.values())
    place = list(parent.children).index(path[-1])
    if len(siblings) == 1:
        start, end = parent.start + 1, parent.end - 1
    elif place == 0:
        start, end = node.key_start, siblings[1].key_start
    else:
        start, end = siblings[place - 1].end, node.end
    return text[:start] + text[end:]


def _insert_entry(text: str, trail: Sequence[JsonNode], key: str | int, value: JsonValue) -> str:
    """Add an entry at the end of the innermost container of the trail."""
    parent, style = trail[-1], _detect_layout(text, trail)
    if parent.children:
        *_, last = parent.children.values()
        gap = _read_space_before(text, last.key_start)
        indent = gap.rpartition("\n")[2]
        if style.spread:
            gap = style.newline + indent
        elif len(parent.children) == 1:
            gap = style.pause
        return text[: last.end] + "," + gap + style.write(key, value, indent) + text[last.end :]
    outer = _read_indent(text, parent.start)
    new = style.write(key, value, outer + style.unit)
    if style.spread:
        new = style.newline + outer + style.unit + new + style.newline + outer
    return text[: parent.start + 1] + new + text[parent.end - 1 :]


def _detect_layout(text: str, trail: Sequence[JsonNode]) -> _Layout:
    """Return the layout of the containers of a trail; an empty one has its parent's."""
    root = trail[0]
    spread, colon, unit = True, ": ", "  "
    for node in trail:
        if node.children:
            *_, last = node.children.values()
            spread = "\n" in _read_space_before(text, last.key_start)
            colon = text[last.key_start : last.start].rpartition('"')[2] or colon
    if root.children:
        gap = _read_space_before(text, next(iter(root.children.values())).key_start)
        if "\n" in gap:
            unit = gap.rpartition("\n")[2].removeprefix(_read_indent(text, root.start))
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    return _Layout(spread, unit, newline, colon)


def _list_nodes_along(root: JsonNode, path: JsonPath) -> list[JsonNode]:
    """Return the nodes along a path, as far as they exist."""
    nodes = (find_node(root, path[:length]) for length in range(len(path) + 1))
    return [node for node in takewhile(lambda node: node is not None, nodes) if node]


def _read_space_before(text: str, at: int) -> str:
    """Return the white space before a position."""
    start = at
    while start and text[start - 1] in " \t\r\n":
        start -= 1
    return text[start:at]


def _read_indent(text: str, at: int) -> str:
    """Return the indentation of the line of a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _skip_space(text: str, at: int) -> int:
    """Return the position after white space."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _parse_value(text: str, at: int, start: int, depth: int) -> JsonNode:
    """Parse the value that begins at `start`, of any type."""
    if text[start : start + 1] not in ("{", "["):
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
            _refuse(text, at_entry, f"the key {json.dumps(key)} stands here a second time")
        entries[key] = _parse_value(text, at_entry, inner, depth + 1)
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
    """Parse a string, number or word; return it and its end."""
    try:
        value, end = _DECODER.raw_decode(text, at)
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
