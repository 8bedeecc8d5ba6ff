"""The sections of a Markdown text: their headings, and all that stands under each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.fences import blank_code_and_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_LEVEL = 6
"""Levels that a heading can have."""
_HEADING = re.compile(r"\n\ufeff? {0,3}(#{1,6})(?=[ \t]|\r?$)(.*)", re.MULTILINE)
"""With the line end before it: a pattern that begins so is searched twice as fast as one of `^`."""


class MarkdownSection(NamedTuple):
    """A heading with all that stands under it, down to the next of its rank or above.

    Offsets: the heading begins at `start`, what it heads at `body`; `end` is where the next
    heading begins.
    """

    level: int
    title: str
    start: int
    body_start: int
    end: int


def parse_sections(text: str) -> list[MarkdownSection]:
    """Find every section, in the order of the headings."""
    found = []
    ends = [len(text)] * (MAX_LEVEL + 1)
    for head in reversed(list(_headings(text))):
        level, start = len(head[1]), head.start()  # the added line end is before the text
        body = min(head.end(), len(text))
        found.append(MarkdownSection(level, _title(head[2]), start, body, ends[level]))
        ends[level:] = [start] * (MAX_LEVEL + 1 - level)
    return found[::-1]


def list_titles(text: str) -> list[str]:
    """Give what every heading says, in order."""
    return [_title(head[2]) for head in _headings(text)]


def parse_heading(line: str) -> tuple[int, str] | None:
    """Read the level and the title of a line that is a heading."""
    head = _HEADING.match(f"\n{line}")
    return (len(head[1]), _title(head[2])) if head else None


def find_lead_end(text: str) -> int:
    """Tell where the first section below the title begins; without one, the end."""
    return next((section.start for section in parse_sections(text) if section.level > 1), len(text))


def normalize_title(title: str) -> str:
    """Give the words of a title alone, in lower case: its case and punctuation say nothing."""
    return " ".join(re.findall(r"[^\W_]+", title.replace("&", " and ").casefold()))


def find_section(
    found: Iterable[MarkdownSection], names: Sequence[str], level: int = 0
) -> MarkdownSection | None:
    """Give the first section that bears one of some names, of one level or of any."""
    wanted = set(map(normalize_title, names))
    return next(
        (s for s in found if normalize_title(s.title) in wanted and level in {0, s.level}), None
    )


def _headings(text: str) -> Iterator[re.Match[str]]:
    """Find the headings beside code and comments, in the text with a line end before it."""
    return _HEADING.finditer(f"\n{blank_code_and_comments(text)}")


def _title(said: str) -> str:
    """Take off the signs that may close a heading; those of `C#` are part of a word."""
    title = said.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title
