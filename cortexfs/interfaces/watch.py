"""Regenerate and check as files change. Events are hints; what has changed, the stamps tell."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from cortexfs.core.atoms.tree_paths import DRAFT, INDEX_MD, OWN, project_from_path
from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.operations.check import check
from cortexfs.operations.regenerate_indexes import regenerate_indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watchdog.events import FileSystemEvent

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session

QUIET_S = 0.5
"""So long nothing must happen before indexes are written."""
MAX_CHANGED_PATHS = 500
"""Files that are looked at one by one; where more have changed, all are looked at once."""
RESCAN_S = 60.0
"""An overflowing queue loses events: so often the stamps are looked at anyway."""


def watch(
    session: Session, report: Callable[[Outcome, list[Finding]], None], *, rounds: int | None = None
) -> None:
    """Bring indexes up to date after each quiet half second, until stopped.

    What has changed can be found at once, by its words too.
    `tell` hears of every round that changed something, with the findings of the atoms that
    changed. `rounds` ends after so many of them.
    """
    hints, observer = PathQueue(), Observer()
    observer.schedule(_Events(session.tree.root, hints), session.tree.root, recursive=True)
    observer.start()
    try:
        with hints.wake_on_signals():
            for outcome, findings in _rounds(session, hints):
                report(outcome, findings)
                if rounds is not None and (rounds := rounds - 1) <= 0:
                    return
    finally:
        observer.stop()
        observer.join()
        hints.close()


def _rounds(session: Session, hints: PathQueue) -> Iterator[tuple[Outcome, list[Finding]]]:
    """Give each round in which something had changed; the first looks at all there is."""
    heard: set[str] = set()
    while True:
        heard |= {*session.refresh()}
        if session.has_pending_work():
            outcome = regenerate_indexes(session, None)
            yield outcome, _findings(session, heard)
        session.ingest_texts()
        heard = _hear(session, hints)


def _hear(session: Session, hints: PathQueue) -> set[str]:
    """Wait for a hint, then for half a second without one; take in at once what they tell of."""
    heard: set[str] = set()
    timeout_s = RESCAN_S
    while hinted := hints.wait(timeout_s):
        if len(hinted) <= MAX_CHANGED_PATHS and (changed := session.refresh(hinted)):
            heard.update(changed)
            session.ingest_texts()
        timeout_s = QUIET_S
    return heard


def _findings(session: Session, heard: set[str]) -> list[Finding]:
    """Give what is wrong with the atoms that have changed."""
    changed = {path for path in heard if not path.endswith(f"/{INDEX_MD}")}
    projects = sorted({project for path in changed if (project := project_from_path(path))})
    return [found for found in check(session, projects).findings if found.path in changed]


class _Events(FileSystemEventHandler):
    """Pass on which paths have changed; not those of our own machinery."""

    def __init__(self, root: str, hints: PathQueue) -> None:
        self.root, self.hints = root, hints

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Take an event from the observer's thread.

        That a folder has changed says nothing that what changed in it has not said, but that
        a draft of ours came and went.
        """
        if event.event_type in {"opened", "closed_no_write"}:
            return
        if event.is_directory and event.event_type == "modified":
            return
        place = os.fsencode(event.dest_path or event.src_path).decode(errors="backslashreplace")
        path = os.path.relpath(place, self.root)
        steps = path.split(os.sep)
        if steps[0] not in {OWN, ".git"} and not steps[-1].startswith(DRAFT):
            self.hints.add(path)
