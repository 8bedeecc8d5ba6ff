"""Long results in pages: clients cut or refuse a result that is longer than a page."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_PAGE_WEIGHT = 48_000
"""Maximum weight of a page: characters, of which one beyond ASCII counts twice.

Claude Code passes on 50,000 characters and 25,000 tokens; a character beyond ASCII may be a token.
"""
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


class Page(NamedTuple):
    """One page of a text, its number from 1, and the total number of pages."""

    text: str
    number: int
    total: int


def cut_page(text: str, number: int) -> Page:
    """Return a page of a text; after the last page, the last one."""
    starts = _find_page_starts(text)
    number = min(max(number, 1), len(starts) - 1)
    return Page(text[starts[number - 1] : starts[number]], number, len(starts) - 1)


def describe_page(page: Page, tool: str) -> str:
    """Return the line that follows a page, with how to get the next; empty for the only page."""
    if page.total == 1:
        return ""
    more = f"; next: {tool} with page={page.number + 1}" if page.number < page.total else ""
    return f"[page {page.number} of {page.total}{more}]"


def _find_page_starts(text: str) -> list[int]:
    """Return the offsets at which pages start, and the end of the text."""
    if _weigh(text) <= MAX_PAGE_WEIGHT:
        return [0, len(text)]
    starts = [0]
    while starts[-1] < len(text):
        starts.append(_find_page_end(text, starts[-1]))
    return starts


def _find_page_end(text: str, start: int) -> int:
    """Return where a page ends: after the last line that fits, or in a very long line."""
    end = min(start + MAX_PAGE_WEIGHT, len(text))
    while (excess := _weigh(text[start:end]) - MAX_PAGE_WEIGHT) > 0:
        end -= (excess + 1) // 2
    if end == len(text):
        return end
    line_end = text.rfind("\n", start, end) + 1
    return line_end if line_end > start + (end - start) // 2 else end


def _weigh(text: str) -> int:
    return len(text) + sum(map(len, _BEYOND_ASCII.findall(text)))
