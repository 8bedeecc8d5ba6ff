"""Splices of a text, and the offsets of its lines, comments and commas."""

from __future__ import annotations

import re
from typing import NamedTuple

_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_COMMA = re.compile(r"(?:[^#,]|#[^\n]*)*,")


class Splice(NamedTuple):
    """Replace the span from `start` to `end` with `text`."""

    start: int
    end: int
    text: str = ""


def apply_splices(text: str, splices: list[Splice]) -> str:
    """Return the text after all splices; the overlap of two removed spans is removed once."""
    parts, done = [], 0
    for start, end, new in sorted(splices, key=lambda s: (s.start, s.end > s.start)):
        parts += [text[done : max(start, done)], new]
        done = max(done, end)
    return "".join([*parts, text[done:]])


def find_line_start(text: str, index: int) -> int:
    """Return the offset of the beginning of a line."""
    return text.rfind("\n", 0, index) + 1


def find_next_line(text: str, index: int) -> int:
    """Return the offset of the next line; the beginning of a line is returned as it is."""
    if index and text[index - 1] == "\n":
        return index
    return (text.find("\n", index) + 1) or len(text)


def find_line_end(text: str, index: int) -> int:
    """Return the offset of the end of a line, before its line end."""
    end = find_next_line(text, index)
    return end - len(text[index:end]) + len(text[index:end].rstrip("\r\n"))


def skip_comments(text: str, index: int, column: int) -> int:
    """Return the offset after the comment lines below with a deeper indentation than `column`."""
    found = re.compile(rf"(?:[ ]{{{column + 1},}}#[^\n]*(?:\n|\Z))*").match(text, index)
    return found.end() if found else index


def skip_blank_lines(text: str, index: int) -> int:
    """Return the offset after the blank lines below."""
    found = _BLANK_LINES.match(text, index)
    return found.end() if found else index


def find_comma(text: str, start: int, end: int) -> int:
    """Return the offset of the comma between parts of a flow collection; -1 if there is none."""
    found = _COMMA.match(text, start, end)
    return found.end() - 1 if found else -1
