"""Tables for a terminal: fixed columns that fit its width, one line for each row."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from cortexfs.core.cells import cell_width, cut_to_width, pad_to_width

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GAP = "  "
LEAST = 8
"""Cells to which a column may be cut where the terminal is narrow."""
LEAST_LAST = 24
"""Cells that the last column keeps before the others are cut."""
NUMBERS = frozenset({"Refs", "Reads", "Atoms", "Line", "Steps", "Score", "Count"})
"""Columns that are aligned to the right."""


def render_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, *, styled: bool = False
) -> Iterator[str]:
    """Yield the head and a line for each row, none wider than so many cells.

    Cells hold no control characters. A cell that does not fit ends in `…`; what lies in the
    last columns is cut first.
    """
    natural = [max(map(cell_width, column)) for column in zip(heads, *rows, strict=True)]
    widths = fit_columns(natural, width - len(GAP) * (len(heads) - 1))
    head = _line(heads, widths, heads)
    yield f"\x1b[1m{head}\x1b[0m" if styled else head
    for row in rows:
        yield _line(row, widths, heads)


def fit_columns(natural: Sequence[int], room: int) -> list[int]:
    """Return the width of each column: the last is cut first, then the widest of the others."""
    *widths, last = natural
    others = sum(widths)
    kept = min(last, max(room - others, min(LEAST_LAST, last)))
    while widths and sum(widths) + kept > room and max(widths) > LEAST:
        at = max(range(len(widths)), key=lambda each: (widths[each], each))
        widths[at] -= 1
    return [*widths, max(min(kept, room - sum(widths)), 1)]


def _line(cells: Sequence[str], widths: Sequence[int], heads: Sequence[str]) -> str:
    parts = [
        pad_to_width(cut_to_width(cell, width), width, right=head in NUMBERS)
        for cell, width, head in zip(cells, widths, heads, strict=True)
    ]
    return GAP.join(parts).rstrip()


def terminal_width() -> int:
    """Return the columns of the terminal; `COLUMNS` is obeyed."""
    return max(shutil.get_terminal_size().columns, 20)


def is_styled() -> bool:
    """Return whether the terminal may be sent bold text: not with NO_COLOR, nor a dumb one."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in {"", "dumb"}
