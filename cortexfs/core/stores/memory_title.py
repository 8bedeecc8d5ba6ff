"""Make the title of a memory that has none, from its text."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import to_one_line, truncate_line

MAX_TITLE_CHARS = 100
"""Maximum characters of a title that is made from a text."""
_MARKUP = re.compile(r"^[\s>]*(?:#{1,6}\s+|[-*+]\s+|\d{1,3}[.)]\s+)?")
_EMPHASIS = re.compile(r"\*\*|__|`")


def make_title(content: str) -> str:
    """Return the first line of a text as a title, without markup, cut with `…`."""
    lines = (_EMPHASIS.sub("", _MARKUP.sub("", line)) for line in content.splitlines())
    first = next((line for each in lines if (line := to_one_line(each))), "")
    return truncate_line(first, MAX_TITLE_CHARS) or "Untitled"
