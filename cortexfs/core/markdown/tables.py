"""The tables of a Markdown text: their heads and rows, and where each cell stands."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.lines import split_lines, trim_span

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAR = re.compile(r"(?<!\\)\|")
_RULE = frozenset("|-: \t")
"""What the line below the heads is made of."""


class TableRow(NamedTuple):
    """One row: its line, what its cells say, and the span of each in the text."""

    start: int
    end: int
    cells: tuple[str, ...]
    cell_spans: tuple[tuple[int, int], ...]


class MarkdownTable(NamedTuple):
    """Rows that stand right below one another; the first one's cells are the `heads`."""

    start: int
    end: int
    headers: tuple[str, ...]
    rows: tuple[TableRow, ...]


def find_tables(text: str) -> Iterator[MarkdownTable]:
    """Give every table; the rule below its heads, and empty rows, are no rows of it."""
    every = (_row(line.start, line.end, line.text_without_code) for line in split_lines(text))
    for is_table, run in groupby(every, lambda row: bool(row.cells)):
        if is_table:
            head, *rows = run
            end = rows[-1].end if rows else head.end
            yield MarkdownTable(head.start, end, head.cells, tuple(filter(_says, rows)))


def is_table_row(line: str) -> bool:
    """Tell whether a line is a row of a table."""
    return line.lstrip().startswith("|")


def split_cells(row: str) -> list[str]:
    """Give what each cell of a row says; its last bar may be missing."""
    bare = row.strip()
    said = _BAR.split(bare) if "\\|" in bare else bare.split("|")
    return [cell.strip() for cell in (said[1:] if said[-1].strip() else said[1:-1])]


def find_cell_spans(row: str) -> tuple[tuple[int, int], ...]:
    """Tell where the words of each cell of a row stand."""
    bars = [found.start() for found in _BAR.finditer(row)]
    if row[bars[-1] + 1 :].strip():
        bars.append(len(row))
    return tuple(_span(row, one + 1, other) for one, other in pairwise(bars))


def _row(start: int, end: int, line: str) -> TableRow:
    if not is_table_row(line):
        return TableRow(start, end, (), ())
    placed = tuple((start + first, start + last) for first, last in find_cell_spans(line))
    return TableRow(start, end, tuple(split_cells(line)), placed)


def _says(row: TableRow) -> bool:
    return not all(_RULE.issuperset(cell) for cell in row.cells)


def _span(row: str, start: int, end: int) -> tuple[int, int]:
    """Narrow a cell to its words; an empty one keeps a blank before and after them."""
    if row[start:end].strip():
        return trim_span(row, start, end)
    return (start + 1, max(end - 1, start + 1)) if end > start + 1 else (end, end)
