"""Loading a page in a thread, and again when the tree changes."""

from __future__ import annotations

from functools import partial
from time import monotonic
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Callable

    from textual.app import App
    from textual.worker import Worker

    from cortexfs.interfaces.tui.background_work import BackgroundWork
    from cortexfs.interfaces.tui.page import Load, PanelContext
    from cortexfs.interfaces.tui.shown_content import Content
    from cortexfs.interfaces.tui.visit import OpenPages, Visit

    Show = Callable[[Visit, Content | CortexError | OSError], None]


class PageLoading:
    """Loads the page that is open; `show` gets its content, or why there is none."""

    def __init__(
        self, app: App[None], context: PanelContext, work: BackgroundWork, pages: OpenPages
    ) -> None:
        self._app, self._context, self._work, self._pages = app, context, work, pages
        self._start, self._is_outdated = 0.0, False
        self.is_preview_shown = False
        """Whether the page is shown in part, and the rest is being loaded."""
        self._worker: Worker[None] | None = None

    @property
    def empty_since(self) -> float | None:
        """Since when the page is loaded for the first time (monotonic seconds); else None."""
        return self._start if self._pages.current.is_loading else None

    def start(self, show: Show) -> None:
        """Load the page; what was wanted before is not waited for any more."""
        self._start, self._is_outdated = monotonic(), False
        self.is_preview_shown = False
        load = partial(self._load, self._pages.current, show)
        self._worker = self._app.run_worker(load, group="load", exclusive=True)

    def follow_change(self, show: Show) -> None:
        """Load again because the tree has changed: after what is being loaded, if that is slow."""
        if self._worker and not self._worker.is_finished:
            self._is_outdated = True
        else:
            self.start(show)

    async def _load(self, visit: Visit, show: Show) -> None:
        found: Content | CortexError | OSError
        try:
            if visit.is_loading and (preview := visit.page.preview):
                found = await self._read(preview, visit)
                self.is_preview_shown = True
                show(visit, found)
            found = await self._read(visit.page.load, visit)
        except (CortexError, OSError) as error:
            found = error
        self.is_preview_shown = False
        show(self._pages.current, found)
        if self._is_outdated:
            self.start(show)

    def _read(self, load: Load, visit: Visit) -> asyncio.Future[Content]:
        return self._work.read(partial(load, self._context, visit.request))
