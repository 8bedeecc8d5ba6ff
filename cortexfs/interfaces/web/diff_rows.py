"""The rows of a diff as a page shows them: line by line, changed words marked."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.line_diff import format_unified_diff

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_ROWS = 2000
"""Maximum number of rows of one diff; the rest is counted."""
MAX_COMPARED_WORDS = 200
"""Maximum number of words of a line that are compared: the time is quadratic at worst."""
_HUNK = re.compile(r"@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@")

Parts = tuple[tuple[str, bool], ...]


class DiffRow(NamedTuple):
    """One row: `sign` is `+`, `-`, ` ` or `@`; each part of its text with whether it changed."""

    sign: str
    old_line: int
    new_line: int
    parts: Parts


class Diff(NamedTuple):
    """The rows of a diff, the numbers of added and removed lines, and of rows left out."""

    rows: Sequence[DiffRow]
    added: int
    removed: int
    left_out: int


def make_diff_rows(old: str | None, new: str | None) -> Diff:
    """Return the diff of two texts; None is a file that does not exist."""
    before, after = ((text or "").splitlines(keepends=True) for text in (old, new))
    rows = list(_iter_rows(list(format_unified_diff(before, after, "a", "b"))[2:]))
    added, removed = (sum(row.sign == sign for row in rows) for sign in "+-")
    shown = list(_mark_words(rows[:MAX_ROWS]))
    return Diff(shown, added, removed, max(0, len(rows) - MAX_ROWS))


def _iter_rows(lines: Sequence[str]) -> Iterator[DiffRow]:
    old = new = 0
    for line in lines:
        if hunk := _HUNK.match(line):
            old, new = int(hunk[1]), int(hunk[2])
            yield DiffRow("@", old, new, ((line.strip(), False),))
            continue
        sign, text = line[0], line[1:].rstrip("\r\n")
        yield DiffRow(sign, old, new, ((text, False),))
        old, new = old + (sign != "+"), new + (sign != "-")


def _mark_words(rows: Sequence[DiffRow]) -> Iterator[DiffRow]:
    """Yield rows; where as many lines were added as removed, changed words are marked."""
    at = 0
    while at < len(rows):
        removed = _take(rows, at, "-")
        added = _take(rows, at + len(removed), "+")
        if len(removed) != len(added) or not removed:
            yield from rows[at : at + max(1, len(removed) + len(added))]
            at += max(1, len(removed) + len(added))
            continue
        pairs = [_compare(*pair) for pair in zip(removed, added, strict=True)]
        yield from chain((old for old, _ in pairs), (new for _, new in pairs))
        at += 2 * len(removed)


def _take(rows: Sequence[DiffRow], at: int, sign: str) -> Sequence[DiffRow]:
    end = at
    while end < len(rows) and rows[end].sign == sign:
        end += 1
    return rows[at:end]


def _compare(old: DiffRow, new: DiffRow) -> tuple[DiffRow, DiffRow]:
    words = [re.findall(r"\w+|\s+|[^\w\s]", row.parts[0][0]) for row in (old, new)]
    if max(map(len, words)) > MAX_COMPARED_WORDS:
        return old, new
    steps = SequenceMatcher(None, words[0], words[1], autojunk=False).get_opcodes()
    parts: tuple[list[tuple[str, bool]], list[tuple[str, bool]]] = [], []
    for tag, start, end, new_start, new_end in steps:
        for side, run in zip(
            parts, (words[0][start:end], words[1][new_start:new_end]), strict=True
        ):
            if run:
                side.append(("".join(run), tag != "equal"))
    return old._replace(parts=tuple(parts[0])), new._replace(parts=tuple(parts[1]))
