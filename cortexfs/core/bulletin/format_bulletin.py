"""The text of lines, headings and sources in a bulletin."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.bulletin.bulletin_line import BulletinLine

MAX_SOURCE_CHARS = 160
_NO_PART_OF_A_NAME = re.compile(r"[^\w./:#@+-]+")


def format_line(line: BulletinLine) -> str:
    """Return a line: its text, its ref or path, and its day if there is one."""
    return f"- {line.text} ({', '.join(filter(None, (format_source(line.source), line.day)))})"


def format_heading(title: str, shown: int, total: int) -> str:
    """Return the heading of a section, after an empty line."""
    return f"\n## {title}: {shown} of {total}\n"


def format_source(source: str) -> str:
    """Return a ref or path; a name is untrusted, and has only what names have."""
    return _NO_PART_OF_A_NAME.sub("-", source)[:MAX_SOURCE_CHARS]
