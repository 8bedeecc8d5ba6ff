"""The table of a page: columns that fit the terminal, and rows that are loaded as needed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.message import Message
from textual.widgets import DataTable

from cortexfs.core.text.display_width import pad_to_width, truncate_to_width
from cortexfs.interfaces.tui.themes import make_tone_styles

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.style import Style
    from textual import events
    from textual.binding import BindingType

    from cortexfs.interfaces.tui.shown_content import Cell, Column, Row, TableContent, Tone

MIN_WIDTH = 12
"""Cells that the column without a width of its own has at least."""
ROWS_LEFT = 20
"""Rows below the cursor from which more are loaded."""


class RowTable(DataTable[Text]):
    """A table of rows, of which the first ones are loaded."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("j", "cursor_down", "Down"),
        ("k", "cursor_up", "Up"),
        ("g", "scroll_top", "Top"),
        ("G", "scroll_bottom", "Bottom"),
        ("space,ctrl+d", "page_down", "Page down"),
        ("b,ctrl+u", "page_up", "Page up"),
        ("enter", "app.open_row", "Open"),
    ]

    class NearEnd(Message):
        """The cursor is near the last loaded row, and there are more."""

    def __init__(self, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id, cursor_type="row", header_height=1)
        self._content: TableContent | None = None
        self._width = 0
        self._widths: list[int] = []

    @property
    def rows_shown(self) -> Sequence[Row]:
        """The loaded rows."""
        return self._content.rows if self._content else ()

    @property
    def selected(self) -> Row | None:
        """The row of the cursor."""
        rows = self.rows_shown
        return rows[self.cursor_row] if self.cursor_row < len(rows) else None

    def show_content(self, content: TableContent, *, cursor: int) -> None:
        """Show other rows, with the cursor on one of them."""
        known, top = self._content, self.scroll_offset.y if self._content and cursor else 0
        self._content = content
        if known and self._has_only_more_rows(known, content):
            self._add_rows(content.rows[len(known.rows) :])
            return
        self._width = 0
        self._fill()
        self.move_cursor(row=min(cursor, max(len(content.rows) - 1, 0)), scroll=False)
        self.scroll_to(0, top, animate=False, force=True)
        self.call_after_refresh(self._scroll_to_cursor)

    def _scroll_to_cursor(self) -> None:
        """Make the row of the cursor visible; keys may have moved it meanwhile."""
        self.move_cursor(row=self.cursor_row)

    def on_resize(self, _: events.Resize) -> None:
        """Fit the columns to the new width."""
        if self._content and self.size.width != self._width:
            self.show_content(self._content, cursor=self.cursor_row)

    def on_data_table_row_highlighted(self, _: DataTable.RowHighlighted) -> None:
        """Ask for more rows when few are left below the cursor."""
        content = self._content
        has_more = content is not None and len(content.rows) < content.total
        if content and has_more and self.cursor_row >= len(content.rows) - ROWS_LEFT:
            self.post_message(self.NearEnd())

    def _fill(self) -> None:
        if self._content is None:
            return
        self._width = self.size.width or self.app.size.width  # not laid out yet
        columns = self._content.columns
        room = self._width - 1
        self._widths = fit_columns(columns, room, self.app.size.width, self.cell_padding)
        self.clear(columns=True)
        for column, width in zip(columns, self._widths, strict=True):
            if width:
                title = pad_to_width(column.title, width, align_right=column.is_right)
                self.add_column(Text(title), width=width)
        self._add_rows(self._content.rows)

    def _has_only_more_rows(self, known: TableContent, content: TableContent) -> bool:
        """Return whether what is shown stays, as it does when more rows are loaded."""
        return (
            self._width == self.size.width
            and known.columns == content.columns
            and len(known.rows) < len(content.rows)
            and known.rows == content.rows[: len(known.rows)]
        )

    def _add_rows(self, rows: Sequence[Row]) -> None:
        styles = make_tone_styles(self.app.theme_variables)
        columns = self._content.columns if self._content else ()
        shown = [(at, width) for at, width in enumerate(self._widths) if width]
        for row in rows:
            self.add_row(
                *(
                    _draw_cell(row.cells[at], width, styles, is_right=columns[at].is_right)
                    for at, width in shown
                )
            )


def fit_columns(columns: Sequence[Column], room: int, screen: int, padding: int = 1) -> list[int]:
    """Return the width of each column in a table; 0 for one that is left out."""
    is_shown = [c.min_screen <= screen <= (c.max_screen or screen) for c in columns]
    taken = sum(c.width + 2 * padding for c, shown in zip(columns, is_shown, strict=True) if shown)
    rest = max(room - taken, MIN_WIDTH)
    pairs = zip(columns, is_shown, strict=True)
    return [(column.width or rest) if shown else 0 for column, shown in pairs]


def _draw_cell(cell: Cell, width: int, styles: Mapping[Tone, Style], *, is_right: bool) -> Text:
    text = truncate_to_width(cell.text, width)
    shown = pad_to_width(text, width, align_right=True) if is_right else text
    return Text(shown, styles[cell.tone], no_wrap=True, end="")
