"""Change one place of a Markdown text with its own line ends; every other byte is kept."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.markdown.lines import detect_line_ending, trim_span
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.markdown.sections import MarkdownSection

_BLOCK_START = re.compile(
    r"(?:#{1,6}|[-*+>])\s|\||```|~~~|---|===|(?:\*\s*){3,}\Z|(?:_\s*){3,}\Z"
    r"|<(?!\w+:)[A-Za-z!?/]|\[[^\]]+\]:|(?P<number>\d{1,9})[.)]\s"
)
"""Text that would begin a block of its own, including HTML and the target of a link."""


def replace_section_body(text: str, section: MarkdownSection, content: str) -> str:
    """Return the text with new content below a heading; blank lines around it are kept."""
    end = detect_line_ending(text)
    first, last = trim_span(text, section.body_start, section.end)
    body = content.strip("\n").replace("\n", end)
    if first < last:
        first = text.rfind("\n", 0, first) + 1  # an indented first line goes as a whole
        return text[:first] + body + text[last:]
    head, tail = text[: section.body_start], text[section.end :]
    gap = end if head.endswith("\n") else end * 2
    return f"{head}{gap}{body}{end}{end if tail else ''}{tail}"


def append_block(text: str, block: str) -> str:
    """Return the text with a block added at the end, after a blank line."""
    end = detect_line_ending(text)
    closed = text if text.endswith("\n") or not text else text + end
    gap = "" if not closed or closed.endswith(end * 2) else end
    return f"{closed}{gap}{block.strip(chr(10)).replace(chr(10), end)}{end}"


def insert_block(text: str, offset: int, block: str) -> str:
    """Return the text with a block inserted at an offset, between blank lines."""
    tail = text[offset:]
    added = append_block(text[:offset], block)
    return f"{added}{detect_line_ending(text) if tail.strip() else ''}{tail}"


def remove_span(text: str, start: int, end: int) -> str:
    """Return the text without a span of whole lines; no blank lines are left at its end."""
    head, tail = text[:start], text[end:]
    if tail.strip() or not head.strip():
        return head + tail
    return head.rstrip() + detect_line_ending(text)


def replace_spans(text: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """Return the text with spans (start, end, new text) replaced; the first of two that overlap."""
    parts, at = [], 0
    for start, end, new in sorted(changes):
        if start >= at:
            parts += [text[at:start], new]
            at = end
    return "".join([*parts, text[at:]])


def escape_markdown_line(words: str) -> str:
    """Return text on one line, escaped so that it begins no heading, list, table or fence."""
    line = to_one_line(words)
    block_start = _BLOCK_START.match(f"{line} ")
    at = max(block_start.end("number"), 0) if block_start else 0
    return f"{line[:at]}\\{line[at:]}" if block_start else line
