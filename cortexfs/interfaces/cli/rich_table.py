"""Rich tables, for a terminal only: rich costs 90 ms to import."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Sequence


def show(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table; cells are text, never markup."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for head in heads:
        figures = head in {"Refs", "Atoms"}
        whole = figures or head in {"Ref", "Date", "Last ref"}
        table.add_column(head, justify="right" if figures else "left", no_wrap=whole)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console(highlight=False).print(table)
