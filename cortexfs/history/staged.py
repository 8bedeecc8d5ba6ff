"""The user's index: read it, and bring our own paths in it up to date, theirs left alone."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.git import failed
from cortexfs.history.objects import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from cortexfs.history.desk import Desk
    from cortexfs.history.git import Git

_FEW = 64
"""Up to so many paths are named to git; more, and it lists all (pathspecs cost n x m)."""

_TRIES = 5
_PAUSE_S = 0.02
_STALE_S = 2.0
"""A lock older than this is not waited for: somebody's editor is open, or git was killed."""


class Staged(NamedTuple):
    """What the index holds, and which paths wait there for a merge to be decided."""

    entries: dict[str, Entry]
    unmerged: frozenset[str]


def staged(git: Git, paths: Iterable[str], under: str = "") -> Staged:
    """Read the index's entries of these paths; of all `under` a folder where they are many."""
    wanted = sorted(paths)
    specs = wanted if len(wanted) <= _FEW else [under.rstrip("/")] if under else []
    listing = git.ask("ls-files", "--stage", "-z", "--", *specs) if wanted else b""
    entries, unmerged = {}, set()
    for path, entry, stage in read_lines(listing):
        if stage != "0":
            unmerged.add(path)
        entries[path] = entry
    return Staged(entries, frozenset(unmerged))


def read_lines(listing: bytes) -> Iterator[tuple[str, Entry, str]]:
    """Read `mode id stage TAB path NUL` lines: git's own listing, and our notes."""
    for line in listing.split(b"\0"):
        words, tab, path = line.partition(b"\t")
        if tab:
            mode, name, stage = words.decode("ascii").split(" ")
            yield os.fsdecode(path), Entry(mode, name), stage


def write_lines(entries: Iterable[tuple[str, Entry | None]], width: int) -> bytes:
    """Write such lines; no entry is mode 0 and an id of `width` zeros, as git has it."""
    none = Entry("0", "0" * width)
    return b"".join(
        b"%s %s 0\t%s\0" % ((entry or none).mode.encode(), (entry or none).id.encode(), path)
        for path, entry in ((os.fsencode(path), entry) for path, entry in entries)
    )


def mend(desk: Desk, entries: Mapping[str, Entry | None], width: int) -> bool:
    """Put these entries into the user's index; False while somebody else holds its lock.

    Git never sees the index's own lock: it works on a copy, and the lock is the finished copy
    under its second name, there for the blink between two system calls.
    """
    if not entries:
        return True
    lock = f"{desk.git.git_dir}/index.lock"
    for _ in range(_TRIES):
        age = _age(lock)
        if age is None and _swapped(desk, entries, width):
            return True
        if age is not None and age > _STALE_S:
            break
        time.sleep(_PAUSE_S)
    return False


def _swapped(desk: Desk, entries: Mapping[str, Entry | None], width: int) -> bool:
    index, ours = f"{desk.git.git_dir}/index", f"{desk.path}/index"
    lock = f"{index}.lock"
    before = _linked(index, ours)
    try:
        _write(desk, ours, write_lines(entries.items(), width))
        after = os.stat(ours)
        if before and os.path.samestat(before, after):  # git found nothing to change
            return True
        if before:  # an entry as young as its index is looked at again: keep the index's age
            os.utime(ours, ns=(after.st_atime_ns, before.st_mtime_ns))
        os.link(ours, lock)
        if not _same(before, _stat(index)):  # the user was quicker
            os.unlink(lock)
            return False
        _put_in_place(lock, index)
    except FileExistsError:
        return False
    else:
        return True
    finally:
        with suppress(FileNotFoundError):
            os.unlink(ours)


def _put_in_place(lock: str, index: str) -> None:
    try:
        os.rename(lock, index)
    except OSError:  # ours still, and it would keep everybody out
        os.unlink(lock)
        raise


def _write(desk: Desk, index: str, lines: bytes) -> None:
    """Change an index, with an empty folder as its work tree.

    Git would read a file that is as young as the index, through the repository's filters.
    """
    with desk.void() as void:
        ran = desk.git.run(
            "update-index",
            "-z",
            "--index-info",
            feed=lines,
            at=void,
            env={"GIT_INDEX_FILE": index, **desk.mute},
        )
    if ran.code:
        raise failed("update-index", ran.err)


def _linked(index: str, ours: str) -> os.stat_result | None:
    """Give the index a second name, which git will replace; None where there is no index."""
    with suppress(FileNotFoundError):
        os.link(index, ours)
        return os.stat(ours)
    return None


def _stat(path: str) -> os.stat_result | None:
    with suppress(FileNotFoundError):
        return os.stat(path)
    return None


def _same(one: os.stat_result | None, other: os.stat_result | None) -> bool:
    """Tell whether it is the same index still; a newer one may bear the number of the old."""
    if one is None or other is None:
        return one is other
    written = (one.st_mtime_ns, one.st_size) == (other.st_mtime_ns, other.st_size)
    return written and os.path.samestat(one, other)


def _age(lock: str) -> float | None:
    with suppress(FileNotFoundError):
        return time.time() - os.lstat(lock).st_mtime
    return None
