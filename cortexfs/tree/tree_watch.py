"""Know which files of a tree have changed, by the events of its folders, or know nothing.

Exactly the folders are watched that a scan reads, and those above them. A new folder is watched,
and all its files count as changed. Anything that could hide a change ends the knowledge until the
next scan: an overflow of the queue, a watched folder that was moved or removed, a mount.

Changes that the system reports to nobody are not known: through a memory map of a file that was
closed before, through a second name of a file that was made meanwhile outside the tree, and by
the kernel's own NFS server.
"""

from __future__ import annotations

import os
import secrets
import stat
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.tree.folder_events import FOLDER_LOST, EventKind, FolderEvents
from cortexfs.tree.list_and_stamp_files import decode_name
from cortexfs.tree.mounts import MountTable
from cortexfs.tree.queue_cookies import COOKIE_FOLDER, make_cookie, remove_left_cookies
from cortexfs.tree.safe_open import open_folder, open_private_folder
from cortexfs.tree.watched_folders import WatchedFolders

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.folder_events import FolderEvent

_FOLDER_APPEARS = EventKind.CREATE | EventKind.MOVED_TO | EventKind.ATTRIB
"""A folder that was not readable can be read after a change of its mode."""
COOKIE_S = 0.05
"""Seconds in which the event of such a file must come."""
MAX_CHANGED_FILES = 500
"""Maximum number of files that are compared one by one; for more, the tree is scanned."""
MAX_LINKED_FILES = 200
"""Maximum number of files with several names: each is compared at each question."""
MAX_ROUNDS = 10
"""Maximum number of times that new folders are looked for; for more, the tree is scanned."""
MAX_FAILURES = 3
"""Number of times in a row that folders could not be watched, after which no scan is worth it."""
_LINK_TRIES, _LINK_PAUSE_S = 5, 0.002
"""A file that is just being created has two names for an instant."""


class TreeWatch:
    """What has changed in one tree since its last scan; used by one thread at a time."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.is_complete = False
        """Whether each change since the last scan is known, or still in the queue."""
        self._failures = 0
        self._kinds: Kinds | None = None
        self._events: FolderEvents | None = None
        self._mounts: MountTable | None = None
        self._folders: WatchedFolders | None = None
        self._cookies = -1
        self._changed: set[str] = set()
        self.linked: frozenset[str] = frozenset()
        """Files with several names: each may change without an event."""
        self._has_new_folders = False

    def begin(self, kinds: Kinds) -> None:
        """Watch all folders, before the tree is scanned; where that is impossible, nothing is."""
        self.close()
        self._kinds = kinds
        try:
            self._watch_all(kinds)
        except (OSError, OutsideTree):
            self._failures += 1
            self.close()

    def finish(self, linked: frozenset[str]) -> None:
        """Note that the scan has ended, and its files with more than one name."""
        if len(linked) > MAX_LINKED_FILES:
            self._failures += 1
        elif self._events:
            self.linked = linked
            self.is_complete, self._failures = True, 0

    def find_changed_paths(self) -> set[str] | None:
        """Return the files that have had an event since the scan; None if that is unknown.

        They stay changed until `mark_ingested`. Events that are late on a busy machine are only
        unknown yet: the next question may get them.
        """
        if not self.is_complete:
            return None
        try:
            if self._read_up_to_now() and len(self._changed) <= MAX_CHANGED_FILES:
                return set(self._changed)
        except TimeoutError:
            return None
        except (OSError, OutsideTree):
            pass
        self.close()
        return None

    @property
    def is_lost(self) -> bool:
        """Whether the next scan may restore the knowledge."""
        return not self.is_complete and self._kinds is not None and self._failures < MAX_FAILURES

    def mark_ingested(self, paths: Iterable[str]) -> None:
        """Forget changes that the catalog has ingested."""
        self._changed.difference_update(paths)

    def close(self) -> None:
        """Stop to watch; nothing is known until the next scan."""
        self.is_complete, self._changed, self._has_new_folders = False, set(), False
        for each in (self._events, self._mounts):
            if each:
                each.close()
        self._events = self._mounts = self._folders = None

    def _watch_all(self, kinds: Kinds) -> None:
        self._mounts = MountTable()
        if self._mounts.is_mounted_below(self.root):
            raise OSError(None, "something is mounted in the tree")
        self._events = FolderEvents()
        with open_private_folder(self.root, COOKIE_FOLDER) as at:
            remove_left_cookies(at)
            self._cookies = self._events.watch(at, EventKind.CREATE)
        self._folders = WatchedFolders(self.root, kinds, self._events)
        while self._folders.watch_new():
            pass

    def _read_up_to_now(self) -> bool:
        """Read all events of changes that were made before this call; False if some are lost.

        Raises `TimeoutError` if they are late.
        """
        if not self._read_up_to_cookie() or (self._mounts and self._mounts.has_changed()):
            return False
        for _ in range(MAX_ROUNDS):
            if not self._has_new_folders or self._folders is None:
                break
            self._has_new_folders = False
            for folder in self._folders.watch_new():
                self._has_new_folders = True  # perhaps it has got more before it was watched
                self._changed.update(self._folders.list_files(folder))
            if not self._read_up_to_cookie():
                return False
        if self._has_new_folders:
            return False
        return not any(self._has_new_link(path) for path in self._changed)

    def _read_up_to_cookie(self) -> bool:
        """Create a file in the private folder, and read the queue up to its event.

        Raises `TimeoutError` if that does not come.
        """
        name = f"{os.getpid()}.{secrets.token_hex(8)}"
        make_cookie(self.root, name)
        deadline = time.monotonic() + COOKIE_S
        while self._events:
            events = self._events.read()
            others = [event for event in events if event.watch != self._cookies]
            if not all(self._note(event) for event in others):
                return False
            if any(event.watch == self._cookies and event.name == name for event in events):
                return True
            if time.monotonic() >= deadline:
                raise TimeoutError
        return False

    def _note(self, event: FolderEvent) -> bool:
        """Note what may have changed; return False if later events may be missing."""
        folders = self._folders
        folder = folders.find_folder(event.watch) if folders else None
        if event.kind & FOLDER_LOST or folders is None or folder is None:
            return False
        name = decode_name(event.name)
        path = f"{folder}/{name}" if folder else name
        if folders.is_scanned(folder, name):
            self._changed.add(path)
        if event.kind & EventKind.IS_FOLDER:
            if path in folders:
                return False
            self._has_new_folders |= bool(event.kind & _FOLDER_APPEARS)
        return True

    def _has_new_link(self, path: str) -> bool:
        """Return whether a changed file has another name that the last scan did not see.

        A change through that name has an event elsewhere, or nowhere.
        """
        if path in self.linked:
            return False
        for _ in range(_LINK_TRIES):
            if not _has_two_names(self.root, path):
                return False
            time.sleep(_LINK_PAUSE_S)
        return True


def _has_two_names(root: str, path: str) -> bool:
    above, _, name = path.rpartition("/")
    with suppress(OSError, ValueError, OutsideTree), open_folder(root, above) as at:
        status = os.stat(name, dir_fd=at, follow_symlinks=False)
        return stat.S_ISREG(status.st_mode) and status.st_nlink > 1
    return False
