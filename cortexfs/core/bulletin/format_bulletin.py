"""The text of lines, headings and sources in a bulletin."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.bulletin.bulletin_line import BulletinLine

MAX_SOURCE_CHARS = 160
_NO_PART_OF_A_NAME = re.compile(r"[^\w./:#@+-]+")


def format_line(line: BulletinLine, shared: str = "") -> str:
    """Return a line: its text and, unless the heading has it (`shared`), its provenance."""
    provenance = format_provenance(line)
    return f"- {line.text}" if provenance == shared else f"- {line.text} ({provenance})"


def format_heading(title: str, shown: int, total: int, shared: str = "") -> str:
    """Return the heading of a section, after an empty line."""
    return f"\n## {title}: {shown} of {total}{f' ({shared})' if shared else ''}\n"


def find_shared_provenance(lines: Iterable[BulletinLine]) -> str:
    """Return the provenance that most lines of a section have; empty if each has its own."""
    counts = Counter(map(format_provenance, lines))
    provenance, count = max(counts.items(), key=lambda item: item[1], default=("", 0))
    return provenance if count > 1 else ""


def format_provenance(line: BulletinLine) -> str:
    """Return the ref or path of a line, and its day if there is one."""
    return ", ".join(filter(None, (format_source(line.source), line.day)))


def format_source(source: str) -> str:
    """Return a ref or path; a name is untrusted, and has only what names have."""
    return _NO_PART_OF_A_NAME.sub("-", source)[:MAX_SOURCE_CHARS]
