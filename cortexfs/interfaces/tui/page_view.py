"""The part of the screen that shows a page: its place, its words, its rows or its text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from cortexfs.core.text.display_width import display_width, truncate_to_width
from cortexfs.interfaces.tui.failure import describe_failure
from cortexfs.interfaces.tui.row_table import RowTable
from cortexfs.interfaces.tui.shown_content import Cell, Line, TableContent, TextContent, Tone
from cortexfs.interfaces.tui.shown_text import clean_line, join_parts, line
from cortexfs.interfaces.tui.text_view import TextView, wrap_lines
from cortexfs.interfaces.tui.themes import make_tone_styles

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.timer import Timer

    from cortexfs.errors import CortexError
    from cortexfs.interfaces.tui.shown_content import Content, Row

TYPING_PAUSE_S = 0.12
"""Seconds without a key before words are searched."""
MIN_NOTE_LINES = 2
"""Lines below the table about its selected row, on a small screen."""


class QueryField(Input):
    """The words that are searched."""

    BINDINGS: ClassVar[list[BindingType]] = [("enter", "app.search_words", "Find")]


class PageView(Vertical):
    """One page."""

    class WordsChanged(Message):
        """The person has typed words, and then paused."""

        def __init__(self, words: str) -> None:
            super().__init__()
            self.words = words

    def __init__(self) -> None:
        super().__init__()
        self.place = ""
        """The pages that lead here, as text."""
        self.table = RowTable(id="table")
        self.query_field = QueryField("", "words to find", id="query", select_on_focus=False)
        self._text = TextView(id="text")
        names = ("place", "head", "note")
        self._place, self._head, self._note = (Static(id=name, markup=False) for name in names)
        self._typing: Timer | None = None

    def compose(self) -> ComposeResult:
        """Yield the parts; those that a page does not have are hidden."""
        yield from (self._place, self.query_field, self._head, self.table, self._text, self._note)

    @property
    def row(self) -> Row | None:
        """The selected row, if rows are shown."""
        return self.table.selected if self.table.display else None

    def show(self, content: Content, *, cursor: int, keep_place: bool) -> None:
        """Show what was loaded."""
        if isinstance(content, TextContent):
            self._show_text(content.lines, keep_place=keep_place)
            self.set_place(content.about)
            return
        if not content.rows:
            self._show_text((line(Cell(content.empty, Tone.MUTED)),))
        else:
            self._show_parts(is_table=True)
            self.table.show_content(content, cursor=cursor)
            self.show_note()
        self._show_head(content.head)
        self.set_place(join_parts([content.about, _count_rows(content)]))

    def show_failure(self, error: CortexError | OSError) -> None:
        """Show why nothing could be loaded: it must not look like an empty page."""
        retry = (line(""), line(Cell("r tries again", Tone.MUTED)))
        self._show_text((*describe_failure(error), *retry))
        self._show_head(())
        self.set_place("failed")

    def show_note(self) -> None:
        """Show what there is to say about the selected row."""
        row = self.row
        width = max(self.size.width - 2, 1)
        room = self._note.content_size.height or MIN_NOTE_LINES
        *texts, last = row.note if row and row.note else ((),)
        shown = [each for text in texts for each in wrap_lines([text], width)]
        lines = [*_cut_lines(shown, room - 1, width), _cut_line(last, width)]
        self._note.update(self._draw(lines), layout=False)

    def set_place(self, about: str) -> None:
        """Show where the page is on the left, and on the right what there is to say of it."""
        width = max(self.size.width - 2, 1)
        room = max(width // 2, width - display_width(clean_line(self.place)) - 1)
        about = truncate_to_width(clean_line(about), room)
        left = truncate_to_width(clean_line(self.place), width - display_width(about) - 1)
        gap = " " * (width - display_width(left) - display_width(about))
        cells = (Cell(left, Tone.STRONG), Cell(gap), Cell(about, Tone.MUTED))
        self._place.update(self._draw([cells]), layout=False)

    def show_query(self, words: str | None) -> None:
        """Show the field for words with these in it; hide it if they are None."""
        field = self.query_field
        had_focus, field.display = field.has_focus, words is not None
        if words is not None:
            field.value = words
            self.focus_words()
        elif had_focus:
            self.screen.set_focus(None)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell the words after a pause in typing."""
        if self._typing:
            self._typing.stop()
        tell = partial(self.post_message, self.WordsChanged(event.value))
        self._typing = self.set_timer(TYPING_PAUSE_S, tell)

    def focus_words(self) -> None:
        """Let keys go to the words: at once, so that none that is typed fast is lost."""
        self.screen.set_focus(self.query_field)

    def focus_content(self) -> None:
        """Let keys move within the page."""
        self.screen.set_focus(self.table if self.table.display else self._text)

    def _show_text(self, lines: Sequence[Line], *, keep_place: bool = False) -> None:
        self._show_parts(is_table=False)
        self._text.show_lines(lines, keep_place=keep_place)

    def _show_parts(self, *, is_table: bool) -> None:
        """Show the table or the text; the keys go where they went before."""
        had_focus = self.query_field.has_focus
        self.table.display = self._note.display = is_table
        self._text.display = not is_table
        if not had_focus:
            self.focus_content()

    def _show_head(self, head: Sequence[Line]) -> None:
        shown = self._head
        shown.display = bool(head)
        width = max(self.size.width - 2, 1)
        shown.update(self._draw([_cut_line(each, width) for each in head]))

    def _draw(self, lines: Sequence[Line]) -> Text:
        styles = make_tone_styles(self.app.theme_variables)
        shown = Text(no_wrap=True, end="")
        for number, cells in enumerate(lines):
            shown.append("\n" if number else "")
            for cell in cells:
                shown.append(cell.text, styles[cell.tone])
        return shown


def _cut_lines(lines: Sequence[Line], room: int, width: int) -> list[Line]:
    """Return the first lines; the last of them tells by its end that there are more."""
    if len(lines) <= room:
        return list(lines)
    *first, (*before, last) = lines[:room]
    text = truncate_to_width(f"{last.text}{' ' * width}", width).rstrip()
    return [*first, (*before, Cell(text if text.endswith("…") else f"{text}…", last.tone))]


def _cut_line(cells: Line, width: int) -> Line:
    """Return a line that is not wider than the screen."""
    shown, left = list[Cell](), width
    for cell in cells:
        text = truncate_to_width(cell.text, left)
        shown.append(Cell(text, cell.tone))
        left -= display_width(text)
    return tuple(shown)


def _count_rows(content: TableContent) -> str:
    """Return how many rows are loaded: `1-100 of 2,345`, or `12`."""
    loaded, total = len(content.rows), content.total
    if not total:
        return ""
    return f"{total:,}" if loaded >= total else f"1-{loaded:,} of {total:,}"
