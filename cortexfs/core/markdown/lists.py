"""The lists of a Markdown text: each item with its deeper lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.lines import iter_markdown_lines
from cortexfs.core.markdown.sections import parse_heading

if TYPE_CHECKING:
    from cortexfs.core.markdown.lines import MarkdownLine

LIST_MARKER = r"(?:[-*+]|\d{1,9}[.)])"
"""The marker of a list item, as a pattern."""
_BULLET = re.compile(rf"[ \t]*+({LIST_MARKER})(?:[ \t]+|$)")


class ListItem(NamedTuple):
    """One item of a list, with the deeper lines that belong to it.

    `text` is its first line without `marker`; `indent` is its indentation in characters.
    """

    start: int
    end: int
    indent: int
    marker: str
    text: str


def find_list_items(text: str, start: int = 0, end: int | None = None) -> list[ListItem]:
    """Return the list items between two offsets; deeper items are part of the item above."""
    end = len(text) if end is None else end
    found: list[ListItem] = []
    is_open = False
    for line in iter_markdown_lines(text):
        if not start <= line.start < end or not line.text.strip():
            continue
        mark = _BULLET.match(line.text_without_code)
        top = found[-1] if is_open else None
        if top and _continues_item(line, top, is_bullet=mark is not None):
            found[-1] = top._replace(end=line.end)
        elif mark:
            words = line.text[mark.end(1) :].strip()
            found.append(ListItem(line.start, line.end, line.indent, mark[1], words))
        is_open = bool(found) and found[-1].end == line.end
    return found


def _continues_item(line: MarkdownLine, top: ListItem, *, is_bullet: bool) -> bool:
    """Return whether a line continues an item: deeper, in its code, or directly below it."""
    if parse_heading(line.text_without_code):
        return False
    if line.continues_fence or line.indent > top.indent:
        return True
    begins = is_bullet or not line.text_without_code.strip()  # another entry, a fence or a comment
    return line.start == top.end and not begins
