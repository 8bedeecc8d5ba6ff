"""The end of a record, of which only the last lines are parsed."""

from __future__ import annotations

import re
from typing import NamedTuple

from cortexfs.core.stories.chat_record import LINE_START, ChatRecord, parse_record

_INSERTED = ',"after":'
_NUMBER = re.compile(r"[0-9]{1,9}")


class OrderedLines(NamedTuple):
    """The text of a record of which each line is a new message of ours, and how many there are."""

    text: str
    total: int


NO_LINES = OrderedLines("", 0)


def parse_end_of_record(
    text: str, chunk_size: int, count: int = 1, ordered: OrderedLines | None = None
) -> ChatRecord:
    """Return the last messages, at least `count`, and all others of their chunks.

    This reads only their lines: a record has thousands. It reads all if a message was inserted, if
    another program has written lines, or if one of these is broken: its number may be wrong.
    `ordered` is what `find_ordered_lines` returns.
    """
    ordered = ordered or find_ordered_lines(text)
    end = parse_record(_cut_beginning(text, chunk_size, count, ordered))
    return parse_record(text) if end.broken else end


def _cut_beginning(text: str, chunk_size: int, count: int, ordered: OrderedLines) -> str:
    """Return the lines of the last messages; all lines if they are not as we write them."""
    if ordered.text == text:
        total = ordered.total
        start = len(text) - 1
        for _ in range(total - max(0, (total - count) // chunk_size * chunk_size)):
            start = text.rfind("\n", 0, start)
        return text[start + 1 :]
    lines = [line for line in text.split("\n") if line]
    numbers = [line[len(LINE_START) : line.find(",")] for line in lines]
    is_ours = all(line.startswith(LINE_START) for line in lines)
    if not is_ours or not all(map(_NUMBER.fullmatch, numbers)) or _INSERTED in text:
        return text
    values = list(map(int, numbers))
    first = max(0, (max(values, default=0) - count) // chunk_size * chunk_size)
    ending = (line for value, line in zip(values, lines, strict=True) if value > first)
    return "\n".join(ending)


def find_ordered_lines(text: str, known: OrderedLines = NO_LINES) -> OrderedLines:
    """Return the text if each line is a new message of ours, else no lines.

    The last line then has their number. What is `known` of the same record is not read again.
    """
    start, before = (len(known.text), known.total) if text.startswith(known.text) else (0, 0)
    new = text.count("\n", start)
    last = text[text.rfind("\n", 0, -1) + 1 :]
    is_ordered = (
        last.startswith(f"{LINE_START}{before + new},")
        and text.startswith(LINE_START, start)
        and text.count(f"\n{LINE_START}", start) == new - 1
        and text.find(_INSERTED, start) < 0
    )
    is_same = new == 0 and before > 0 and start == len(text)
    return OrderedLines(text, before + new) if is_ordered or is_same else NO_LINES
