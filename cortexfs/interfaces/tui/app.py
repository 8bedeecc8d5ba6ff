"""The panel: where the person is, what is loaded for it, and what the keys do."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import events
from textual.app import App, SystemCommand

from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.background_work import BackgroundWork
from cortexfs.interfaces.tui.bindings import BINDINGS
from cortexfs.interfaces.tui.change_flow import ChangeFlow
from cortexfs.interfaces.tui.key_line import draw_lines, list_palette, make_line
from cortexfs.interfaces.tui.page_loading import PageLoading
from cortexfs.interfaces.tui.page_table import PAGES
from cortexfs.interfaces.tui.page_view import PageView
from cortexfs.interfaces.tui.row_table import RowTable
from cortexfs.interfaces.tui.shown_content import Subject
from cortexfs.interfaces.tui.themes import THEMES
from cortexfs.interfaces.tui.typed_keys import TypedKeys
from cortexfs.interfaces.tui.visit import (
    OpenPages,
    Selection,
    choose_next_sort,
    find_cursor,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import ComposeResult
    from textual.screen import Screen
    from textual.widgets import DataTable

    from cortexfs.interfaces.tui.page import PanelContext
    from cortexfs.interfaces.tui.shown_content import Content
    from cortexfs.interfaces.tui.visit import Visit

TALL = 30
"""Lines of a terminal from which a row is described in more lines."""


class PanelApp(App[None]):
    """The terminal panel of one tree."""

    CSS_PATH = "panel.tcss"
    TITLE = "cortexfs"
    AUTO_FOCUS = None
    BINDINGS = BINDINGS

    def __init__(self, context: PanelContext, theme: str) -> None:
        super().__init__()
        self.context, self._theme_name = context, theme
        self._work = BackgroundWork()
        self._changes = ChangeFlow(self, context, self._work, self.action_reload)
        self._pages = OpenPages(PAGES["home"])
        self._loading = PageLoading(self, context, self._work, self._pages)
        self._typed = TypedKeys(self, self._loading, super().on_event)
        self.view = PageView()
        """The part of the screen with the page."""
        self._tabs, self._keys = make_line("tabs"), make_line("keys")
        self.crash: Exception | None = None
        """A bug that ended the panel."""
        for each in THEMES:
            self.register_theme(each)

    @property
    def selection(self) -> Selection:
        """What the keys are about."""
        content = self._pages.current.content
        return Selection(self.view.row if content else None, content)

    def compose(self) -> ComposeResult:
        """Yield the tabs, the page, and the line of keys."""
        yield from (self._tabs, self.view, self._keys)

    async def on_event(self, event: events.Event) -> None:
        """Handle keys in their order, each when its page is there; other events as they come."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._typed.add(event)
        else:
            await super().on_event(event)

    def on_mount(self) -> None:
        """Show the first page, and begin to watch the tree."""
        self.theme = self._theme_name
        self.theme_changed_signal.subscribe(self, lambda _: self.call_after_refresh(self._redraw))
        self._arrive()
        follow = partial(self._loading.follow_change, self._show_loaded)
        self._work.watch(self.context.session, partial(self.call_later, follow))

    def on_unmount(self) -> None:
        """Stop the threads."""
        self._work.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Draw again what depends on the size."""
        self.view.set_class(event.size.height >= TALL, "-tall")
        self.call_after_refresh(self._redraw)

    def action_go(self, name: str) -> None:
        """Open a page that has a tab; on the search go back to its words."""
        page = self._pages.current.page
        if page.has_query and name == page.name:
            self.view.focus_words()
        else:
            self._pages.restart(PAGES[name])
            self._arrive()

    def open_page(self, name: str, argument: str) -> None:
        """Open a page about something; back leads here again."""
        self._pages.open(PAGES[name], argument, self.view.table.cursor_row)
        self._arrive()

    async def action_back(self) -> None:
        """Leave the words, then the page, and on Home the panel."""
        if self.view.query_field.has_focus and self.view.row:
            self.view.focus_content()
        elif self._pages.close():
            self._arrive()
        elif self._pages.current.page.name != "home":
            self.action_go("home")
        else:
            self.exit()

    def _arrive(self) -> None:
        """Show the page: at once what was loaded before, and then its present state."""
        view, visit = self.view, self._pages.current
        view.place = self._pages.describe(self.context.session.reader.tree.root)
        view.show_query(visit.request.query if visit.page.has_query else None)
        if visit.content:
            view.show(visit.content, cursor=visit.cursor, keep_place=False)
            if visit.page.has_query:
                view.focus_content()
        else:
            view.set_place("loading")
        self._draw_lines()
        self.action_reload()

    def action_reload(self) -> None:
        """Load the page again."""
        self._loading.start(self._show_loaded)

    def _show_loaded(self, visit: Visit, found: Content | CortexError | OSError) -> None:
        """Show what was loaded, or why nothing was."""
        if isinstance(found, (CortexError, OSError)):
            self._pages.current = replace(visit, content=None, has_failed=True)
            self.view.show_failure(found)
            self._typed.forget()
        else:
            keep_place = visit.content is not None
            cursor = find_cursor(visit, found, self.view.row if keep_place else None)
            self._pages.current = replace(visit, content=found, cursor=cursor, has_failed=False)
            self.view.show(found, cursor=cursor, keep_place=keep_place)
            if not self._loading.is_preview_shown:
                self.call_later(self._typed.handle)
        self._draw_lines()

    def on_row_table_near_end(self, _: RowTable.NearEnd) -> None:
        """Load more rows."""
        if self._pages.add_rows(len(self.view.table.rows_shown)):
            self.action_reload()

    def on_page_view_words_changed(self, event: PageView.WordsChanged) -> None:
        """Search the words."""
        if self._pages.change_words(event.words):
            self.action_reload()

    def action_search_words(self) -> None:
        """Search the words that were typed, and go to what is found."""
        self.view.focus_content()
        if self._pages.change_words(self.view.query_field.value):
            self.action_reload()

    def on_data_table_row_highlighted(self, _: DataTable.RowHighlighted) -> None:
        """Show what there is to say about the row, and its keys."""
        self.view.show_note()
        self._draw_lines()

    async def on_data_table_row_selected(self, _: DataTable.RowSelected) -> None:
        """Open a row that was clicked."""
        await self.action_open_row()

    async def action_open_row(self) -> None:
        """Open the row, or offer the change that Enter makes."""
        selection = self.selection
        if selection.row and selection.row.target:
            self.open_page(*selection.row.target)
        else:
            await self.action_change("enter")

    def action_open_about(self, name: str) -> None:
        """Open the graph of the selected atom, or the timeline of the selected memory."""
        selection = self.selection
        if selection.is_atom and (name == "graph" or selection.subject is Subject.MEMORY):
            self.open_page(name, selection.key)

    def action_open_or_sort(self) -> None:
        """Choose the next order of a list; elsewhere open the atom of the row."""
        selection = self.selection
        if self._pages.current.page.sorts:
            self._pages.current = choose_next_sort(self._pages.current)
            self.action_reload()
        elif selection.row and selection.is_atom:
            self.open_page("atom", selection.key)

    def action_copy_ref(self) -> None:
        """Copy the ref of the selected thing."""
        if key := self.selection.key:
            self.copy_to_clipboard(key)
            self.notify(f"copied {key}", markup=False)

    async def action_show_keys(self) -> None:
        """Show all keys."""
        from cortexfs.interfaces.tui.help_dialog import HelpDialog

        await self.push_screen(HelpDialog())

    async def action_change(self, key: str) -> None:
        """Ask about the change with a key, if it is offered here."""
        await self._changes.ask(self._pages.current.page.name, self.selection, key)

    def get_system_commands(self, _: Screen[object]) -> Iterable[SystemCommand]:
        """Yield what the palette offers: pages, changes of the selected row, themes."""
        for title, about, action in list_palette(self._pages.current, self.selection):
            yield SystemCommand(title, about, partial(self.run_action, action))

    def _redraw(self) -> None:
        """Draw the page again, in other colours or for another width."""
        if self._pages.current.content:
            cursor = self.view.table.cursor_row
            self.view.show(self._pages.current.content, cursor=cursor, keep_place=True)
        self._draw_lines()

    def _draw_lines(self) -> None:
        """Draw the tabs and the keys."""
        draw_lines(self._tabs, self._keys, self._pages.visits, self.selection, self.size.width)

    def _handle_exception(self, error: Exception) -> None:
        """End the panel after a bug; who runs it reports the bug."""
        self.crash = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Print nothing: the text of a traceback may be that of an atom."""
        self._close_messages_no_wait()
