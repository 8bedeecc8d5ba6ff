"""Find the parts of a Markdown text that are not prose: fenced code, and HTML comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COMMENT, COMMENT_END = "<!--", "-->"

_SPAN_START = re.compile("```|~~~|<!--")
_LINE_PREFIX = re.compile(r"[ \t]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*")
"""The text allowed before a fence on its line: a list item may begin with a fence.

No group is possessive: Python 3.11.0 to 3.11.4 match those wrongly.
"""
_OPENING_FENCE = re.compile(r"(`{3,}+)[^`\n]*$|~{3,}+", re.MULTILINE)
_CLOSING_FENCE = re.compile(r"\n[ \t]*+(`{3,}+|~{3,}+)[ \t\r]*+$", re.MULTILINE)


class FencedSpan(NamedTuple):
    """A span of code with its fences, or a comment.

    `closing_marker` is the text that ends it: a fence, or `-->`. If `is_open`, that is missing and
    the span continues to the end of the text.
    """

    start: int
    end: int
    closing_marker: str
    is_open: bool

    @property
    def is_comment(self) -> bool:
        """Whether the span is a comment and not code."""
        return self.closing_marker == COMMENT_END


def find_fenced_spans(text: str) -> list[FencedSpan]:
    """Return the code blocks and comments of a text, in one pass.

    Unlike in CommonMark, a fence may have any indentation, because list items contain fences. A
    comment at the beginning of a line may span lines; any other ends on its line.
    """
    if ("`" in text and "```" in text) or ("~" in text and "~~~" in text):
        return list(_scan_spans(text))
    if "<" in text and COMMENT in text:
        return list(_scan_spans(text))
    return []  # nearly always: a single character is searched ten times as fast as a text


def blank_code_and_comments(text: str) -> str:
    """Return the text with code and comments replaced by spaces, so that only prose is left."""
    return blank_spans(text, find_fenced_spans(text))


def blank_code(text: str) -> str:
    """Return the text with only code replaced by spaces."""
    return blank_spans(text, (span for span in find_fenced_spans(text) if not span.is_comment))


def blank_comments(text: str) -> str:
    """Return the text with only comments replaced by spaces."""
    return blank_spans(text, (span for span in find_fenced_spans(text) if span.is_comment))


def blank_spans(text: str, spans: Iterable[FencedSpan]) -> str:
    """Return the text with spans replaced by spaces; all lines and offsets stay the same."""
    kept, at = [], 0
    for span in spans:
        inside = text[span.start : span.end].split("\n")
        kept += [text[at : span.start], "\n".join(" " * len(line) for line in inside)]
        at = span.end
    return "".join([*kept, text[at:]]) if kept else text


def _scan_spans(text: str) -> Iterator[FencedSpan]:
    at = 0
    while mark := _SPAN_START.search(text, at):
        is_first = _is_first_on_line(text, at, mark.start())
        if mark[0] == COMMENT:
            span = (_match_comment if is_first else _match_inline_comment)(text, mark.start())
        else:
            span = _match_code(text, mark.start()) if is_first else None
        if span and span.closing_marker:
            yield span
        at = span.end if span else mark.end()


def _is_first_on_line(text: str, at: int, start: int) -> bool:
    """Return whether `start` is the first content of its line; the mark before it ends at `at`."""
    line = text.rfind("\n", at, start) + 1
    return bool(line or not at) and _LINE_PREFIX.fullmatch(text, line, start) is not None


def _match_code(text: str, start: int) -> FencedSpan | None:
    """Return a code block up to a closing fence of the same character and at least its length."""
    opening = _OPENING_FENCE.match(text, start)
    if opening is None:
        return None
    fence = opening[1] or opening[0]
    for closing in _CLOSING_FENCE.finditer(text, opening.end()):
        if closing[1].startswith(fence):
            return FencedSpan(start, closing.end(), fence, is_open=False)
    return FencedSpan(start, len(text), fence, is_open=True)


def _match_comment(text: str, start: int) -> FencedSpan:
    end = text.find(COMMENT_END, start)
    if end < 0:
        return FencedSpan(start, len(text), COMMENT_END, is_open=True)
    return FencedSpan(start, end + len(COMMENT_END), COMMENT_END, is_open=False)


def _match_inline_comment(text: str, start: int) -> FencedSpan | None:
    """Return a comment within a line, or else the rest of the line; None after a backtick."""
    if text[start - 1] == "`":
        return None
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    end = text.find(COMMENT_END, start + len(COMMENT), line_end)
    if end < 0:
        return FencedSpan(start, line_end, "", is_open=False)
    return FencedSpan(start, end + len(COMMENT_END), COMMENT_END, is_open=False)
