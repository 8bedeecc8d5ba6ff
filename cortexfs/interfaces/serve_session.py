"""A session as long-lived servers use it: watched, with shared commits, logging its own reads."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.settings.background_environment import DRAIN_OFF, DRAIN_QUIET_VARIABLE
from cortexfs.errors import CortexError
from cortexfs.interfaces.answer_current import watch_and_answer
from cortexfs.operations.regenerate_indexes import regenerate_indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.session.session import Session

MAX_AGE_S = 1.0
"""Maximum seconds by which a read may be behind a change on disk."""
LOG_S = 2.0
"""Seconds after which what was written to the log of the catalog is moved into its file."""


@contextmanager
def serve_session(session: Session, report: Callable[[str], object]) -> Iterator[None]:
    """Serve a tree from threads until the end; `report` gets why a deferred commit failed.

    Reads share one comparison of the tree, which events keep current. At the end everything is
    committed, and the catalog is closed.
    """
    session.serve_reads(MAX_AGE_S)
    os.environ[DRAIN_QUIET_VARIABLE] = DRAIN_OFF  # this process logs its own reads
    try:
        with (
            watch_and_answer(session, lambda: _refresh_in_background(session)),
            session.deferred_commits(lambda: regenerate_indexes(session, None), report),
            _move_log_regularly(session),
        ):
            yield
    finally:
        session.close()


def _refresh_in_background(session: Session) -> None:
    """Compare the tree, so that the next question has an answer."""

    def refresh() -> None:
        with suppress(CortexError, OSError):
            session.refresh()

    threading.Thread(target=refresh, name="cortexfs-refresh", daemon=True).start()


@contextmanager
def _move_log_regularly(session: Session) -> Iterator[None]:
    """Move the log of the catalog into its file in a thread, so that no request has to."""
    has_ended = threading.Event()

    def run() -> None:
        while not has_ended.wait(LOG_S):
            with suppress(CortexError, OSError):  # a tree that has gone may come back
                session.reader.move_log_into_catalog()

    thread = threading.Thread(target=run, name="cortexfs-log", daemon=True)
    thread.start()
    try:
        yield
    finally:
        has_ended.set()
        thread.join()
