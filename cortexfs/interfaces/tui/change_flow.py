"""From a key to a change: the question, the change, what is said of it, and how it is undone."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from cortexfs.interfaces.tui.change_table import list_offered
from cortexfs.interfaces.tui.shown_text import clean_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.interfaces.tui.background_work import BackgroundWork
    from cortexfs.interfaces.tui.change import Answers, Change, ChangeResult
    from cortexfs.interfaces.tui.page import PanelContext
    from cortexfs.interfaces.tui.visit import Selection


class OwnCommits:
    """The commits that were made in this panel and not undone."""

    def __init__(self) -> None:
        self._commits: list[str] = []

    @property
    def last(self) -> str:
        """The last one; empty if there is none."""
        return self._commits[-1] if self._commits else ""

    def note(self, change: Change, key: str, done: ChangeResult) -> None:
        """Note that a change was made."""
        if change.name == "undo":
            self._commits = [commit for commit in self._commits if commit != key]
        elif change.name != "redo":
            self._commits += done.commits


class ChangeFlow:
    """Asks about changes, and makes them; `on_done` is called after each."""

    def __init__(
        self,
        app: App[None],
        context: PanelContext,
        work: BackgroundWork,
        on_done: Callable[[], object],
    ) -> None:
        self._app, self._context, self._work, self._on_done = app, context, work, on_done
        self._own_commits = OwnCommits()

    async def ask(self, page: str, selection: Selection, key: str) -> None:
        """Ask about the change with a key, if it is offered on a page for what is selected."""
        from cortexfs.interfaces.tui.change_dialog import ChangeDialog

        offered = list_offered(page, selection.subject)
        change = next((each for each in offered if each.key == key), None)
        if change:
            about = self._own_commits.last if change.name == "undo" else selection.key
            dialog = ChangeDialog(change, about, self._run)
            await self._app.push_screen(dialog, partial(self._note, change, about))

    async def _run(self, change: Change, answers: Answers, mode: ExecutionMode) -> ChangeResult:
        run = partial(change.run, self._context, answers, mode)
        return await (self._work.read if mode.is_dry_run else self._work.change)(run)

    def _note(self, change: Change, key: str, done: ChangeResult | None) -> None:
        """Say what was done and how to take it back."""
        if done is None:
            return
        self._own_commits.note(change, key, done)
        can_undo = bool(done.commits) and change.name != "undo"
        said = (done.message, done.note, "u undoes it" if can_undo else "")
        self._app.clear_notifications()
        self._app.notify("\n".join(clean_line(each) for each in said if each), markup=False)
        self._on_done()
