"""What is mounted: a mount hides folders without an event in any of them."""

from __future__ import annotations

import os
import re
import select
from contextlib import suppress

_MOUNTS = "/proc/self/mountinfo"
_NAMESPACE = "/proc/self/ns/mnt"
_MOUNT_POINT = 4
"""The number of the field with the mount point."""


class MountTable:
    """The mounted file systems, and whether that has changed since. Raises `OSError`."""

    def __init__(self) -> None:
        self._file = os.open(_MOUNTS, os.O_RDONLY | os.O_CLOEXEC)
        self._changes = select.poll()
        self._changes.register(self._file, select.POLLPRI | select.POLLERR)
        self._changes.poll(0)

    def has_changed(self) -> bool:
        """Return whether anything was mounted or unmounted since the last call."""
        return bool(self._changes.poll(0))

    def is_mounted_below(self, root: str) -> bool:
        """Return whether anything is mounted below a folder."""
        prefix = f"{os.path.realpath(root).rstrip('/')}/"
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as lines:
            points = [line.split(" ")[_MOUNT_POINT] for line in lines]
        return any(_unescape(point).startswith(prefix) for point in points)

    def close(self) -> None:
        """Close the table."""
        os.close(self._file)


def read_mount_namespace() -> str:
    """Return a name of the mounts that this process sees; empty if the system has none."""
    with suppress(OSError):
        return os.readlink(_NAMESPACE)
    return ""


def _unescape(point: str) -> str:
    return re.sub(r"\\([0-7]{3})", lambda found: chr(int(found[1], 8)), point)
