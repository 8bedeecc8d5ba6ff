"""Make untrusted text safe to display: no control characters, and escaped markup."""

from __future__ import annotations

import re
from functools import cache, lru_cache

UNSEEN_PATTERN = (
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 and C1: terminal escapes begin with these
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks that reorder what is read
    "\u200b\u2028\u2029\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
    "\U000e0000-\U000e007f]"  # tag characters: invisible letters that programs read
)
"""A pattern of the characters that are removed from all displayed text."""
INVISIBLE_PATTERN = UNSEEN_PATTERN[:-1] + (
    "\xad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200c\u200d\u2065\u3164\ufe00-\ufe0f\uffa0"
    "\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0080-\U000e0fff]"
)
"""A pattern of these and of all characters that Unicode lets a reader ignore.

Some scripts and emoji need them, so texts keep them, but nobody sees them in a tag.
"""
MIN_SECRET_CHARS = 12
"""Minimum characters of a word that is searched for a secret."""
_ESCAPED_CHARACTERS = r"[\\|`\[\]<]"


def strip_unprintable(text: str) -> str:
    """Return the text without control and invisible characters; line breaks and tabs are kept."""
    if text.isascii() and text.replace("\n", "").isprintable():
        return text  # nearly always, and without compiling the pattern
    return re.sub(UNSEEN_PATTERN, "", text.replace("\r\n", "\n"))


def to_one_line(text: str) -> str:
    """Return the text on one line, with white space folded and without control characters."""
    if text.isascii() and text.isprintable() and "  " not in text and text == text.strip():
        return text  # nearly always
    return " ".join(strip_unprintable(text.replace("\r", " ")).split())


def truncate_line(text: str, width: int) -> str:
    """Return the text on one line, cut to `width` characters with a final `…`."""
    line = to_one_line(text)
    return line if len(line) <= width else f"{line[: width - 1].rstrip()}…"


@lru_cache(maxsize=4096)  # the same dates, tags and statuses occur in thousands of rows
def format_cell(text: str, width: int = 0) -> str:
    """Return text as a cell of a Markdown table, cut to `width` characters with `…` (0: uncut).

    A secret in it is redacted: the files with such tables are committed unasked.
    """
    text = redact_secrets(text)
    line = truncate_line(text, width) if width else to_one_line(text)
    return _compile_escape_pattern().sub(r"\\\g<0>", line)


def format_link(text: str, target: str, url: str) -> str:
    """Return a link to a file as a cell; only its text if the name of the file has a secret."""
    shown = format_cell(text)
    return f"[{shown}]({url})" if redact_secrets(target) == target else shown


def redact_secrets(text: str) -> str:
    """Return a text with its secrets redacted; texts without a long word are returned at once."""
    if len(text) < MIN_SECRET_CHARS or all(len(w) < MIN_SECRET_CHARS for w in text.split()):
        return text
    from cortexfs.core.checks.secrets import redact  # noqa: PLC0415 - most texts have no such word

    return redact(text)


@cache
def _compile_escape_pattern() -> re.Pattern[str]:
    """Return the pattern, compiled on first use: at import, every command would pay for it."""
    return re.compile(_ESCAPED_CHARACTERS)
