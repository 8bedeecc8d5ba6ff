"""Change one place of a Markdown text, in its own line ends, and leave every other byte."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.markdown.lines import newline, trimmed
from cortexfs.core.text.sanitize import one_line

if TYPE_CHECKING:
    from cortexfs.core.markdown.sections import Section

_BLOCK = re.compile(
    r"(?:#{1,6}|[-*+>])\s|\||```|~~~|---|===|(?:\*\s*){3,}\Z|(?:_\s*){3,}\Z"
    r"|<(?!\w+:)[A-Za-z!?/]|\[[^\]]+\]:|(?P<number>\d{1,9})[.)]\s"
)
"""What would begin a block of its own, HTML and the target of a link among them."""


def refill(text: str, section: Section, content: str) -> str:
    """Put other content under a heading; blank lines around it and all else stay."""
    end = newline(text)
    first, last = trimmed(text, section.body, section.end)
    said = content.strip("\n").replace("\n", end)
    if first < last:
        first = text.rfind("\n", 0, first) + 1  # an indented first line goes as a whole
        return text[:first] + said + text[last:]
    head, tail = text[: section.body], text[section.end :]
    gap = end if head.endswith("\n") else end * 2
    return f"{head}{gap}{said}{end}{end if tail else ''}{tail}"


def append(text: str, block: str) -> str:
    """Add a block at the end, parted from what stands there by a blank line."""
    end = newline(text)
    closed = text if text.endswith("\n") or not text else text + end
    gap = "" if not closed or closed.endswith(end * 2) else end
    return f"{closed}{gap}{block.strip(chr(10)).replace(chr(10), end)}{end}"


def insert(text: str, place: int, block: str) -> str:
    """Put a block before what stands at a place, parted by blank lines."""
    tail = text[place:]
    added = append(text[:place], block)
    return f"{added}{newline(text) if tail.strip() else ''}{tail}"


def without(text: str, start: int, end: int) -> str:
    """Take a span of whole lines out; at the end of the file no blank lines are left behind."""
    head, tail = text[:start], text[end:]
    if tail.strip() or not head.strip():
        return head + tail
    return head.rstrip() + newline(text)


def paragraph(words: str) -> str:
    """Give words as one line that begins no heading, list, table or fence by accident."""
    said = one_line(words)
    begun = _BLOCK.match(f"{said} ")
    at = max(begun.end("number"), 0) if begun else 0
    return f"{said[:at]}\\{said[at:]}" if begun else said
