"""Edit a JSON document as text: insert or remove one entry, and keep every other byte.

The document may have comments and trailing commas, which stay; who needs plain JSON parses first.
"""

from __future__ import annotations

import json
import re
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients.json_nodes import find_node, parse_jsonc
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.clients.json_nodes import JsonNode, JsonPath, JsonValue


_SPACE = " \t\r\n"
_TOKEN = re.compile(r"//[^\n]*|/\*.*?\*/|,", re.DOTALL)
_REST_OF_LINE = re.compile(r"(?:[ \t]*(?://[^\r\n]*|/\*[^\r\n]*?\*/))*")


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

    def format_entry(self, key: str | int, value: JsonValue, indent: str) -> str:
        """Return one entry as text, its inner lines indented below `indent`."""
        text = json.dumps(
            value,
            ensure_ascii=False,
            indent=self.unit if self.spread else None,
            separators=("," if self.spread else "," + self.pause, self.colon),
        ).replace("\n", self.newline + indent)
        name = json.dumps(key, ensure_ascii=False) + self.colon if isinstance(key, str) else ""
        return name + text


def set_value(text: str, path: JsonPath, value: JsonValue) -> str:
    """Return the text with a value set at a path; missing objects on the way are created."""
    trail = _list_nodes_along(parse_jsonc(text, [path]), path)
    last = trail[-1]
    if len(trail) > len(path):
        style = _detect_layout(text, trail[:-1] or trail)
        new = style.format_entry(0, value, _read_indent(text, last.start))
        return text[: last.start] + new + text[last.end :]
    step, *missing = path[len(trail) - 1 :]
    for key in reversed(missing):
        value = {str(key): value}
    if text[last.start] != ("{" if isinstance(step, str) else "["):
        raise Refused(f"`{'.'.join(map(str, path))}` leads through a value of another type")
    return _insert_entry(text, trail, step, value)


def append_value(text: str, path: JsonPath, value: JsonValue) -> str:
    """Return the text with a value added to the list at a path; a missing list is created."""
    node = find_node(parse_jsonc(text, [path]), path)
    return (
        set_value(text, (*path, len(node.children)), value)
        if node
        else set_value(text, path, [value])
    )


def remove_entry(text: str, path: JsonPath) -> str:
    """Return the text without one entry and its comma; a missing entry changes nothing."""
    root = parse_jsonc(text, [path])
    parent, node = find_node(root, path[:-1]), find_node(root, path)
    if not path or parent is None or node is None:
        return text
    siblings = list(parent.children.values())
    place = list(parent.children).index(path[-1])
    before = siblings[place - 1].end if place else parent.start + 1
    after = siblings[place + 1].key_start if place + 1 < len(siblings) else parent.end - 1
    comma = "," if place + 1 < len(siblings) else ""
    gaps = text[before : node.key_start].strip(_SPACE), text[node.end : after].strip(_SPACE)
    if gaps != ("," if place else "", comma):
        return _remove_beside_comments(text, (before, after), node)
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
    outer = _read_indent(text, parent.start)
    if not parent.children:
        return _insert_first(
            text, parent, style, style.format_entry(key, value, outer + style.unit)
        )
    *_, last = parent.children.values()
    gap = _read_space_before(text, last.key_start)
    indent = gap.rpartition("\n")[2]
    at, comma = _find_place_after(text, last.end, parent.end - 1)
    if style.spread or "//" in text[last.end : at]:
        gap = style.newline + indent
    elif len(parent.children) == 1:
        gap = style.pause
    new = gap + style.format_entry(key, value, indent)
    if comma:
        return text[:at] + new + "," + text[at:]
    return text[: last.end] + "," + text[last.end : at] + new + text[at:]


def _insert_first(text: str, parent: JsonNode, style: _Layout, new: str) -> str:
    """Add an entry to an empty container, behind the comments in it."""
    inner = text[parent.start + 1 : parent.end - 1]
    outer = _read_indent(text, parent.start)
    if inner.strip(_SPACE):
        gap = style.newline + outer + style.unit if "\n" in inner else " "
        at = parent.start + 1 + len(inner.rstrip(_SPACE))
        return text[:at] + gap + new + text[at:]
    if style.spread:
        new = style.newline + outer + style.unit + new + style.newline + outer
    return text[: parent.start + 1] + new + text[parent.end - 1 :]


def _find_place_after(text: str, end: int, close: int) -> tuple[int, bool]:
    """Return where the next entry goes: behind comments on the line; and whether a comma is there.

    `end` is the end of the last entry, `close` the end of its container.
    """
    comma = _find_comma(text, end, close)
    found = _REST_OF_LINE.match(text, end if comma < 0 else comma + 1, close)
    return (found.end() if found else end), comma >= 0


def _find_comma(text: str, start: int, end: int) -> int:
    """Return the position of the comma between two entries; -1 if there is none."""
    found = (token.start() for token in _TOKEN.finditer(text, start, end) if token[0] == ",")
    return next(found, -1)


def _remove_beside_comments(text: str, limits: tuple[int, int], node: JsonNode) -> str:
    """Remove an entry and one comma, but no comment; `limits` are the ends of its neighbours."""
    before, after = limits
    own, earlier = _find_comma(text, node.end, after), _find_comma(text, before, node.key_start)
    end = own + 1 if own >= 0 else node.end
    between = text[node.end : own] if own >= 0 else ""
    start = node.key_start - len(_read_space_before(text, node.key_start))
    *_, last = ["", *(token[0] for token in _TOKEN.finditer(text, before, start))]
    if last.startswith("//") and not re.match(r"[ \t]*\r?\n", between + text[end:]):
        start = node.key_start  # else the rest of the line would join the comment
    head = text[:start]
    if own < 0 <= earlier:
        head = text[:earlier] + text[earlier + 1 : start]
    return head + between + text[end:]


def _detect_layout(text: str, trail: Sequence[JsonNode]) -> _Layout:
    """Return the layout of the containers of a trail; an empty one has its parent's."""
    root = trail[0]
    spread, colon, unit = True, ": ", "  "
    for node in trail:
        if node.children:
            *_, last = node.children.values()
            spread = "\n" in _read_space_before(text, last.key_start)
            found = text[last.key_start : last.start].rpartition('"')[2]
            colon = found if found.strip(_SPACE) == ":" else colon
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
