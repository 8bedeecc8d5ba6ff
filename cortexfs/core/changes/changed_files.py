"""What must be read again: the stamps on disk against the stamps that are known."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NS_PER_SECOND = 1_000_000_000
COARSE_CLOCK_NS = 2 * NS_PER_SECOND
"""No file system keeps time coarser than this (FAT)."""
FINE_CLOCK_NS = NS_PER_SECOND // 20
"""Five ticks of the slowest kernel clock (100 Hz): how far apart two edits may share a stamp."""
UNSETTLED = -1


class FileStamp(NamedTuple):
    """What a file looks like from outside; ctime sees an edit that puts mtime back."""

    size: int
    mtime_ns: int
    ctime_ns: int

    def without_unsettled_times(self, now_ns: int) -> FileStamp:
        """Forget the times of a file that could still change without its stamp changing.

        Whole seconds are taken for a coarse clock, which needs the longer wait.
        """
        latest = max(self.mtime_ns, self.ctime_ns)
        grain = FINE_CLOCK_NS if latest % NS_PER_SECOND else COARSE_CLOCK_NS
        young = latest > now_ns - grain
        return self._replace(mtime_ns=UNSETTLED, ctime_ns=UNSETTLED) if young else self


class Stamped(NamedTuple):
    """The stamps of a tree's files, and the time (ns) at which the first of them was read."""

    at_ns: int
    stamps: Mapping[str, FileStamp]


class ModifiedFile(NamedTuple):
    """The file is new, or not the one that is known."""

    path: str


class DeletedFile(NamedTuple):
    """The file is no longer there."""

    path: str


DiskChange = ModifiedFile | DeletedFile


def find_changed_files(
    on_disk: Mapping[str, FileStamp], known: Mapping[str, tuple[int, int, int]]
) -> Iterator[DiskChange]:
    """Yield the changes that would make what is known agree with the disk, in path order."""
    if on_disk == known:
        return
    for path in sorted(on_disk.keys() | known.keys()):
        if path not in on_disk:
            yield DeletedFile(path)
        elif on_disk[path] != known.get(path):
            yield ModifiedFile(path)
