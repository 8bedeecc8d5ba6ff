"""Edit entries of a mapping in place: on lines, or within braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import yaml_scalar
from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.tasks.task_fields import EntryStyle, format_entry, format_value, key_position
from cortexfs.core.tasks.text_splices import (
    Splice,
    find_comma,
    find_line_end,
    find_line_start,
    find_next_line,
    skip_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.tasks.parse_yaml_nodes import YamlNode, YamlNodeEntry
    from cortexfs.core.tasks.task_fields import FieldChange, FieldValue

_DOCUMENT_END = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


def make_entry_splices(
    text: str, mapping: YamlNode, changes: Mapping[str, FieldChange]
) -> Iterator[Splice]:
    """Yield the splices that set entries to new values; None removes an entry."""
    if mapping.style not in ("[", "-"):  # an alias: its target is elsewhere in the file
        return
    known = {entry.key: entry for entry in mapping.entries}
    kept = [entry for entry in mapping.entries if changes.get(entry.key, "") is not None]
    for key, value in sorted(changes.items(), key=lambda change: key_position(change[0])):
        if value is None:
            yield from _remove_entry(text, mapping, known[key]) if key in known else ()
        elif key in known:
            yield from _replace_value(text, mapping, known[key], value)
        else:
            entry = format_entry(key, value, detect_entry_style(text, mapping))
            yield _add_entry(text, mapping, kept, entry, key)


def detect_entry_style(text: str, mapping: YamlNode) -> EntryStyle:
    """Return how the entries of a mapping are written."""
    in_brackets = mapping.style == "["
    first = mapping.entries[0].key_start if mapping.entries else None
    return EntryStyle(in_brackets, in_brackets and first is not None and text[first] == '"')


def remove_flow_item(
    text: str, spans: Sequence[tuple[int, int]], at: int, *, first: bool
) -> Iterator[Splice]:
    """Remove an item of a flow collection and a comma: the one after it, if it is `first`."""
    start, end = spans[at]
    yield Splice(start, end)
    if first and at + 1 == len(spans):
        return
    gap = (end, spans[at + 1][0]) if first else (spans[at - 1][1], start)
    found = find_comma(text, *gap)
    between = text[found + 1 : gap[1]]
    yield Splice(found, found + 1 if between.strip() else gap[1])


def _replace_value(
    text: str, mapping: YamlNode, entry: YamlNodeEntry, value: FieldValue
) -> Iterator[Splice]:
    node = entry.node
    new = format_value(entry.key, value, detect_entry_style(text, mapping))
    if isinstance(value, str) and node.style in ("'", '"'):
        new = yaml_scalar.format_in_style(node.style, value)
    if node.is_blank:
        yield Splice(entry.colon_end, entry.colon_end, f" {new}")
    elif node.style == "-":
        yield Splice(entry.colon_end, entry.colon_end, f" {new}")
        yield Splice(find_next_line(text, entry.colon_end), find_next_line(text, node.end))
    elif node.style in ("|", ">"):
        header = node.start + len(text[node.start :].split(maxsplit=1)[0])
        yield Splice(node.start, header, new)
        yield Splice(find_next_line(text, header), find_next_line(text, node.end))
    else:
        yield Splice(node.start, node.end, new)


def _add_entry(
    text: str, mapping: YamlNode, kept: Sequence[YamlNodeEntry], new: str, key: str
) -> Splice:
    """Insert an entry after the last one that precedes it in the order of the format."""
    before = [entry for entry in kept if -1 < key_position(entry.key) < key_position(key)]
    if mapping.style == "[":
        return _add_flow_entry(mapping, before, new)
    first = mapping.entries[0]
    indent = " " * (first.key_start - find_line_start(text, first.key_start))
    if not before:
        return Splice(first.key_start, first.key_start, f"{new}{detect_line_ending(text)}{indent}")
    return insert_lines_below(text, before[-1].node.end, f"{indent}{new}")


def _add_flow_entry(mapping: YamlNode, before: Sequence[YamlNodeEntry], new: str) -> Splice:
    written = [entry for entry in before if not entry.node.is_blank]  # `why:,` would be one word
    if written:
        return Splice(written[-1].node.end, written[-1].node.end, f", {new}")
    if not mapping.entries:
        return Splice(mapping.end - 1, mapping.end - 1, new)
    first = mapping.entries[0].key_start
    return Splice(first, first, f"{new}, ")


def insert_lines_below(text: str, end: int, lines: str) -> Splice:
    """Insert lines below the line with offset `end`; the last line may lack its line end."""
    at = find_next_line(text, end)
    if at == len(text) and text and not text.endswith("\n"):
        return Splice(at, at, f"{detect_line_ending(text)}{lines}")
    return Splice(at, at, f"{lines}{detect_line_ending(text)}")


def insert_into_empty(text: str, lines: str) -> Splice:
    """Insert lines into a file without values: below its comments, above its end marker."""
    closing = _DOCUMENT_END.search(text)
    if closing:
        return Splice(closing.start(), closing.start(), f"{lines}{detect_line_ending(text)}")
    return insert_lines_below(text, len(text), lines)


def _remove_entry(text: str, mapping: YamlNode, entry: YamlNodeEntry) -> Iterator[Splice]:
    if mapping.style == "[":
        spans = [(each.key_start, each.node.end) for each in mapping.entries]
        at = mapping.entries.index(entry)
        yield from remove_flow_item(text, spans, at, first=not at)
        return
    start = find_line_start(text, entry.key_start)
    column = entry.key_start - start
    if not text[start : entry.key_start].strip():
        end = find_next_line(text, entry.node.end)
        spread = end > find_next_line(
            text, entry.colon_end
        )  # the comments below may be about its parts
        yield Splice(start, skip_comments(text, end, column) if spread else end)
        return
    following = next((each for each in mapping.entries if each.key_start > entry.key_start), None)
    if following and not text[entry.node.end : following.key_start].strip():
        yield Splice(entry.key_start, following.key_start)
    else:  # the dash of its item and the comments below keep their own lines
        yield Splice(entry.key_start, find_line_end(text, entry.node.end))
