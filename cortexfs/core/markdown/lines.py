"""The lines of a Markdown text: their offsets, and their prose without code and comments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.fences import blank_spans, find_fenced_spans

if TYPE_CHECKING:
    from collections.abc import Iterator


class MarkdownLine(NamedTuple):
    """One line of a text and its offsets; `end` is after its line end.

    `text_without_code` is `text` with spaces in place of code and comments: only prose has
    headings, items and rows. `continues_fence` is true if code or a comment of a previous line
    continues.
    """

    start: int
    end: int
    text: str
    text_without_code: str
    continues_fence: bool

    @property
    def indent(self) -> int:
        """The indentation in characters."""
        return len(self.text) - len(self.text.lstrip())


def iter_markdown_lines(text: str) -> Iterator[MarkdownLine]:
    """Yield every line."""
    spans = find_fenced_spans(text)
    prose = blank_spans(text, spans).split("\n")
    spans.reverse()
    start = 0
    for raw, words in zip(text.split("\n"), prose, strict=True):
        while spans and spans[-1].end <= start:
            spans.pop()
        is_inside = bool(spans) and spans[-1].start < start
        end = min(start + len(raw) + 1, len(text))
        yield MarkdownLine(start, end, raw.removesuffix("\r"), words.removesuffix("\r"), is_inside)
        start = end


def detect_line_ending(text: str) -> str:
    """Return the line end that a text uses."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def trim_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span without the whitespace at its ends."""
    inner = text[start:end]
    lead = len(inner) - len(inner.lstrip())
    return (start + lead, start + len(inner.rstrip())) if inner.strip() else (end, end)
