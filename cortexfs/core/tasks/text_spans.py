"""Where lines of a text begin and end, and what of it is only space and comments."""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANKS = re.compile(r"(?:[ \t]*\r?\n)*")
_COMMA = re.compile(r"(?:[^#,]|#[^\n]*)*,")


class Splice(NamedTuple):
    """Put `text` in place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str = ""


def apply_splices(text: str, splices: list[Splice]) -> str:
    """Make all changes at once; what two of them take out is taken out once."""
    parts, done = [], 0
    for start, end, new in sorted(splices, key=lambda s: (s.start, s.end > s.start)):
        parts += [text[done : max(start, done)], new]
        done = max(done, end)
    return "".join([*parts, text[done:]])


def find_line_start(text: str, index: int) -> int:
    """Find where the line of an index begins."""
    return text.rfind("\n", 0, index) + 1


def find_next_line(text: str, index: int) -> int:
    """Find where the line below begins; an index at the beginning of one is there already."""
    if index and text[index - 1] == "\n":
        return index
    return (text.find("\n", index) + 1) or len(text)


def find_line_end(text: str, index: int) -> int:
    """Find where the line of an index ends, before its line end."""
    end = find_next_line(text, index)
    return end - len(text[index:end]) + len(text[index:end].rstrip("\r\n"))


def skip_comments(text: str, index: int, column: int) -> int:
    """Pass over the comment lines below that stand further in than a column."""
    found = re.compile(rf"(?:[ ]{{{column + 1},}}#[^\n]*(?:\n|\Z))*").match(text, index)
    return found.end() if found else index


def skip_blank_lines(text: str, index: int) -> int:
    """Pass over the blank lines below."""
    found = _BLANKS.match(text, index)
    return found.end() if found else index


def find_comma(text: str, start: int, end: int) -> int:
    """Find the comma between two parts of a flow collection; -1 where there is none."""
    found = _COMMA.match(text, start, end)
    return found.end() - 1 if found else -1
