"""Regenerate and check as files change.

Events are only hints; the file stamps show what has changed.
"""

from __future__ import annotations

import os
import time
import warnings
from functools import partial
from typing import TYPE_CHECKING

from watchdog.events import FileSystemEventHandler
from watchdog.observers import Observer

from cortexfs.core.atoms.tree_paths import DRAFT_PREFIX, INDEX_MD, LOCAL_FOLDER, project_from_path
from cortexfs.interfaces.answer_current import watch_and_answer
from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.operations.check import check
from cortexfs.operations.regenerate_indexes import has_pending_work, regenerate_indexes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from watchdog.events import FileSystemEvent
    from watchdog.observers.api import ObservedWatch

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session

NOTES_FOLDER = f"{LOCAL_FOLDER}/spool/new"
"""The folder of the notes of hooks: a new note queues its path."""
_PRIVATE_FOLDERS = {LOCAL_FOLDER, ".git"}
QUIET_S = 0.5
"""Seconds without an event before indexes are written."""
MAX_CHANGED_PATHS = 500
"""Maximum number of files checked one by one; if more have changed, all are checked."""
MAX_WATCHED_FOLDERS = 100
"""Maximum number of watched folders in the root: each needs a thread."""
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
    hints = PathQueue()
    observer = TreeObserver(session.tree.root, hints)
    observer.start()
    try:
        with (
            hints.wake_on_signals(),
            watch_and_answer(session, partial(hints.add, INDEX_MD)),
        ):
            for outcome, findings in _run_rounds(session, hints):
                report(outcome, findings)
                if rounds is not None and (rounds := rounds - 1) <= 0:
                    return
    finally:
        observer.stop()
        hints.close()


def _run_rounds(session: Session, hints: PathQueue) -> Iterator[tuple[Outcome, list[Finding]]]:
    """Yield each round in which something changed; the first covers the whole tree."""
    changed_paths: set[str] = set()
    while True:
        changed_paths |= {*session.refresh()}
        if has_pending_work(session):
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
        if len(hinted) <= MAX_CHANGED_PATHS and (changed := _refresh_hinted(session, hinted)):
            changed_paths.update(changed)
            session.ingest_texts()
        timeout_s = QUIET_S
    return changed_paths


def _refresh_hinted(session: Session, hinted: set[str]) -> set[str]:
    """Ingest these files, and what events name; all files where these cannot tell."""
    by_events = session.comparisons.refresh_by_events()
    if by_events is None:
        return {*session.refresh()}
    return by_events | {*session.refresh(hinted)}


def _check_changed(session: Session, changed_paths: set[str]) -> list[Finding]:
    """Return the findings of the changed atoms."""
    changed = {path for path in changed_paths if not path.endswith(f"/{INDEX_MD}")}
    projects = sorted({project for path in changed if (project := project_from_path(path))})
    return [found for found in check(session, projects).findings if found.path in changed]


class TreeObserver:
    """Queue the paths of files that change, by events of the system.

    Private folders are not watched. With `notes` the folder with the notes of hooks is: a new note
    queues the path of the folder.
    """

    def __init__(self, root: str, hints: PathQueue, *, notes: bool = False) -> None:
        self.root, self.notes = root, notes
        self._queuer = _EventQueuer(root, hints)
        self._observer = Observer()
        self._watched: dict[str, tuple[int, ObservedWatch]] = {}
        warnings.filterwarnings("ignore", category=RuntimeWarning, module="watchdog")

    def start(self) -> None:
        """Start; raise `OSError` if the system has no events left for this user."""
        self._observer.start()
        try:
            self.watch_new_folders()
        except OSError:
            self.stop()
            raise

    def watch_new_folders(self) -> None:
        """Watch the root, and each folder in it that is not watched yet, with all it contains."""
        self._watch(self.root, recursive=False)
        with os.scandir(self.root) as entries:
            for entry in entries:
                if entry.name not in _PRIVATE_FOLDERS and entry.is_dir(follow_symlinks=False):
                    self._watch(entry.path, recursive=True)
        if self.notes:
            self._watch(os.path.join(self.root, NOTES_FOLDER), recursive=False)

    def stop(self) -> None:
        """Stop, and wait for the threads."""
        self._observer.stop()
        self._observer.join()

    def _watch(self, path: str, *, recursive: bool) -> None:
        """Watch a folder; one that has replaced a watched one is watched in its place."""
        if not os.path.isdir(path):
            return
        inode, known = os.stat(path).st_ino, self._watched.get(path)
        is_same = path not in self._queuer.gone  # a new folder may have the inode of the old one
        if known and known[0] == inode and is_same:
            return
        self._queuer.gone.discard(path)
        if known:
            self._observer.unschedule(known[1])
        elif len(self._watched) >= MAX_WATCHED_FOLDERS:
            raise OSError(None, f"more than {MAX_WATCHED_FOLDERS} folders in the root")
        watch = self._observer.schedule(self._queuer, path, recursive=recursive)
        self._watched[path] = (inode, watch)


class _EventQueuer(FileSystemEventHandler):
    """Queue the changed paths, without those of cortexfs's own files."""

    def __init__(self, root: str, hints: PathQueue) -> None:
        self.root, self.hints = root, hints
        self.gone = set[str]()
        """Folders in the root that were removed or renamed since they were last watched."""

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Queue the path of an event from the observer's thread.

        A change of a folder is ignored: the changed files in it have events of their own, and
        otherwise only a temporary file of cortexfs was created and removed.
        """
        if event.event_type in {"opened", "closed_no_write"}:
            return
        if event.is_directory and event.event_type in {"deleted", "moved"}:
            self._note_gone(os.fsdecode(event.src_path))
        if event.is_directory and event.event_type == "modified":
            return
        full_path = os.fsencode(event.dest_path or event.src_path).decode(errors="backslashreplace")
        path = os.path.relpath(full_path, self.root)
        steps = path.split(os.sep)
        if path == LOCAL_FOLDER:
            self.hints.wake()
        if path.startswith(f"{NOTES_FOLDER}/") and event.event_type in {"created", "moved"}:
            self.hints.add(NOTES_FOLDER)
        if steps[0] not in _PRIVATE_FOLDERS and not steps[-1].startswith(DRAFT_PREFIX):
            self.hints.add(path)

    def _note_gone(self, path: str) -> None:
        if os.path.dirname(path) == self.root:
            self.gone.add(path)
