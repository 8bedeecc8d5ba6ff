"""Keys in the order of typing: each acts on what the keys before it have brought to the screen."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING

from textual.widgets import Input

from cortexfs.interfaces.tui.bindings import LEAVING_KEYS, UNBOUND_KEYS

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from textual import events
    from textual.app import App
    from textual.widget import Widget

    from cortexfs.interfaces.tui.page_loading import PageLoading

MAX_WAIT_S = 1.0
"""Seconds of loading after which a page can be left before it is there."""


class TypedKeys:
    """Keys that were typed and have not been handled yet.

    `loading` is that of the page for which they are, `forward` handles a key as Textual does.
    """

    def __init__(
        self,
        app: App[None],
        loading: PageLoading,
        forward: Callable[[events.Key], Awaitable[None]],
    ) -> None:
        self._app, self._loading, self._forward = app, loading, forward
        self._waiting: deque[events.Key] = deque()

    async def add(self, event: events.Key) -> None:
        """Handle a key after those before it; one that leaves a page does not wait for it."""
        since = self._loading.empty_since
        if since is not None and self._needs_no_page(event, since):
            self.forget()
            await self._press(event)
        else:
            self._waiting.append(event)
            await self.handle()

    def _needs_no_page(self, event: events.Key, since: float) -> bool:
        """Return whether a key acts at once, though its page is being loaded since a time."""
        is_first = not self._waiting or event.time > since + MAX_WAIT_S
        return event.key == "escape" or (is_first and event.key in LEAVING_KEYS | UNBOUND_KEYS)

    async def handle(self) -> None:
        """Handle the keys that wait, up to one whose page is not there yet."""
        while self._waiting and (self._is_asked() or self._loading.empty_since is None):
            await self._press(self._waiting.popleft())

    def forget(self) -> None:
        """Handle none of the keys that wait: what they were meant for does not come."""
        self._waiting.clear()

    def _is_asked(self) -> bool:
        """Return whether the next key is for words or a dialog, and so for no page."""
        return isinstance(self._app.focused, Input) or self._app.screen.is_modal

    async def _press(self, event: events.Key) -> None:
        """Run the action of a key at once, so that the next key comes after its effect."""
        if isinstance(self._app.focused, Input):
            if event.is_printable:
                await self._forward(event)
                return
            await _wait_for(self._app.focused)
        bound = self._app.screen.active_bindings.get(event.key)
        if not bound or not await self._app.run_action(bound.binding.action, bound.node):
            await self._forward(event)


async def _wait_for(widget: Widget) -> None:
    """Wait until a widget has handled the letters that it was given."""
    handled = asyncio.Event()
    if widget.call_later(handled.set):
        await handled.wait()
