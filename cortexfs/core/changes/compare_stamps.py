"""Find changed files: compare their stamps on disk with the known stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from os import stat_result

NS_PER_SECOND = 1_000_000_000
COARSE_CLOCK_NS = 2 * NS_PER_SECOND
"""The coarsest timestamp granularity of a file system, in ns (FAT)."""
FINE_CLOCK_NS = NS_PER_SECOND // 20
"""The longest time, in ns, in which two edits may get the same stamp: five ticks at 100 Hz."""
UNKNOWN_TIME = -1
"""Replaces a time that cannot be relied on; no file has it."""


class FileStamp(NamedTuple):
    """Size in bytes and times in ns of a file; ctime reveals an edit that restores mtime."""

    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: stat_result) -> FileStamp:
        """Return the stamp in the status of a file."""
        return cls(status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def without_unsettled_times(self, now_ns: int) -> FileStamp:
        """Return the stamp, without its times if the file could change and keep the same stamp.

        `now_ns` is the present time in ns. A time of whole seconds is assumed to come from a coarse
        clock, which needs the longer wait.
        """
        latest = max(self.mtime_ns, self.ctime_ns)
        granularity = FINE_CLOCK_NS if latest % NS_PER_SECOND else COARSE_CLOCK_NS
        may_change_unseen = latest > now_ns - granularity
        return (
            self._replace(mtime_ns=UNKNOWN_TIME, ctime_ns=UNKNOWN_TIME)
            if may_change_unseen
            else self
        )


class ModifiedFile(NamedTuple):
    """The file is new or has changed."""

    path: str


class DeletedFile(NamedTuple):
    """The file no longer exists."""

    path: str


DiskChange = ModifiedFile | DeletedFile


def find_changed_files(
    on_disk: Mapping[str, FileStamp], known: Mapping[str, tuple[int, int, int]]
) -> Iterator[DiskChange]:
    """Yield the changes from the known stamps to those on disk, in path order."""
    if on_disk == known:
        return
    for path in sorted(on_disk.keys() | known.keys()):
        if path not in on_disk:
            yield DeletedFile(path)
        elif on_disk[path] != known.get(path):
            yield ModifiedFile(path)
