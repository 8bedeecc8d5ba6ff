"""A view of lines that scrolls; only what is visible is drawn, however long the text is."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cortexfs.core.text.display_width import display_width
from cortexfs.core.text.wrap_to_width import wrap_to_width
from cortexfs.interfaces.tui.shown_content import Cell, Line, Tone
from cortexfs.interfaces.tui.themes import make_tone_styles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from textual import events
    from textual.binding import BindingType

MIN_LAST_CELL = 16
"""Cells that the last cell of a line has at least before it begins a line of its own."""
MAX_WIDTH = 100
"""Cells of a line on a wide screen: longer lines are hard to read."""


class TextView(ScrollView, can_focus=True):
    """Lines of text, wrapped to the width of the view."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("j", "scroll_down", "Down"),
        ("k", "scroll_up", "Up"),
        ("g", "scroll_home", "Top"),
        ("G", "scroll_end", "Bottom"),
        ("space,ctrl+d", "page_down", "Page down"),
        ("b,ctrl+u", "page_up", "Page up"),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002 - as Textual calls it
        super().__init__(id=id)
        self._lines: Sequence[Line] = ()
        self._wrapped: list[Line] = []
        self._width = 0

    def show_lines(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        """Show other lines, from their beginning or from the same place."""
        self._lines, self._width = lines, 0
        self._wrap()
        if not keep_place:
            self.scroll_to(0, 0, animate=False, immediate=True)

    def on_resize(self, _: events.Resize) -> None:
        """Wrap the lines to the new width."""
        self._wrap()

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width and width != self._width:
            self._width = width
            self._wrapped = list(wrap_lines(self._lines, min(width, MAX_WIDTH)))
            self.virtual_size = Size(width, len(self._wrapped))
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return one line of the screen."""
        at, base = round(self.scroll_offset.y) + y, self.rich_style
        cells = self._wrapped[at] if at < len(self._wrapped) else ()
        styles = make_tone_styles(self.app.theme_variables)
        segments = [Segment(each.text, base + styles[each.tone]) for each in cells]
        return Strip(segments).adjust_cell_length(self.size.width, base)


def wrap_lines(lines: Iterable[Line], width: int) -> Iterator[Line]:
    """Yield the lines of a view of this width; the last cell of a line continues below itself."""
    for line in lines:
        *before, last = line or (Cell(""),)
        indent = sum(display_width(each.text) for each in before)
        if width - indent < min(MIN_LAST_CELL, width) and before:
            yield tuple(before)
            before, indent = [Cell("  ")], 2
        first, *rest = wrap_to_width(last.text, width - indent)
        yield (*before, Cell(first, last.tone))
        yield from ((Cell(" " * indent, Tone.PLAIN), Cell(each, last.tone)) for each in rest)
