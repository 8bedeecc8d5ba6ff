"""The sections of a Markdown text: headings with the text below them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.fences import blank_code_and_comments

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_LEVEL = 6
"""The deepest level of a heading."""
_HEADING = re.compile(r"\n\ufeff? {0,3}(#{1,6})(?=[ \t]|\r?$)(.*)", re.MULTILINE)
"""With the line end before it: such a pattern is searched twice as fast as one with `^`."""


class MarkdownSection(NamedTuple):
    """A heading with its text, up to the next heading of the same or a higher level.

    Offsets: `start` of the heading, `body_start` of the text below it, and `end`, where the next
    such heading begins.
    """

    level: int
    title: str
    start: int
    body_start: int
    end: int


def parse_sections(text: str) -> list[MarkdownSection]:
    """Return all sections, in the order of their headings."""
    found = []
    ends = [len(text)] * (MAX_LEVEL + 1)
    for head in reversed(list(_find_headings(text))):
        level, start = len(head[1]), head.start()  # the added line end is before the text
        body = min(head.end(), len(text))
        found.append(MarkdownSection(level, _parse_title(head[2]), start, body, ends[level]))
        ends[level:] = [start] * (MAX_LEVEL + 1 - level)
    return found[::-1]


def list_titles(text: str) -> list[str]:
    """Return the titles of all headings, in order."""
    return [_parse_title(head[2]) for head in _find_headings(text)]


def parse_heading(line: str) -> tuple[int, str] | None:
    """Return the level and the title of a heading line, else None."""
    head = _HEADING.match(f"\n{line}")
    return (len(head[1]), _parse_title(head[2])) if head else None


def find_lead_end(text: str) -> int:
    """Return the offset of the first section below the title; without one, the end of the text."""
    starts = (head.start() for head in _find_headings(text) if len(head[1]) > 1)
    return next(starts, len(text))


def find_title_end(text: str) -> int | None:
    """Return the offset below the first heading of level 1; None if there is none."""
    ends = (head.end() for head in _find_headings(text) if len(head[1]) == 1)
    return next((min(end, len(text)) for end in ends), None)


def normalize_title(title: str) -> str:
    """Return only the words of a title, in lower case and without punctuation."""
    if title.isascii() and title.replace(" ", "").isalnum():  # nearly always, and much faster
        return " ".join(title.lower().split())
    return " ".join(re.findall(r"[^\W_]+", title.replace("&", " and ").casefold()))


def find_section(
    found: Iterable[MarkdownSection], names: Sequence[str], level: int = 0
) -> MarkdownSection | None:
    """Return the first section with one of these titles, at one level or, with 0, at any."""
    wanted = set(map(normalize_title, names))
    return next(
        (s for s in found if normalize_title(s.title) in wanted and level in {0, s.level}), None
    )


def find_section_in_text(text: str, names: Sequence[str]) -> MarkdownSection | None:
    """Return the first section with one of these titles, without parsing all others."""
    wanted = set(map(normalize_title, names))
    headings = _find_headings(text)
    for head in headings:
        level, title = len(head[1]), _parse_title(head[2])
        if normalize_title(title) in wanted:
            end = next((other.start() for other in headings if len(other[1]) <= level), len(text))
            return MarkdownSection(level, title, head.start(), min(head.end(), len(text)), end)
    return None


def _find_headings(text: str) -> Iterator[re.Match[str]]:
    """Find the headings outside code and comments, in the text with a line end before it."""
    return _HEADING.finditer(f"\n{blank_code_and_comments(text)}")


def _parse_title(text: str) -> str:
    """Strip the closing `#` of a heading, but not the one of a word such as `C#`."""
    title = text.strip()
    bare = title.rstrip("#")
    return bare.rstrip() if not bare or bare[-1] in " \t" else title
