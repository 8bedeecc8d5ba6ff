"""Text of the tree as a model reads it: data between two tags, without invisible characters."""

from __future__ import annotations

import re

from cortexfs.core.memory.emitted_text import OWN_TAG
from cortexfs.core.text.sanitize import INVISIBLE_PATTERN, strip_unprintable, to_one_line

_GAP = rf"[\s{INVISIBLE_PATTERN[1:]}*+"
_NAME = rf"{INVISIBLE_PATTERN}*+".join(map(re.escape, OWN_TAG))
_ANY_TAG = re.compile(rf"<({_GAP}/?{_GAP}{_NAME})", re.IGNORECASE)
"""Our tag, with characters that nobody sees too."""


def clean_text(text: str) -> str:
    """Return a text without control characters, and without our tags."""
    return _ANY_TAG.sub(r"&lt;\1", strip_unprintable(text))


def clean_line(text: str) -> str:
    """Return a text on one line, without control characters, and without our tags."""
    return _ANY_TAG.sub(r"&lt;\1", to_one_line(text))


def wrap_as_data(text: str, source: str) -> str:
    """Return a cleaned text between the tags that name its source: refs or paths.

    Parts that were cleaned one by one may have a tag of ours where they meet.
    """
    shown = re.sub(r"[^\w./:# -]+", "-", to_one_line(source))
    data = _ANY_TAG.sub(r"&lt;\1", text.rstrip())
    return f'<{OWN_TAG} source="{shown}">\n{data}\n</{OWN_TAG}>'


def preview(text: str, limit: int) -> str:
    """Return the beginning of a text on one line, with `...` if it is longer."""
    line = clean_line(text)
    return line if len(line) <= limit else f"{line[:limit].rstrip()}..."
