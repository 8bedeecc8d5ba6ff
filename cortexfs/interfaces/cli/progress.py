"""A progress bar on stderr for slow commands."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session

SHOW_AFTER_S = 0.5
"""Seconds before a bar is shown."""


def make_session_progress(session: Session, description: str) -> Callable[[int, int], None] | None:
    """Return a progress bar where a person sees it; None elsewhere."""
    return make_progress_bar(description) if session.reader.progress else None


def make_progress_bar(description: str = "reading atoms") -> Callable[[int, int], None]:
    """Return a function to call with the number done and the total."""
    began = time.monotonic()
    shown = None

    def show_progress(done: int, total: int) -> None:
        nonlocal shown
        if shown is None:
            if time.monotonic() - began < SHOW_AFTER_S or done >= total:
                return
            from rich.console import Console
            from rich.progress import Progress

            shown = Progress(console=Console(stderr=True), transient=True)
            shown.add_task(description, total=total)
            shown.start()
        shown.update(shown.task_ids[0], completed=done)
        if done >= total:
            shown.stop()
            shown = None

    return show_progress
