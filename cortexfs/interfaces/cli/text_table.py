"""Tables for a terminal: fixed columns that fit its width, one line for each row."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

from cortexfs.core.text.display_width import display_width, pad_to_width, truncate_to_width

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

COLUMN_GAP = "  "
MIN_WIDTH = 8
"""Cells to which a column may be cut if the terminal is narrow."""
MIN_LAST_WIDTH = 20
"""Cells that the last column keeps before the others are cut."""
RIGHT_ALIGNED_COLUMNS = frozenset({"Refs", "Reads", "Atoms", "Line", "Distance", "Score", "Count"})
"""Columns that are aligned to the right."""
UNCUT_COLUMNS = frozenset(
    {"Ref", "Id", "Date", "Commit", "Tag", "Project", "When", "Status", "From"}
)
"""Columns that are cut only if nothing else can be cut."""
NARROW_WIDTH = 90
"""Cells below which a table leaves out `OPTIONAL_COLUMNS` and the time of day."""
OPTIONAL_COLUMNS = frozenset({"Author", "Distance"})
"""Columns that a narrow terminal does not show."""


def render_table(
    heads: Sequence[str], rows: Sequence[Sequence[str]], width: int, *, styled: bool = False
) -> Iterator[str]:
    """Yield the head and a line for each row, at most `width` cells wide.

    Cells hold no control characters. A cell that does not fit ends in `…`.
    """
    is_narrow = width < NARROW_WIDTH
    shown = [at for at, head in enumerate(heads) if not (is_narrow and head in OPTIONAL_COLUMNS)]
    heads = [heads[at] for at in shown]
    rows = [
        [_format_cell(heads[place], row[at], is_narrow) for place, at in enumerate(shown)]
        for row in rows
    ]
    natural = [max(map(display_width, column)) for column in zip(heads, *rows, strict=True)]
    kept = {at for at, head in enumerate(heads) if head in UNCUT_COLUMNS | RIGHT_ALIGNED_COLUMNS}
    widths = fit_columns(natural, width - len(COLUMN_GAP) * (len(heads) - 1), kept)
    head = _format_row(heads, widths, heads)
    yield f"\x1b[1m{head}\x1b[0m" if styled else head
    for row in rows:
        yield _format_row(row, widths, heads)


def _format_cell(head: str, cell: str, is_narrow: bool) -> str:
    """Return a time to the minute, or its day if the table is narrow; anything else unchanged."""
    if head != "When":
        return cell
    return cell[:10] if is_narrow else cell[:16].replace("T", " ")


def fit_columns(natural: Sequence[int], room: int, kept: Collection[int] = ()) -> list[int]:
    """Return the width of each column in cells.

    The last is cut first, then the widest of the others, then the last again; the columns in `kept`
    are cut when nothing else is left.
    """
    *widths, last = natural
    short = min(last, max(room - sum(widths), min(MIN_LAST_WIDTH, last)))
    loose = [at for at in range(len(widths)) if at not in kept]
    for columns in (loose, range(len(widths))):
        if columns is not loose:
            short = min(short, max(room - sum(widths), MIN_WIDTH))
        while columns and sum(widths) + short > room:
            at = max(columns, key=lambda each: (widths[each], each))
            if widths[at] <= MIN_WIDTH:
                break
            widths[at] -= 1
    return [*widths, max(min(short, room - sum(widths)), 1)]


def _format_row(cells: Sequence[str], widths: Sequence[int], heads: Sequence[str]) -> str:
    parts = [
        pad_to_width(
            truncate_to_width(cell, width), width, align_right=head in RIGHT_ALIGNED_COLUMNS
        )
        for cell, width, head in zip(cells, widths, heads, strict=True)
    ]
    return COLUMN_GAP.join(parts).rstrip()


def terminal_width() -> int:
    """Return the columns of the terminal; `COLUMNS` overrides them."""
    return max(shutil.get_terminal_size().columns, 20)


def is_styled() -> bool:
    """Return whether the terminal supports bold text: not with NO_COLOR, nor a dumb one."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in {"", "dumb"}
