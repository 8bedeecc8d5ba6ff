"""Insert tasks into the list of a TASKS.yaml, and remove them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.tasks.mapping_edits import (
    detect_entry_style,
    insert_into_empty,
    insert_lines_below,
    remove_flow_item,
)
from cortexfs.core.tasks.task_fields import EntryStyle, format_entry
from cortexfs.core.tasks.text_splices import (
    Splice,
    find_comma,
    find_line_start,
    find_next_line,
    skip_blank_lines,
    skip_comments,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from cortexfs.core.tasks.parse_yaml_nodes import YamlNode
    from cortexfs.core.tasks.task_fields import FieldValue
    from cortexfs.core.tasks.tasks_document import TasksDocument

_DASH = re.compile(r"(?:[^#-]|#[^\n]*)*-(?=\s|\Z)")
_ANCHOR_OR_TAG = re.compile(r"(?:[ \t]+[&!][^\s,]*)+")
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")
_KEEPS_BLANK_LINES = re.compile(r"[|>][1-9]?\+")
"""The header of a text to which the blank lines after it belong."""
_STEP = 2
"""Number of columns from a dash to the keys after it, and from `tasks` to the dash."""


def make_insert_splices(
    document: TasksDocument, tasks: Sequence[Mapping[str, FieldValue]], after: int | None
) -> Iterator[Splice]:
    """Yield the splices that insert tasks after the one with index `after`, or at the end."""
    entry = document.find_entry("tasks")
    if document.root is None:
        yield _start_file(document.text, tasks)
    elif entry is None:
        yield _add_tasks_key(document.text, document.root, tasks)
    elif entry.node.items and entry.node.style == "-":
        at = len(entry.node.items) - 1 if after is None else after
        yield _insert_below(document.text, entry.node, at, tasks)
    elif entry.node.style == "[" and _keeps_brackets(document.text, document.root, entry.node):
        yield _insert_in_brackets(document.text, entry.node, after, tasks)
    else:
        yield Splice(entry.colon_end, entry.node.end)
        column = entry.key_start - find_line_start(document.text, entry.key_start)
        lines = _format_block_items(document.text, tasks, column + _STEP, _STEP)
        yield insert_lines_below(document.text, entry.node.end, lines)


def make_remove_splices(document: TasksDocument, indexes: frozenset[int]) -> Iterator[Splice]:
    """Yield the splices that remove tasks; a list that becomes empty is written as `[]`."""
    entry = document.find_entry("tasks")
    items = entry.node.items if entry else ()  # an alias has none: its target is elsewhere
    if entry is None or not items or not indexes:
        return
    if entry.node.style == "[":
        spans = [(item.start, item.end) for item in items]
        if len(indexes) == len(items):
            trailing = find_comma(document.text, spans[-1][1], entry.node.end)
            yield Splice(items[0].start, trailing + 1 or items[-1].end)
            return
        for at in sorted(indexes):
            yield from remove_flow_item(
                document.text, spans, at, first=indexes.issuperset(range(at))
            )
        return
    for at in sorted(indexes):
        last = indexes.issuperset(range(at, len(items)))
        yield _remove_lines(document.text, entry.node, at, last=last)
    if len(indexes) == len(items):
        anchor = _ANCHOR_OR_TAG.match(document.text, entry.colon_end)
        at = anchor.end() if anchor else entry.colon_end
        yield Splice(at, at, " []")


def find_dash(text: str, tasks: YamlNode, at: int) -> int:
    """Return the offset of an item's dash in a block list."""
    start = tasks.items[at - 1].end if at else tasks.start
    dash = _DASH.match(text, find_next_line(text, start) if at else start)
    return dash.end() - 1 if dash else tasks.items[at].start


def _remove_lines(text: str, tasks: YamlNode, at: int, *, last: bool) -> Splice:
    """Remove an item with its deeper comments and the blank lines next to it."""
    dash = find_dash(text, tasks, at)
    start = find_line_start(text, dash)
    end = skip_comments(text, find_next_line(text, tasks.items[at].end), dash - start)
    if not last:
        return Splice(start, skip_blank_lines(text, end))
    above = find_next_line(text, tasks.items[at - 1].end) if at else start
    blank = len(text[above:start]) - len(text[above:start].rstrip())
    return Splice(find_next_line(text, start - blank) if blank else start, end)


