"""Build the entries of a frontmatter from what a YAML parser tells, and stop at what is not let in.

It imports the parser, and is imported where a block needs one.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cortexfs.core.frontmatter.yaml_scalar import NOT_TEXT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Value

    _Node = yaml.ScalarEvent | yaml.CollectionStartEvent

MAX_DEPTH = 16
MAX_KEYS = 512

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
COLON = re.compile(r"[ \t]*:")
_EXPLICIT = re.compile(r".*\?[ \t]*")


class Entry(NamedTuple):
    """One top-level entry; the numbers are indexes into the block.

    `colon` is where its colon ends, `end` where the text or bracket that closes the value does.
    `style` is the quote or `|` or `>` as typed, nothing for a plain scalar, `[` for a flow
    collection, `-` for a block collection.
    """

    key: str
    value: Value
    key_start: int
    colon: int
    start: int
    end: int
    style: str


class Barred(Exception):
    """The gate stays shut, and `event` is why."""

    def __init__(self, code: str, message: str, event: yaml.Event) -> None:
        super().__init__(message)
        self.code = code
        self.index = start_of(event)


@cache
def _loader() -> type[yaml.CSafeLoader | yaml.SafeLoader]:
    """Choose the C parser where PyYAML was built with it."""
    return yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


class Reader:
    """Builds values from events as they come, and stops at the first that is not let in.

    Events are made on demand, so fifty thousand brackets cost what seventeen do.
    """

    __slots__ = ("block", "end", "events", "keys")

    def __init__(self, block: str) -> None:
        self.block = block
        self.events: Iterator[Any] = yaml.parse(block, Loader=_loader())
        self.keys = 0
        self.end = 0  # where the last scalar or closing bracket did

    def entries(self) -> tuple[Entry, ...]:
        """Read the block's one document: a mapping, or nothing."""
        next(self.events)
        document = next(self.events)
        if isinstance(document, yaml.StreamEndEvent):
            return ()
        _bar_marker(document)
        root = next(self.events)
        _bar_features(root)
        if not isinstance(root, yaml.MappingStartEvent):
            raise Barred("not-a-mapping", "the frontmatter is no `key: value` mapping", root)
        entries = tuple(self.pairs(1))
        _bar_marker(next(self.events))
        following = next(self.events)
        if not isinstance(following, yaml.StreamEndEvent):
            _bar_marker(following)
        return entries

    def pairs(self, depth: int) -> Iterator[Entry]:
        """Read a mapping to its end."""
        seen = set()
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                self.close(event)
                return
            key = self.key(event)
            if key in seen:
                raise Barred("duplicate-key", f"key {key[:60]!r} is here a second time", event)
            seen.add(key)
            colon = self.colon(event)
            node = next(self.events)
            value = self.value(node, depth)
            yield Entry(key, value, start_of(event), colon, start_of(node), self.end, _style(node))

    def items(self, depth: int) -> Iterator[Value]:
        """Read a list to its end."""
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                self.close(event)
                return
            yield self.value(event, depth)

    def value(self, event: _Node, depth: int) -> Value:
        """Read a value that `depth` collections hold."""
        _bar_features(event)
        if isinstance(event, yaml.ScalarEvent):
            self.end = self.trimmed(event)
            return "" if not event.style and event.value in NULLS else event.value
        if depth == MAX_DEPTH:
            raise Barred("frontmatter-too-deep", f"deeper than {MAX_DEPTH} levels", event)
        if isinstance(event, yaml.MappingStartEvent):
            return {entry.key: entry.value for entry in self.pairs(depth + 1)}
        return tuple(self.items(depth + 1))

    def key(self, event: _Node) -> str:
        """Read a key, which must be text."""
        _bar_features(event)
        self.keys += 1
        if self.keys > MAX_KEYS:
            raise Barred("frontmatter-too-many-keys", f"more than {MAX_KEYS} keys", event)
        if not isinstance(event, yaml.ScalarEvent):
            raise Barred("yaml-feature", "a list or mapping as a key is not read", event)
        if not event.style and event.value == "<<":
            raise Barred("yaml-feature", "merge keys (`<<`) are not read", event)
        if not event.style and NOT_TEXT.fullmatch(event.value):
            raise Barred("non-text-key", f"key {event.value!r} is not text: quote it", event)
        return event.value

    def colon(self, key: _Node) -> int:
        """Find where a key's colon ends; a key that has none beside it is complex."""
        start = start_of(key)
        line = self.block.rfind("\n", 0, start) + 1
        found = COLON.match(self.block, end_of(key))
        if found is None or _EXPLICIT.fullmatch(self.block, line, start):
            raise Barred("yaml-feature", "complex keys (`? key`, `{key}`) are not read", key)
        return found.end()

    def trimmed(self, event: yaml.ScalarEvent) -> int:
        """Find where a scalar's text ends: the blank lines below a block scalar are not its own."""
        start, end = start_of(event), end_of(event)
        if event.style in ("|", ">"):
            return start + len(self.block[start:end].rstrip(" \r\n"))
        return end

    def close(self, event: yaml.CollectionEndEvent) -> None:
        """Note where a collection ended, if a bracket did it: only a bracket has a width."""
        if end_of(event) > start_of(event):
            self.end = end_of(event)


def start_of(event: yaml.Event) -> int:
    """Tell where in the text an event begins."""
    return event.start_mark.index if event.start_mark else 0


def end_of(event: yaml.Event) -> int:
    """Tell where in the text an event ends."""
    return event.end_mark.index if event.end_mark else 0


def _style(event: _Node) -> str:
    if isinstance(event, yaml.ScalarEvent):
        return event.style or ""
    return "[" if event.flow_style else "-"


def _bar_features(event: _Node) -> None:
    if event.anchor is not None:  # an alias has one too, and no tag
        raise Barred("yaml-feature", "anchors and aliases (`&`, `*`) are not read", event)
    if event.tag is not None:
        raise Barred("yaml-feature", "tags (`!`) are not read", event)


def _bar_marker(event: yaml.DocumentStartEvent | yaml.DocumentEndEvent) -> None:
    if event.explicit:
        raise Barred("yaml-feature", "document markers (`---`, `...`) are not read", event)
