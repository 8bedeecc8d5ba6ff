"""The tables of a Markdown text: headings, rows, and the offsets of each cell."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.markdown.lines import iter_markdown_lines, trim_span

if TYPE_CHECKING:
    from collections.abc import Iterator

_BAR = re.compile(r"(?<!\\)\|")
_RULE_CHARS = frozenset("|-: \t")
"""Characters of the line below the headings."""


class TableRow(NamedTuple):
    """One row: its line, the text of its cells, and the span of each cell in the text."""

    start: int
    end: int
    cells: tuple[str, ...]
    cell_spans: tuple[tuple[int, int], ...]


class MarkdownTable(NamedTuple):
    """Consecutive rows; `headers` are the cells of the first."""

    start: int
    end: int
    headers: tuple[str, ...]
    rows: tuple[TableRow, ...]


def find_tables(text: str) -> Iterator[MarkdownTable]:
    """Yield every table; the rule below its headings, and empty rows, are left out."""
    every = (
        _parse_row(line.start, line.end, line.text_without_code)
        for line in iter_markdown_lines(text)
    )
    for is_table, run in groupby(every, lambda row: bool(row.cells)):
        if is_table:
            head, *rows = run
            end = rows[-1].end if rows else head.end
            yield MarkdownTable(head.start, end, head.cells, tuple(filter(_has_content, rows)))


def is_table_row(line: str) -> bool:
    """Return whether a line is a row of a table."""
    return line.lstrip().startswith("|")


def split_cells(row: str) -> list[str]:
    """Return the text of each cell of a row; the last `|` may be missing."""
    bare = row.strip()
    cells = _BAR.split(bare) if "\\|" in bare else bare.split("|")
    return [cell.strip() for cell in (cells[1:] if cells[-1].strip() else cells[1:-1])]


def find_cell_spans(row: str) -> tuple[tuple[int, int], ...]:
    """Return the span of the text of each cell of a row."""
    bars = [found.start() for found in _BAR.finditer(row)]
    if row[bars[-1] + 1 :].strip():
        bars.append(len(row))
    return tuple(_trim_cell(row, one + 1, other) for one, other in pairwise(bars))


def _parse_row(start: int, end: int, line: str) -> TableRow:
    if not is_table_row(line):
        return TableRow(start, end, (), ())
    placed = tuple((start + first, start + last) for first, last in find_cell_spans(line))
    return TableRow(start, end, tuple(split_cells(line)), placed)


def _has_content(row: TableRow) -> bool:
    return not all(_RULE_CHARS.issuperset(cell) for cell in row.cells)


def _trim_cell(row: str, start: int, end: int) -> tuple[int, int]:
    """Return the span of a cell's text; an empty cell keeps a space before and after it."""
    if row[start:end].strip():
        return trim_span(row, start, end)
    return (start + 1, max(end - 1, start + 1)) if end > start + 1 else (end, end)
