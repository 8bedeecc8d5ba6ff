"""The tables of a Markdown text: their heads and rows, and where each cell stands."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.lines import lines, trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAR = re.compile(r"(?<!\\)\|")
_RULE = frozenset("|-: \t")
"""What the line below the heads is made of."""


class Row(NamedTuple):
    """One row: its line, what its cells say, and the span of each in the text."""

    start: int
    end: int
    cells: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


class Table(NamedTuple):
    """Rows that stand right below one another; the first one's cells are the `heads`."""

    start: int
    end: int
    heads: tuple[str, ...]
    rows: tuple[Row, ...]


def tables(text: str) -> Iterator[Table]:
    """Give every table; the rule below its heads, and empty rows, are no rows of it."""
    every = (_row(line.start, line.end, line.prose) for line in lines(text))
    for is_table, run in groupby(every, lambda row: bool(row.cells)):
        if is_table:
            head, *rows = run
            end = rows[-1].end if rows else head.end
            yield Table(head.start, end, head.cells, tuple(filter(_says, rows)))


def is_row(line: str) -> bool:
    """Tell whether a line is a row of a table."""
    return line.lstrip().startswith("|")


def cells(row: str) -> list[str]:
    """Give what each cell of a row says; its last bar may be missing."""
    bare = row.strip()
    said = _BAR.split(bare) if "\\|" in bare else bare.split("|")
    return [cell.strip() for cell in (said[1:] if said[-1].strip() else said[1:-1])]


def spans(row: str) -> tuple[tuple[int, int], ...]:
    """Tell where the words of each cell of a row stand."""
    bars = [found.start() for found in _BAR.finditer(row)]
    if row[bars[-1] + 1 :].strip():
        bars.append(len(row))
    return tuple(_span(row, one + 1, other) for one, other in pairwise(bars))


def _row(start: int, end: int, line: str) -> Row:
    if not is_row(line):
        return Row(start, end, (), ())
    placed = tuple((start + first, start + last) for first, last in spans(line))
    return Row(start, end, tuple(cells(line)), placed)


def _says(row: Row) -> bool:
    return not all(_RULE.issuperset(cell) for cell in row.cells)


def _span(row: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a cell to its words; an empty one keeps a blank before and after them."""
    if row[start:end].strip():
        return trimmed(row, start, end)
    return (start + 1, max(end - 1, start + 1)) if end > start + 1 else (end, end)
