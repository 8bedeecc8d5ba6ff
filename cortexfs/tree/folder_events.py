"""The events of watched folders, read straight from inotify: one queue, in the order of changes.

The system queues an event before the call that changes a file returns. So who has read the queue
up to an event of its own has read each earlier change.
"""

from __future__ import annotations

import os
import struct
import sys
from enum import IntFlag
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ctypes

_HEADER = struct.Struct("iIII")
_READ_BYTES = 1 << 18
_LOCAL_FILE_SYSTEMS = frozenset(
    {
        0xEF53,  # ext2, ext3, ext4
        0x58465342,  # XFS
        0x9123683E,  # btrfs
        0x01021994,  # tmpfs
        0xF2F52010,  # F2FS
        0x2FC12FC1,  # ZFS
        0xCA451A4E,  # bcachefs
        0x794C7630,  # overlayfs
    }
)
"""Other systems may have changes that this machine does not make: a network, a host, a FUSE."""


class EventKind(IntFlag):
    """The bits of an event that we ask for or get."""

    MODIFY = 0x2
    ATTRIB = 0x4
    CLOSE_WRITE = 0x8
    MOVED_FROM = 0x40
    MOVED_TO = 0x80
    CREATE = 0x100
    DELETE = 0x200
    DELETE_SELF = 0x400
    MOVE_SELF = 0x800
    UNMOUNT = 0x2000
    OVERFLOW = 0x4000
    IGNORED = 0x8000
    IS_FOLDER = 0x40000000


ALL_CHANGES = (
    EventKind.MODIFY
    | EventKind.ATTRIB
    | EventKind.CLOSE_WRITE
    | EventKind.MOVED_FROM
    | EventKind.MOVED_TO
    | EventKind.CREATE
    | EventKind.DELETE
    | EventKind.DELETE_SELF
    | EventKind.MOVE_SELF
)
FOLDER_LOST = (
    EventKind.DELETE_SELF
    | EventKind.MOVE_SELF
    | EventKind.UNMOUNT
    | EventKind.OVERFLOW
    | EventKind.IGNORED
)
"""After such an event, later ones may be missing."""
_ONLY_FOLDER, _ONLY_NEW = 0x01000000, 0x10000000


class FolderEvent(NamedTuple):
    """One event: the number of the watch (-1: of the queue), its kind, and the name of the file."""

    watch: int
    kind: int
    name: str


class FolderEvents:
    """An inotify queue. Raises `OSError` where there is none, or none is left for this user."""

    def __init__(self) -> None:
        self._library = _load_library()
        self._queue = self._library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self._queue < 0:
            raise _make_error()

    def watch(self, folder_fd: int, kinds: int = ALL_CHANGES) -> int:
        """Watch an opened folder that is not watched yet; return the number of the watch."""
        path = f"/proc/self/fd/{folder_fd}".encode()
        number = self._library.inotify_add_watch(
            self._queue, path, kinds | _ONLY_FOLDER | _ONLY_NEW
        )
        if number < 0:
            raise _make_error()
        return int(number)

    def read(self) -> list[FolderEvent]:
        """Return queued events, as many as one call to the system gives; empty: there are none."""
        try:
            content = os.read(self._queue, _READ_BYTES)
        except BlockingIOError:
            return []
        events, at = list[FolderEvent](), 0
        while at < len(content):
            watch, kind, _, length = _HEADER.unpack_from(content, at)
            at += _HEADER.size
            name = os.fsdecode(content[at : at + length].rstrip(b"\0"))
            events.append(FolderEvent(watch, kind, name))
            at += length
        return events

    def close(self) -> None:
        """End all watches."""
        os.close(self._queue)


def is_local(folder_fd: int) -> bool:
    """Return whether a folder is on a file system that only this machine changes."""
    import ctypes  # noqa: PLC0415 - only who watches needs it

    status = ctypes.create_string_buffer(1024)
    if _load_library().fstatfs(folder_fd, status) != 0:
        return False
    (kind,) = struct.unpack_from("l", status)
    return kind & 0xFFFFFFFF in _LOCAL_FILE_SYSTEMS


def _load_library() -> ctypes.CDLL:
    import ctypes  # noqa: PLC0415 - as above

    if sys.platform != "linux":
        raise OSError(None, "this system has no inotify")
    return ctypes.CDLL(None, use_errno=True)


def _make_error() -> OSError:
    import ctypes  # noqa: PLC0415 - as above

    code = ctypes.get_errno()
    return OSError(code, os.strerror(code))
