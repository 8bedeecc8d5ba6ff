"""Parse YAML into a tree with offsets; anchors and aliases are resolved.

This module imports the parser, and is imported only where a TASKS.yaml is read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import yaml

from cortexfs.core.frontmatter.yaml_reader import COLON, NULLS, event_end, event_start, iter_events
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue

    _Node = yaml.ScalarEvent | yaml.CollectionStartEvent | yaml.AliasEvent

MAX_DEPTH = 16
MAX_NODES = 50_000
"""Maximum number of values in a file, with the repetitions by aliases: a limit for alias bombs."""

_KEEP_INDICATOR = re.compile(r"[|>][0-9]?\+")


class UnsupportedYaml(Exception):
    """The text has something that is not accepted, at `index`."""

    def __init__(self, message: str, index: int) -> None:
        super().__init__(message)
        self.index = index


class YamlNode(NamedTuple):
    """One value and its offsets; `end` is after its last character.

    `style` is the quote or `|` or `>` as written, empty for a plain scalar, `[` for a flow
    collection, `-` for a block collection, `*` for an alias. `value_count` is the number of values
    in it, including itself, and `nesting_depth` the depth of nested collections.
    """

    value: FrontmatterValue
    start: int
    end: int
    style: str
    entries: tuple[YamlNodeEntry, ...] = ()
    items: tuple[YamlNode, ...] = ()
    value_count: int = 1
    nesting_depth: int = 0

    @property
    def is_blank(self) -> bool:
        """Whether the value has no text at all."""
        return self.start == self.end and not self.style


class YamlNodeEntry(NamedTuple):
    """A key with its value; `colon_end` is the offset after its colon."""

    key: str
    key_start: int
    colon_end: int
    node: YamlNode


class YamlNodeReader:
    """Builds nodes from parser events, and stops at the first that is not accepted."""

    __slots__ = ("anchors", "end", "events", "repeated_count", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.events = iter_events(text)
        self.anchors: dict[str, YamlNode] = {}
        self.repeated_count = (
            0  # values repeated by aliases: merging them costs time before they count
        )
        self.end = 0  # the end of the last scalar, alias or closing bracket

    def read_root(self) -> YamlNode | None:
        """Return the only document; None if it is empty. Raises `UnsupportedYaml`."""
        next(self.events)
        if isinstance(next(self.events), yaml.StreamEndEvent):
            return None
        root = self.read_node(next(self.events), 1)
        next(self.events)
        following = next(self.events)
        if not isinstance(following, yaml.StreamEndEvent):
            raise UnsupportedYaml("a second document begins", event_start(following))
        return None if root.is_blank else root

    def read_node(self, event: _Node, depth: int) -> YamlNode:
        """Return one value that is inside `depth - 1` collections."""
        if depth > MAX_DEPTH:
            raise UnsupportedYaml(f"deeper than {MAX_DEPTH} levels", event_start(event))
        if isinstance(event, yaml.AliasEvent):
            return self.read_alias(event, depth)
        if isinstance(event, yaml.ScalarEvent):
            node = self.read_scalar(event)
        elif isinstance(event, yaml.MappingStartEvent):
            node = self.read_mapping(event, depth)
        else:
            node = self.read_sequence(event, depth)
        if node.value_count > MAX_NODES:
            raise UnsupportedYaml(f"more than {MAX_NODES} values", node.start)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        return node

    def read_alias(self, event: yaml.AliasEvent, depth: int) -> YamlNode:
        """Return the value of an alias, at the offsets of the alias."""
        target = self.anchors.get(event.anchor or "")
        if target is None:
            raise UnsupportedYaml(
                f"no anchor `&{redact_secrets(event.anchor or '')}` is defined above",
                event_start(event),
            )
        if depth + target.nesting_depth > MAX_DEPTH:
            raise UnsupportedYaml(f"deeper than {MAX_DEPTH} levels", event_start(event))
        self.repeated_count += target.value_count
        if self.repeated_count > MAX_NODES:
            raise UnsupportedYaml(f"more than {MAX_NODES} values", event_start(event))
        self.end = event_end(event)
        return YamlNode(target.value, event_start(event), self.end, "*", (), (), *target[-2:])

    def read_scalar(self, event: yaml.ScalarEvent) -> YamlNode:
        """Return a scalar as written; blank lines below a block scalar are not part of it."""
        start, end = event_start(event), event_end(event)
        style = event.style or ""
        if style in ("|", ">") and not _KEEP_INDICATOR.search(
            self.text[start:end].partition("\n")[0]
        ):
            end = start + len(self.text[start:end].rstrip(" \r\n"))
        self.end = end
        value = "" if not style and event.value in NULLS else event.value
        return YamlNode(value, start, end, style)

    def read_mapping(self, event: yaml.MappingStartEvent, depth: int) -> YamlNode:
        """Return a mapping."""
        entries: dict[str, YamlNodeEntry] = {}
        for key in self.iter_events_until(yaml.MappingEndEvent):
            entry = self.read_entry(key, depth)
            if entry.key in entries:
                raise UnsupportedYaml(
                    f"key `{entry.key[:60]}` is here a second time", entry.key_start
                )
            entries[entry.key] = entry
        every = tuple(entries.values())
        size = _measure([entry.node for entry in every])
        return YamlNode(
            _merge_values(every),
            event_start(event),
            self.end,
            _collection_style(event),
            every,
            (),
            *size,
        )

    def read_sequence(self, event: yaml.CollectionStartEvent, depth: int) -> YamlNode:
        """Return a list."""
        items = tuple(
            self.read_node(item, depth + 1)
            for item in self.iter_events_until(yaml.SequenceEndEvent)
        )
        value = tuple(item.value for item in items)
        return YamlNode(
            value,
            event_start(event),
            self.end,
            _collection_style(event),
            (),
            items,
            *_measure(items),
        )

    def read_entry(self, event: _Node, depth: int) -> YamlNodeEntry:
        """Return a key and its value."""
        key = self.read_node(event, depth + 1)
        if not isinstance(key.value, str):
            raise UnsupportedYaml("a list or mapping as a key is not read", key.start)
        found = COLON.match(self.text, key.end)
        colon = found.end() if found else key.end
        node = self.read_node(next(self.events), depth + 1)
        if node.is_blank:  # the parser puts it before whatever comes next
            self.end = colon
            node = node._replace(start=colon, end=colon)
        return YamlNodeEntry(key.value, key.start, colon, node)

    def iter_events_until(self, kind: type[yaml.CollectionEndEvent]) -> Iterator[Any]:
        """Yield the events of one collection; only a closing bracket has a width."""
        for event in self.events:
            if isinstance(event, kind):
                if event_end(event) > event_start(event):
                    self.end = event_end(event)
                return
            yield event


def _merge_values(entries: Iterable[YamlNodeEntry]) -> Mapping[str, FrontmatterValue]:
    """Return the values of a mapping, with those merged by `<<`."""
    own: dict[str, FrontmatterValue] = {entry.key: entry.node.value for entry in entries}
    merged = own.get("<<", "")
    for source in reversed(merged if isinstance(merged, tuple) else (merged,)):
        if not isinstance(source, str | tuple):
            own = {**source, **own}
    return own


def _measure(inside: Sequence[YamlNode]) -> tuple[int, int]:
    """Return the number of values in a collection, with itself, and its depth."""
    count = 1 + sum(node.value_count for node in inside)
    return count, 1 + max((node.nesting_depth for node in inside), default=0)


def _collection_style(event: yaml.CollectionStartEvent) -> str:
    return "[" if event.flow_style else "-"
