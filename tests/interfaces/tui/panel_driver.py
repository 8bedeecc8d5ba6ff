"""The panel on a real tree, with keys that a test presses, and the frame that it shows."""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, TypeVar

from place import build_sample
from textual import events
from textual.keys import _character_to_key

from cortexfs.interfaces.tui.app import PanelApp
from cortexfs.interfaces.tui.page import PanelContext
from cortexfs.interfaces.tui.themes import DARK
from cortexfs.operations.memory.end_session import end_session
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.save_prompt import save_prompt
from cortexfs.operations.memory.start_session import start_session
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from place import Place
    from textual.pilot import Pilot

    ResultT = TypeVar("ResultT")

NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)
PATIENCE_S = 30
BETWEEN_LOOKS_S = 0.1
SMALL = (80, 24)
FACTS = (
    ("decision", "Zstd level 3 is enough for archives"),
    ("bugfix", "The pager read one block too many"),
    ("discovery", "Gaps come in runs of nine"),
)


@dataclass
class Panel:
    """A running panel."""

    app: PanelApp
    pilot: Pilot[None]

    @property
    def frame(self) -> str:
        """The text on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(part.text for part in strip).rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until they have been handled."""
        await self.pilot.press(*keys)

    def type_ahead(self, *keys: str) -> None:
        """Give the panel keys faster than it can answer any of them."""
        for key in keys:
            is_character = len(key) == 1
            name = _character_to_key(key) if is_character else key
            self.app.post_message(events.Key(name, key if is_character else None))

    async def until_loaded(self) -> None:
        """Wait until the page that is open shows what was asked for last."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while any(work.group == "load" and not work.is_finished for work in self.app.workers):
            assert asyncio.get_running_loop().time() < deadline, self.frame
            await self.pilot.pause(BETWEEN_LOOKS_S)
        await self.pilot.pause()

    async def until(self, text: str, *, absent: bool = False) -> str:
        """Wait until a text is on the screen, or is not any more; give the frame."""
        deadline = asyncio.get_running_loop().time() + PATIENCE_S
        while (text in self.frame) == absent:
            assert asyncio.get_running_loop().time() < deadline, f"{text!r}\n{self.frame}"
            await self.pilot.pause(BETWEEN_LOOKS_S)
        return self.frame


def drive(
    place: Place,
    act: Callable[[Panel], Awaitable[ResultT]],
    *,
    size: tuple[int, int] = SMALL,
    theme: str = DARK,
) -> ResultT:
    """Open the panel on a tree, and let a function use it."""

    async def run() -> ResultT:
        session = Session.open(str(place.root), lambda: NOW, "cortexfs tui")
        session.serve_reads(0.0)
        context = PanelContext(session, str(place.root), os.environ, "ada")
        with session.comparisons.watch_events():
            app = PanelApp(context, theme)
            async with app.run_test(size=size, notifications=True) as pilot:
                panel = Panel(app, pilot)
                await panel.until(" reads")
                result = await act(panel)
        session.close()
        return result

    return asyncio.run(run())


def build_worked_in(place: Place) -> None:
    """Make the sample tree, with two sessions of agents."""
    build_sample(place)
    times = (NOW - timedelta(hours=11) + timedelta(minutes=3 * n) for n in range(1000))
    with_clock = Session.open(str(place.root), lambda: next(times))
    for session_id, project in (("3f2a81c0-77aa", "driftwood"), ("b07c55d1-1234", "lighthouse")):
        start_session(with_clock, session_id, project, f"/src/{project}")
        save_prompt(with_clock, "Why is the decoder slow on long gaps?", session_id, project)
        for kind, title in FACTS:
            text = f"{title}, measured on hive.\n\nSee driftwood/EXP-014."
            draft = MemoryDraft(title, text, kind, project, session_id=session_id, tool="mem_save")
            save_memory(with_clock, draft)
    end_session(with_clock, "3f2a81c0-77aa", "Compared codecs; zstd level 3 wins.")
    with_clock.close()
