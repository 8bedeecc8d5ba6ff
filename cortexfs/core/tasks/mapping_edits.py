"""Change entries of a mapping where it stands: in lines, or within braces."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.frontmatter import yaml_scalar
from cortexfs.core.markdown.lines import newline
from cortexfs.core.tasks.task_fields import pair, rank, written
from cortexfs.core.tasks.text_spans import (
    Splice,
    comma,
    line_end,
    line_start,
    next_line,
    past_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.tasks.task_fields import Change, Given
    from cortexfs.core.tasks.yaml_nodes import Entry, Node

_CLOSING = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


def rewrite(text: str, mapping: Node, changes: Mapping[str, Change]) -> Iterator[Splice]:
    """Give the splices that make entries say what they shall; None takes one out."""
    if mapping.style not in ("[", "-"):  # an alias: what it names stands elsewhere
        return
    known = {entry.key: entry for entry in mapping.entries}
    kept = [entry for entry in mapping.entries if changes.get(entry.key, "") is not None]
    for key, value in sorted(changes.items(), key=lambda change: rank(change[0])):
        if value is None:
            yield from _removed(text, mapping, known[key]) if key in known else ()
        elif key in known:
            yield from _replaced(text, mapping, known[key], value)
        else:
            yield _added(text, mapping, kept, pair(key, value, **style_of(text, mapping)), key)


def style_of(text: str, mapping: Node) -> dict[str, bool]:
    """Tell how entries of a mapping are written: within braces, and quoted as JSON has it."""
    within = mapping.style == "["
    first = mapping.entries[0].start if mapping.entries else None
    return {"within": within, "quoted": within and first is not None and text[first] == '"'}


def cut_item(
    text: str, spans: Sequence[tuple[int, int]], at: int, *, first: bool
) -> Iterator[Splice]:
    """Take one part out of a flow collection, with a comma: the one behind it, if it is `first`."""
    start, end = spans[at]
    yield Splice(start, end)
    if first and at + 1 == len(spans):
        return
    gap = (end, spans[at + 1][0]) if first else (spans[at - 1][1], start)
    found = comma(text, *gap)
    between = text[found + 1 : gap[1]]
    yield Splice(found, found + 1 if between.strip() else gap[1])


def _replaced(text: str, mapping: Node, entry: Entry, value: Given) -> Iterator[Splice]:
    node = entry.node
    new = written(entry.key, value, **style_of(text, mapping))
    if isinstance(value, str) and node.style in ("'", '"'):
        new = yaml_scalar.like(node.style, value)
    if node.is_blank:
        yield Splice(entry.colon, entry.colon, f" {new}")
    elif node.style == "-":
        yield Splice(entry.colon, entry.colon, f" {new}")
        yield Splice(next_line(text, entry.colon), next_line(text, node.end))
    elif node.style in ("|", ">"):
        header = node.start + len(text[node.start :].split(maxsplit=1)[0])
        yield Splice(node.start, header, new)
        yield Splice(next_line(text, header), next_line(text, node.end))
    else:
        yield Splice(node.start, node.end, new)


def _added(text: str, mapping: Node, kept: Sequence[Entry], new: str, key: str) -> Splice:
    """Put an entry behind the last one that comes before it in the order of the format."""
    before = [entry for entry in kept if -1 < rank(entry.key) < rank(key)]
    if mapping.style == "[":
        return _added_in_braces(mapping, before, new)
    first = mapping.entries[0]
    indent = " " * (first.start - line_start(text, first.start))
    if not before:
        return Splice(first.start, first.start, f"{new}{newline(text)}{indent}")
    return new_lines(text, before[-1].node.end, f"{indent}{new}")


def _added_in_braces(mapping: Node, before: Sequence[Entry], new: str) -> Splice:
    said = [entry for entry in before if not entry.node.is_blank]  # `why:,` would be one word
    if said:
        return Splice(said[-1].node.end, said[-1].node.end, f", {new}")
    if not mapping.entries:
        return Splice(mapping.end - 1, mapping.end - 1, new)
    first = mapping.entries[0].start
    return Splice(first, first, f"{new}, ")


def new_lines(text: str, end: int, lines: str) -> Splice:
    """Put lines below the one on which something ends; a file's last line may be open."""
    at = next_line(text, end)
    if at == len(text) and text and not text.endswith("\n"):
        return Splice(at, at, f"{newline(text)}{lines}")
    return Splice(at, at, f"{lines}{newline(text)}")


def begun(text: str, lines: str) -> Splice:
    """Put lines into a file that says nothing: below its comments, above what closes it."""
    closing = _CLOSING.search(text)
    if closing:
        return Splice(closing.start(), closing.start(), f"{lines}{newline(text)}")
    return new_lines(text, len(text), lines)


def _removed(text: str, mapping: Node, entry: Entry) -> Iterator[Splice]:
    if mapping.style == "[":
        spans = [(each.start, each.node.end) for each in mapping.entries]
        at = mapping.entries.index(entry)
        yield from cut_item(text, spans, at, first=not at)
        return
    start = line_start(text, entry.start)
    column = entry.start - start
    if not text[start : entry.start].strip():
        end = next_line(text, entry.node.end)
        spread = end > next_line(text, entry.colon)  # the comments below may be about its parts
        yield Splice(start, past_comments(text, end, column) if spread else end)
        return
    following = next((each for each in mapping.entries if each.start > entry.start), None)
    if following and not text[entry.node.end : following.start].strip():
        yield Splice(entry.start, following.start)
    else:  # the dash of its item stays on a line of its own, and so do the comments below
        yield Splice(entry.start, line_end(text, entry.node.end))
