"""The panel: where the person is, what is loaded for it, and what the keys do."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual.app import App, SystemCommand
from textual.widgets import DataTable, Static

from cortexfs.errors import CortexError
from cortexfs.interfaces.tui.background_work import BackgroundWork
from cortexfs.interfaces.tui.bindings import BINDINGS
from cortexfs.interfaces.tui.change_table import list_offered
from cortexfs.interfaces.tui.key_line import list_keys, make_key_line, make_tab_line
from cortexfs.interfaces.tui.page import PAGE_ROWS, Request
from cortexfs.interfaces.tui.page_table import PAGES, TABS
from cortexfs.interfaces.tui.page_view import PageView
from cortexfs.interfaces.tui.row_table import RowTable
from cortexfs.interfaces.tui.shown_content import Subject, clean_line
from cortexfs.interfaces.tui.themes import THEMES
from cortexfs.interfaces.tui.visit import (
    OwnCommits,
    Selection,
    Visit,
    choose_next_sort,
    describe_place,
    find_cursor,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual import events
    from textual.app import ComposeResult
    from textual.screen import Screen

    from cortexfs.core.changes.plan import ExecutionMode
    from cortexfs.interfaces.tui.change import Answers, Change, ChangeResult
    from cortexfs.interfaces.tui.page import PanelContext

TALL = 30
"""Lines of a terminal from which a row is described in more lines."""


class PanelApp(App[None]):
    """The terminal panel of one tree."""

    CSS_PATH = "panel.tcss"
    TITLE = "cortexfs"
    AUTO_FOCUS = None
    BINDINGS = BINDINGS

    def __init__(self, context: PanelContext, theme: str, *, watches: bool = True) -> None:
        super().__init__()
        self.context, self._theme_name, self._watches = context, theme, watches
        self._work, self._own_commits = BackgroundWork(), OwnCommits()
        self._visits = [Visit(PAGES["home"])]
        self.crash: Exception | None = None
        """A bug that ended the panel."""
        for each in THEMES:
            self.register_theme(each)

    @property
    def visit(self) -> Visit:
        """The page that is shown."""
        return self._visits[-1]

    @visit.setter
    def visit(self, visit: Visit) -> None:
        self._visits[-1] = visit

    @property
    def view(self) -> PageView:
        """The part of the screen with the page."""
        return self.screen_stack[0].query_one(PageView)

    @property
    def selection(self) -> Selection:
        """What the keys are about."""
        return Selection(self.view.row, self.visit.content)

    def compose(self) -> ComposeResult:
        """Yield the tabs, the page, and the line of keys."""
        tabs, keys = Static(id="tabs", markup=False), Static(id="keys", markup=False)
        tabs.auto_links = keys.auto_links = False  # they have the colours of the theme
        yield from (tabs, PageView(id="page"), keys)

    def on_mount(self) -> None:
        """Show the first page, and begin to watch the tree."""
        self.theme = self._theme_name
        self.theme_changed_signal.subscribe(self, lambda _: self.call_after_refresh(self._redraw))
        self._arrive()
        if self._watches:
            self._work.watch(self.context.session, partial(self.call_from_thread, self._reload))

    def on_unmount(self) -> None:
        """Stop the threads."""
        self._work.stop()

    def on_resize(self, event: events.Resize) -> None:
        """Draw again what depends on the size."""
        self.screen_stack[0].set_class(event.size.height >= TALL, "-tall")
        self.call_after_refresh(self._redraw)

    def action_go(self, name: str) -> None:
        """Open a page that has a tab."""
        self._visits = [Visit(PAGES[name])]
        self._arrive()

    def open_page(self, name: str, argument: str) -> None:
        """Open a page about something; back leads here again."""
        self.visit = replace(self.visit, cursor=self.view.table.cursor_row)
        self._visits.append(Visit(PAGES[name], Request(argument)))
        self._arrive()

    async def action_back(self) -> None:
        """Leave the words, then the page, and on Home the panel."""
        if self.view.query_field.has_focus and self.view.row:
            self.view.focus_content()
        elif len(self._visits) > 1:
            self._visits.pop()
            self._arrive()
        elif self.visit.page.name != "home":
            self.action_go("home")
        else:
            self.exit()

    def _arrive(self) -> None:
        """Show the page: at once what was loaded before, and then its present state."""
        visit, view = self.visit, self.view
        view.show_query(visit.request.query if visit.page.has_query else None)
        if visit.content:
            view.show(visit.content, self._place, cursor=visit.cursor, keep_place=False)
            if visit.page.has_query:
                view.focus_content()
        else:
            view.set_place(self._place, "loading")
        self._draw_lines()
        self._load(keep_place=visit.content is not None)

    @property
    def _place(self) -> str:
        return describe_place(self._visits, self.context.session.tree.root)

    def _load(self, *, keep_place: bool = False) -> None:
        """Load the page in a thread; what was wanted before is not waited for any more."""
        loading = self._load_visit(self.visit, keep_place=keep_place)
        self.run_worker(loading, group="load", exclusive=True)

    async def _load_visit(self, visit: Visit, *, keep_place: bool) -> None:
        try:
            content = await self._work.read(partial(visit.page.load, self.context, visit.request))
        except (CortexError, OSError) as error:
            self.visit = replace(self.visit, content=None)
            self.view.show_failure(error, self._place)
        else:
            cursor = find_cursor(visit, content, self.view.row if keep_place else None)
            self.visit = replace(visit, content=content, cursor=cursor)
            self.view.show(content, self._place, cursor=cursor, keep_place=keep_place)
        self._draw_lines()

    def _reload(self) -> None:
        self._load(keep_place=True)

    def action_reload(self) -> None:
        """Load the page again."""
        self._reload()

    def on_row_table_near_end(self, _: RowTable.NearEnd) -> None:
        """Load more rows."""
        request, shown = self.visit.request, len(self.view.table.rows_shown)
        if request.limit <= shown:
            request = request._replace(limit=shown + 2 * PAGE_ROWS)
            self.visit = replace(self.visit, request=request)
            self._reload()

    def on_page_view_words_changed(self, event: PageView.WordsChanged) -> None:
        """Search the words."""
        if event.words != self.visit.request.query:
            self.visit = replace(self.visit, request=Request(query=event.words), cursor=0)
            self._load()

    def on_data_table_row_highlighted(self, _: DataTable.RowHighlighted) -> None:
        """Show what there is to say about the row, and its keys."""
        self.view.show_note()
        self._draw_lines()

    def on_data_table_row_selected(self, _: DataTable.RowSelected) -> None:
        """Open the row, or offer the change that Enter makes."""
        selection = self.selection
        if selection.row and selection.row.target:
            self.open_page(*selection.row.target)
        else:
            self.action_change("enter")

    def action_press_enter(self) -> None:
        """Open the row, as Enter does."""
        self.view.table.action_select_cursor()

    def action_open_about(self, name: str) -> None:
        """Open the graph of the selected atom, or the timeline of the selected memory."""
        selection = self.selection
        is_memory = selection.subject is Subject.MEMORY
        if is_memory or (name == "graph" and selection.is_atom):
            self.open_page(name, selection.key)

    def action_open_or_sort(self) -> None:
        """Choose the next order of a list; elsewhere open the atom of the row."""
        selection = self.selection
        if self.visit.page.sorts:
            self.visit = choose_next_sort(self.visit)
            self._load()
        elif selection.row and selection.is_atom:
            self.open_page("atom", selection.key)

    def action_copy_ref(self) -> None:
        """Copy the ref of the selected thing."""
        if key := self.selection.key:
            self.copy_to_clipboard(key)
            self.notify(f"copied {key}", markup=False)

    def action_show_keys(self) -> None:
        """Show all keys."""
        from cortexfs.interfaces.tui.help_dialog import HelpDialog

        self.push_screen(HelpDialog())

    def action_change(self, key: str) -> None:
        """Ask about the change with a key, if it is offered here."""
        from cortexfs.interfaces.tui.change_dialog import ChangeDialog

        selection = self.selection
        offered = list_offered(self.visit.page.name, selection.subject)
        change = next((each for each in offered if each.key == key), None)
        if change:
            about = self._own_commits.last if change.name == "undo" else selection.key
            dialog = ChangeDialog(change, about, self._run_change)
            self.push_screen(dialog, partial(self._note_change, change, about))

    async def _run_change(
        self, change: Change, answers: Answers, mode: ExecutionMode
    ) -> ChangeResult:
        run = partial(change.run, self.context, answers, mode)
        return await (self._work.read if mode.is_dry_run else self._work.change)(run)

    def _note_change(self, change: Change, key: str, done: ChangeResult | None) -> None:
        """Say what was done and how to take it back, and load the page again."""
        if done is None:
            return
        self._own_commits.note(change, key, done)
        can_undo = bool(done.commits) and change.name != "undo"
        said = (done.message, done.note, "u undoes it" if can_undo else "")
        self.clear_notifications()
        self.notify("\n".join(clean_line(each) for each in said if each), markup=False)
        self._reload()

    def get_system_commands(self, _: Screen[object]) -> Iterable[SystemCommand]:
        """Yield what the palette offers: pages, changes of the selected row, themes."""
        for page in TABS:
            yield SystemCommand(page.title, page.help, partial(self.action_go, page.name))
        for change in list_offered(self.visit.page.name, self.selection.subject):
            run = partial(self.action_change, change.key)
            yield SystemCommand(change.label, f"{change.name} {self.selection.key}".strip(), run)
        yield SystemCommand("Theme", "Choose other colours", self.action_change_theme)
        yield SystemCommand("Keys", "Show all keys", self.action_show_keys)
        yield SystemCommand("Quit", "Leave the panel", self.exit)

    def _redraw(self) -> None:
        """Draw the page again, in other colours or for another width."""
        if self.visit.content:
            cursor = self.view.table.cursor_row
            self.view.show(self.visit.content, self._place, cursor=cursor, keep_place=True)
        self._draw_lines()

    def _draw_lines(self) -> None:
        """Draw the tabs and the keys."""
        first, selection, width = self._visits[0].page.name, self.selection, self.size.width
        offered = list_offered(self.visit.page.name, selection.subject)
        keys = list_keys(self.visit.page, selection, offered, is_first=len(self._visits) == 1)
        lines = {"#tabs": make_tab_line(TABS, first, width), "#keys": make_key_line(keys, width)}
        for name, content in lines.items():
            self.screen_stack[0].query_one(name, Static).update(content, layout=False)

    def _handle_exception(self, error: Exception) -> None:
        """End the panel after a bug; who runs it reports the bug."""
        self.crash = error
        super()._handle_exception(error)

    def _fatal_error(self) -> None:
        """Print nothing: the text of a traceback may be that of an atom."""
        self._close_messages_no_wait()
