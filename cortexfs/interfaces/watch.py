"""Regenerate and check as files change.

Events are only hints; the file stamps show what has changed.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX, INDEX_MD, LOCAL_FOLDER, project_from_path
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
"""Seconds without an event before indexes are written."""
MAX_CHANGED_PATHS = 500
"""Maximum number of files checked one by one; if more have changed, all are checked."""
RESCAN_S = 60.0
"""Maximum seconds between full comparisons of stamps: events can be lost, or never pause."""


def watch(
    session: Session, report: Callable[[Outcome, list[Finding]], None], *, rounds: int | None = None
) -> None:
    """Update indexes after each quiet half second, until stopped.

    Changed atoms can be found at once, also by full text. `report` is called for every round that
    changed something, with the findings of the changed atoms. `rounds` limits the number of such
    rounds.
    """
    hints, observer = PathQueue(), Observer()
    observer.schedule(_EventQueuer(session.tree.root, hints), session.tree.root, recursive=True)
    observer.start()
    try:
        with hints.wake_on_signals():
            for outcome, findings in _run_rounds(session, hints):
                report(outcome, findings)
                if rounds is not None and (rounds := rounds - 1) <= 0:
                    return
    finally:
        observer.stop()
        observer.join()
        hints.close()


def _run_rounds(session: Session, hints: PathQueue) -> Iterator[tuple[Outcome, list[Finding]]]:
    """Yield each round in which something changed; the first covers the whole tree."""
    changed_paths: set[str] = set()
    while True:
        changed_paths |= {*session.refresh()}
        if session.has_pending_work():
            outcome = regenerate_indexes(session, None)
            yield outcome, _check_changed(session, changed_paths)
        session.ingest_texts()
        changed_paths = wait_for_changes(session, hints)


def wait_for_changes(session: Session, hints: PathQueue) -> set[str]:
    """Return the changed paths after the next quiet half second, or after a minute at most.

    Changed files are ingested at once.
    """
    changed_paths: set[str] = set()
    timeout_s, deadline = RESCAN_S, time.monotonic() + RESCAN_S
    while time.monotonic() < deadline and (hinted := hints.wait(timeout_s)):
        if len(hinted) <= MAX_CHANGED_PATHS and (changed := session.refresh(hinted)):
            changed_paths.update(changed)
            session.ingest_texts()
        timeout_s = QUIET_S
    return changed_paths


def _check_changed(session: Session, changed_paths: set[str]) -> list[Finding]:
    """Return the findings of the changed atoms."""
    changed = {path for path in changed_paths if not path.endswith(f"/{INDEX_MD}")}
    projects = sorted({project for path in changed if (project := project_from_path(path))})
    return [found for found in check(session, projects).findings if found.path in changed]


class _EventQueuer(FileSystemEventHandler):
    """Queue the changed paths, without those of cortexfs's own files."""

    def __init__(self, root: str, hints: PathQueue) -> None:
        self.root, self.hints = root, hints

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Queue the path of an event from the observer's thread.

        A change of a folder is ignored: the changed files in it have events of their own, and
        otherwise only a temporary file of cortexfs was created and removed.
        """
        if event.event_type in {"opened", "closed_no_write"}:
            return
        if event.is_directory and event.event_type == "modified":
            return
        full_path = os.fsencode(event.dest_path or event.src_path).decode(errors="backslashreplace")
        path = os.path.relpath(full_path, self.root)
        steps = path.split(os.sep)
        if steps[0] not in {LOCAL_FOLDER, ".git"} and not steps[-1].startswith(DRAFT_PREFIX):
            self.hints.add(path)
