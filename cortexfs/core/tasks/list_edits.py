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
from cortexfs.core.tasks.task_fields import format_entry
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

    from cortexfs.core.tasks.task_fields import FieldValue
    from cortexfs.core.tasks.tasks_document import TasksDocument
    from cortexfs.core.tasks.yaml_nodes import YamlNode

_DASH = re.compile(r"(?:[^#-]|#[^\n]*)*-(?=\s|\Z)")
_PROPERTIES = re.compile(r"(?:[ \t]+[&!][^\s,]*)+")
_BLANK_LINE = re.compile(r"\n[ \t]*\r?\n")
_STEP = 2
"""Number of columns from a dash to the keys after it, and from `tasks` to the dash."""


def make_insert_splices(
    page: TasksDocument, tasks: Sequence[Mapping[str, FieldValue]], after: int | None
) -> Iterator[Splice]:
    """Yield the splices that insert tasks after the one with index `after`, or at the end."""
    entry = page.find_entry("tasks")
    if page.root is None:
        yield _from_nothing(page.text, tasks)
    elif entry is None:
        yield _with_key(page.text, page.root, tasks)
    elif entry.node.items and entry.node.style == "-":
        at = len(entry.node.items) - 1 if after is None else after
        yield _below(page.text, entry.node, at, tasks)
    elif entry.node.style == "[" and _stays_in_brackets(page.text, page.root, entry.node):
        yield _within(page.text, entry.node, after, tasks)
    else:
        yield Splice(entry.colon_end, entry.node.end)
        column = entry.key_start - find_line_start(page.text, entry.key_start)
        lines = _lines(page.text, tasks, column + _STEP, _STEP)
        yield insert_lines_below(page.text, entry.node.end, lines)


def make_remove_splices(page: TasksDocument, indexes: frozenset[int]) -> Iterator[Splice]:
    """Yield the splices that remove tasks; a list that becomes empty is written as `[]`."""
    entry = page.find_entry("tasks")
    items = entry.node.items if entry else ()  # none: an alias, what it names stands elsewhere
    if entry is None or not items or not indexes:
        return
    if entry.node.style == "[":
        spans = [(item.start, item.end) for item in items]
        if len(indexes) == len(items):
            trailing = find_comma(page.text, spans[-1][1], entry.node.end)
            yield Splice(items[0].start, trailing + 1 or items[-1].end)
            return
        for at in sorted(indexes):
            yield from remove_flow_item(page.text, spans, at, first=indexes.issuperset(range(at)))
        return
    for at in sorted(indexes):
        last = indexes.issuperset(range(at, len(items)))
        yield _cut_lines(page.text, entry.node, at, last=last)
    if len(indexes) == len(items):
        anchor = _PROPERTIES.match(page.text, entry.colon_end)
        at = anchor.end() if anchor else entry.colon_end
        yield Splice(at, at, " []")


def find_dash(text: str, tasks: YamlNode, at: int) -> int:
    """Return the offset of an item's dash in a block list."""
    start = tasks.items[at - 1].end if at else tasks.start
    found = _DASH.match(text, find_next_line(text, start) if at else start)
    return found.end() - 1 if found else tasks.items[at].start


def _cut_lines(text: str, tasks: YamlNode, at: int, *, last: bool) -> Splice:
    """Remove an item with its deeper comments and the blank lines next to it."""
    found = find_dash(text, tasks, at)
    start = find_line_start(text, found)
    end = skip_comments(text, find_next_line(text, tasks.items[at].end), found - start)
    if not last:
        return Splice(start, skip_blank_lines(text, end))
    above = find_next_line(text, tasks.items[at - 1].end) if at else start
    blank = len(text[above:start]) - len(text[above:start].rstrip())
    return Splice(find_next_line(text, start - blank) if blank else start, end)


def _below(text: str, tasks: YamlNode, at: int, new: Sequence[Mapping[str, FieldValue]]) -> Splice:
    """Insert lines below an item and its comments, in the layout of its neighbours."""
    item, found = tasks.items[at], find_dash(text, tasks, at)
    column = found - find_line_start(text, found)
    step = _STEP
    if item.style == "-" and item.entries:
        key = item.entries[0].key_start
        step = key - find_line_start(text, key) - column
    end = skip_comments(text, find_next_line(text, item.end), column)
    gap = text[tasks.items[at - 1].end : found] if at else ""
    apart = detect_line_ending(text) if _BLANK_LINE.search(gap) else ""
    return insert_lines_below(text, end, apart + _lines(text, new, column, step, apart))


def _lines(
    text: str, tasks: Sequence[Mapping[str, FieldValue]], column: int, step: int, apart: str = ""
) -> str:
    """Format items as lines, without a final line end."""
    end = detect_line_ending(text)
    items = []
    for fields in tasks:
        inner = f"{end}{' ' * (column + step)}"
        pairs = inner.join(format_entry(key, value) for key, value in fields.items())
        items.append(f"{' ' * column}-{' ' * (step - 1)}{pairs}")
    return f"{end}{apart}".join(items)


def _from_nothing(text: str, tasks: Sequence[Mapping[str, FieldValue]]) -> Splice:
    """Begin the list in a file without values."""
    return insert_into_empty(
        text, f"tasks:{detect_line_ending(text)}{_lines(text, tasks, _STEP, _STEP)}"
    )


def _with_key(text: str, root: YamlNode, tasks: Sequence[Mapping[str, FieldValue]]) -> Splice:
    """Begin the list in a file with other keys."""
    if root.style == "[":
        style = detect_entry_style(text, root)
        key = format_entry("tasks", "", **style).rpartition(":")[0]
        apart = ", " if root.entries else ""
        new = f"{apart}{key}: [{_in_braces(tasks, quoted=style['quoted'])}]"
        at = root.entries[-1].node.end if root.entries else root.end - 1
        return Splice(at, at, new)
    column = root.entries[0].key_start - find_line_start(text, root.entries[0].key_start)
    lines = _lines(text, tasks, column + _STEP, _STEP)
    head = f"{' ' * column}tasks:{detect_line_ending(text)}"
    return insert_lines_below(text, root.entries[-1].node.end, f"{head}{lines}")


def _stays_in_brackets(text: str, root: YamlNode, tasks: YamlNode) -> bool:
    """Return whether a list is kept as it is: an empty `[]` becomes lines."""
    return bool(root.style == "[" or tasks.items or text[tasks.start : tasks.end] != "[]")


def _within(
    text: str, tasks: YamlNode, after: int | None, new: Sequence[Mapping[str, FieldValue]]
) -> Splice:
    """Insert items between the brackets, after an existing one."""
    if not tasks.items:
        quoted = text[: tasks.start].rstrip().endswith('":')
        return Splice(tasks.end - 1, tasks.end - 1, _in_braces(new, quoted=quoted))
    item = tasks.items[-1 if after is None else after]
    written = _in_braces(new, quoted=detect_entry_style(text, item)["quoted"])
    return Splice(item.end, item.end, f", {written}")


def _in_braces(tasks: Sequence[Mapping[str, FieldValue]], *, quoted: bool) -> str:
    items = (
        ", ".join(
            format_entry(key, value, within=True, quoted=quoted) for key, value in fields.items()
        )
        for fields in tasks
    )
    return ", ".join(f"{{{item}}}" for item in items)
