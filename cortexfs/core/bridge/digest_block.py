"""Our block in a client's memory file: between two markers, inserted and removed to the byte."""

from __future__ import annotations

import re

BEGIN, END = "<!-- cortexfs:begin -->", "<!-- cortexfs:end -->"
_MARKER = re.compile(rf"^(?:({BEGIN})|{END})[ \t]*\r?$", re.MULTILINE)
_REF_LINE = re.compile(
    r"^.*\[(?:[a-z0-9][a-z0-9._-]{0,63}/)?OBS-[0-9]{3,12}\][ \t]*\r?\n?", re.MULTILINE
)
"""A line that ends in the ref of a memory, as the lines of a digest do."""

Span = tuple[int, int]
"""The beginning and the end of a part of a text."""


def strip_digest(text: str) -> str:
    """Return a text without anything of a digest: blocks, and lines copied out of one."""
    return _REF_LINE.sub("", remove_digests(text))


def remove_digests(text: str) -> str:
    """Return a text without digests; one without its end is removed up to the end of the text."""
    return _cut(text, _find_blocks(text, from_first_begin=True))


def remove_block(text: str) -> str:
    """Return a text without our block, every other byte as it is."""
    return _cut(text, _find_blocks(text))


def insert_block(text: str, digest: str) -> str:
    """Return a text with our block in its place, or at its end; an empty digest removes it."""
    if not digest:
        return remove_block(text)
    block = f"{BEGIN}\n{digest.strip()}\n{END}\n"
    if found := _find_blocks(text):
        start, end = found[0]
        head = "\n" if text[start] == "\n" else ""
        return f"{text[:start]}{head}{block}{remove_block(text[end:])}"
    return f"{text}\n{block}" if text else block


def _find_blocks(text: str, *, from_first_begin: bool = False) -> list[Span]:
    """Return the spans of blocks, each with the line breaks around it; none touches the next.

    A block goes from the last beginning before its end, because after a beginning without an end
    comes text of the user; or, with `from_first_begin`, from the first, also without an end.
    """
    spans: list[Span] = []
    begin = -1
    for marker in _MARKER.finditer(text):
        if marker[1]:
            begin = begin if from_first_begin and begin >= 0 else marker.start()
        elif begin >= 0:
            _add_block(spans, text, begin, marker.end())
            begin = -1
    if from_first_begin and begin >= 0:
        _add_block(spans, text, begin, len(text))
    return spans


def _add_block(spans: list[Span], text: str, start: int, end: int) -> None:
    """Add a block with the line breaks around it, or extend the last one up to its end."""
    end += text.startswith("\n", end)
    if spans and start <= spans[-1][1]:
        spans[-1] = spans[-1][0], end
    else:
        spans.append((start - text.startswith("\n", max(start - 1, 0)), end))


def _cut(text: str, spans: list[Span]) -> str:
    """Return a text without blocks.

    The line break before a block is ours, unless it now ends a line of the text.
    """
    kept: list[str] = []
    at = 0
    for start, end in spans:
        before = text[at:start]
        kept.append(before)
        has_line = bool(before) and not before.endswith("\n")
        if text[start] == "\n" and has_line and end < len(text):
            kept.append("\n")
        at = end
    return "".join([*kept, text[at:]])