def _insert_below(
    text: str, tasks: YamlNode, at: int, new: Sequence[Mapping[str, FieldValue]]
) -> Splice:
    """Insert lines below an item and its comments, in the layout of its neighbours."""
    item, dash = tasks.items[at], find_dash(text, tasks, at)
    column = dash - find_line_start(text, dash)
    step = _STEP
    if item.style == "-" and item.entries:
        key = item.entries[0].key_start
        step = key - find_line_start(text, key) - column
    end = skip_comments(text, find_next_line(text, item.end), column)
    gap = text[tasks.items[at - 1].end : dash] if at else ""
    blank = detect_line_ending(text) if _BLANK_LINE.search(gap) else ""
    before = "" if _KEEPS_BLANK_LINES.search(text, item.start, item.end) else blank
    lines = _format_block_items(text, new, column, step, blank)
    return insert_lines_below(text, end, before + lines)


def _format_block_items(
    text: str, tasks: Sequence[Mapping[str, FieldValue]], column: int, step: int, blank: str = ""
) -> str:
    """Format items as lines, without a final line end."""
    end = detect_line_ending(text)
    items = []
    for fields in tasks:
        inner = f"{end}{' ' * (column + step)}"
        pairs = inner.join(format_entry(key, value) for key, value in fields.items())
        items.append(f"{' ' * column}-{' ' * (step - 1)}{pairs}")
    return f"{end}{blank}".join(items)


def _start_file(text: str, tasks: Sequence[Mapping[str, FieldValue]]) -> Splice:
    """Begin the list in a file without values."""
    return insert_into_empty(
        text, f"tasks:{detect_line_ending(text)}{_format_block_items(text, tasks, _STEP, _STEP)}"
    )


def _add_tasks_key(text: str, root: YamlNode, tasks: Sequence[Mapping[str, FieldValue]]) -> Splice:
    """Begin the list in a file with other keys."""
    if root.style == "[":
        style = detect_entry_style(text, root)
        key = format_entry("tasks", "", style).rpartition(":")[0]
        separator = ", " if root.entries else ""
        new = f"{separator}{key}: [{_format_flow_items(tasks, quoted=style.quoted)}]"
        at = root.entries[-1].node.end if root.entries else root.end - 1
        return Splice(at, at, new)
    column = root.entries[0].key_start - find_line_start(text, root.entries[0].key_start)
    lines = _format_block_items(text, tasks, column + _STEP, _STEP)
    head = f"{' ' * column}tasks:{detect_line_ending(text)}"
    return insert_lines_below(text, root.entries[-1].node.end, f"{head}{lines}")


def _keeps_brackets(text: str, root: YamlNode, tasks: YamlNode) -> bool:
    """Return whether a list stays in brackets; in a block mapping an empty `[]` becomes lines."""
    return bool(root.style == "[" or tasks.items or text[tasks.start : tasks.end] != "[]")


def _insert_in_brackets(
    text: str, tasks: YamlNode, after: int | None, new: Sequence[Mapping[str, FieldValue]]
) -> Splice:
    """Insert items between the brackets, after an existing one."""
    if not tasks.items:
        quoted = text[: tasks.start].rstrip().endswith('":')
        return Splice(tasks.end - 1, tasks.end - 1, _format_flow_items(new, quoted=quoted))
    item = tasks.items[-1 if after is None else after]
    written = _format_flow_items(new, quoted=detect_entry_style(text, item).quoted)
    return Splice(item.end, item.end, f", {written}")


def _format_flow_items(tasks: Sequence[Mapping[str, FieldValue]], *, quoted: bool) -> str:
    style = EntryStyle(in_brackets=True, quoted=quoted)
    items = (
        ", ".join(format_entry(key, value, style) for key, value in fields.items())
        for fields in tasks
    )
    return ", ".join(f"{{{item}}}" for item in items)
