"""Build frontmatter entries from the events of a YAML parser, and reject unsafe features.

This module imports the parser, so it is imported only when a block needs it.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cortexfs.core.frontmatter.yaml_scalar import NON_TEXT_SCALAR
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import FrontmatterValue

    _Node = yaml.ScalarEvent | yaml.CollectionStartEvent

MAX_DEPTH = 16
MAX_KEYS = 512

NULLS = frozenset({"", "~", "null", "Null", "NULL"})
COLON = re.compile(r"[ \t]*:")
_EXPLICIT_KEY = re.compile(r".*\?[ \t]*")


class FrontmatterEntry(NamedTuple):
    """One top-level entry; the numbers are indexes into the block.

    `colon_end` is the end of its colon, `end` the end of the value's text or closing bracket.
    `style` is the quote or `|` or `>` as typed, empty for a plain scalar, `[` for a flow
    collection, `-` for a block collection.
    """

    key: str
    value: FrontmatterValue
    key_start: int
    colon_end: int
    start: int
    end: int
    style: str


class DisallowedYaml(Exception):
    """The block is rejected because of an event; `index` is its position."""

    def __init__(self, code: str, message: str, event: yaml.Event) -> None:
        super().__init__(message)
        self.code = code
        self.index = event_start(event)


@cache
def _choose_loader() -> type[yaml.CSafeLoader | yaml.SafeLoader]:
    """Return the C loader if PyYAML was built with it, else the Python one."""
    return yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader


def iter_events(text: str) -> Iterator[Any]:
    """Yield the parser's events on demand.

    From 6.0.4 PyYAML refuses a text with 1,000 nested collections before the first of them is an
    event. The events of what stands before the refused one are yielded all the same, so that a
    reader refuses at a depth and a place of its own.
    """
    count = 0
    try:
        for event in yaml.parse(text, Loader=_choose_loader()):
            count += 1
            yield event
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        if mark is None or "nesting depth" not in (error.problem or ""):
            raise
        yield from islice(yaml.parse(text[: mark.index], Loader=_choose_loader()), count, None)
        raise


class FrontmatterReader:
    """Builds values from events, and raises `DisallowedYaml` at the first one that is not allowed.

    Events are generated on demand, so fifty thousand brackets cost no more than seventeen.
    """

    __slots__ = ("block", "end", "events", "keys")

    def __init__(self, block: str) -> None:
        self.block = block
        self.events = iter_events(block)
        self.keys = 0
        self.end = 0  # the end of the last scalar or closing bracket

    def read_entries(self) -> tuple[FrontmatterEntry, ...]:
        """Return the entries of the block's only document: a mapping, or nothing."""
        next(self.events)
        document = next(self.events)
        if isinstance(document, yaml.StreamEndEvent):
            return ()
        _reject_document_marker(document)
        root = next(self.events)
        _reject_features(root)
        if not isinstance(root, yaml.MappingStartEvent):
            raise DisallowedYaml(
                "not-a-mapping", "the frontmatter is not a `key: value` mapping", root
            )
        entries = tuple(self.read_mapping(1))
        _reject_document_marker(next(self.events))
        following = next(self.events)
        if not isinstance(following, yaml.StreamEndEvent):
            _reject_document_marker(following)
        return entries

    def read_mapping(self, depth: int) -> Iterator[FrontmatterEntry]:
        """Yield the entries of a mapping to its end."""
        seen = set()
        for event in self.events:
            if isinstance(event, yaml.MappingEndEvent):
                self.store_bracket_end(event)
                return
            key = self.read_key(event)
            if key in seen:
                shown = redact_secrets(key)[:60]
                raise DisallowedYaml("duplicate-key", f"key {shown!r} occurs twice", event)
            seen.add(key)
            colon = self.find_colon_end(event)
            node = next(self.events)
            value = self.read_value(node, depth)
            yield FrontmatterEntry(
                key,
                value,
                event_start(event),
                colon,
                event_start(node),
                self.end,
                _get_style(node),
            )

    def read_list(self, depth: int) -> Iterator[FrontmatterValue]:
        """Yield the items of a list to its end."""
        for event in self.events:
            if isinstance(event, yaml.SequenceEndEvent):
                self.store_bracket_end(event)
                return
            yield self.read_value(event, depth)

    def read_value(self, event: _Node, depth: int) -> FrontmatterValue:
        """Return a value nested in `depth` collections."""
        _reject_features(event)
        if isinstance(event, yaml.ScalarEvent):
            self.end = self.find_scalar_end(event)
            return "" if not event.style and event.value in NULLS else event.value
        if depth == MAX_DEPTH:
            raise DisallowedYaml(
                "frontmatter-too-deep", f"nested deeper than {MAX_DEPTH} levels", event
            )
        if isinstance(event, yaml.MappingStartEvent):
            return {entry.key: entry.value for entry in self.read_mapping(depth + 1)}
        return tuple(self.read_list(depth + 1))

    def read_key(self, event: _Node) -> str:
        """Return a key. Raises `DisallowedYaml` unless it is text."""
        _reject_features(event)
        self.keys += 1
        if self.keys > MAX_KEYS:
            raise DisallowedYaml("frontmatter-too-many-keys", f"more than {MAX_KEYS} keys", event)
        if not isinstance(event, yaml.ScalarEvent):
            raise DisallowedYaml("yaml-feature", "a key cannot be a list or a mapping", event)
        if not event.style and event.value == "<<":
            raise DisallowedYaml("yaml-feature", "merge keys (`<<`) are not allowed", event)
        if not event.style and NON_TEXT_SCALAR.fullmatch(event.value):
            raise DisallowedYaml(
                "non-text-key", f"key {event.value!r} is not text: quote it", event
            )
        return event.value

    def find_colon_end(self, key: _Node) -> int:
        """Return the end of a key's colon. Raises `DisallowedYaml` for a complex key."""
        start = event_start(key)
        line = self.block.rfind("\n", 0, start) + 1
        found = COLON.match(self.block, event_end(key))
        if found is None or _EXPLICIT_KEY.fullmatch(self.block, line, start):
            raise DisallowedYaml(
                "yaml-feature", "complex keys (`? key`, `{key}`) are not allowed", key
            )
        return found.end()

    def find_scalar_end(self, event: yaml.ScalarEvent) -> int:
        """Return the end of a scalar's text, without blank lines below a block scalar."""
        start, end = event_start(event), event_end(event)
        if event.style in ("|", ">"):
            return start + len(self.block[start:end].rstrip(" \r\n"))
        return end

    def store_bracket_end(self, event: yaml.CollectionEndEvent) -> None:
        """Store the end of a collection closed by a bracket; other ends have no width."""
        if event_end(event) > event_start(event):
            self.end = event_end(event)


def event_start(event: yaml.Event) -> int:
    """Return the index at which an event begins."""
    return event.start_mark.index if event.start_mark else 0


def event_end(event: yaml.Event) -> int:
    """Return the index at which an event ends."""
    return event.end_mark.index if event.end_mark else 0


def _get_style(event: _Node) -> str:
    if isinstance(event, yaml.ScalarEvent):
        return event.style or ""
    return "[" if event.flow_style else "-"


def _reject_features(event: _Node) -> None:
    if event.anchor is not None:  # an alias has one too, and no tag
        raise DisallowedYaml(
            "yaml-feature", "anchors and aliases (`&`, `*`) are not allowed", event
        )
    if event.tag is not None:
        raise DisallowedYaml("yaml-feature", "tags (`!`) are not allowed", event)


def _reject_document_marker(event: yaml.DocumentStartEvent | yaml.DocumentEndEvent) -> None:
    if event.explicit:
        raise DisallowedYaml(
            "yaml-feature", "document markers (`---`, `...`) are not allowed", event
        )
