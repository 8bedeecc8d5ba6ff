"""The private log of process events, `.cortexfs/events`: JSON lines, one file for each UTC day."""

from __future__ import annotations

import errno
import os
import re
from collections import defaultdict
from contextlib import suppress
from datetime import date, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.process_events.process_event import format_event_line
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.private_files import stamp_private_files
from cortexfs.tree.safe_open import open_folder, open_private_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from cortexfs.core.process_events.process_event import ProcessEvent
    from cortexfs.tree.tree import Tree

EVENTS_FOLDER = "events"
RETENTION_DAYS = 90
"""Days after which the events of a day are deleted."""
CLOCK_DAYS = 3
"""Number of later days with events that this takes: a clock may jump far ahead for a while."""
MAX_DAY_BYTES = 20_000_000
"""Maximum bytes of events that are kept for one day."""
MAX_BYTES_READ = 64_000_000
"""Maximum bytes that are read at once, the newest days first: a memory limit."""

_MAX_FILE_BYTES = MAX_DAY_BYTES + (1 << 20)
_DAY_FILE = re.compile(r"\d{4}-\d\d-\d\d\.(?:jsonl|skipped)", re.ASCII)
_FULL_DISK = {errno.ENOSPC, errno.EDQUOT}


class FullDisk(Exception):
    """Events could not be logged now; they can be logged later."""


def stamp_process_events(tree: Tree) -> str:
    """Return a text that is another one after an event was logged."""
    return stamp_private_files(tree.root, EVENTS_FOLDER)


def log_process_events(tree: Tree, events: Sequence[ProcessEvent], today: date) -> None:
    """Append events to the files of their days, durably, and delete old files.

    Above `MAX_DAY_BYTES` a day's events are only counted. Raises `FullDisk` if the disk is full.
    Events that cannot be written for another reason, such as a link in place of the folder, are
    lost: the event log must never stop a drain.
    """
    if not events:
        return
    lines: dict[str, list[str]] = defaultdict(list)
    for event in events:
        lines[event.time[:10]].append(format_event_line(event))
    try:
        with open_private_folder(tree.root, EVENTS_FOLDER) as at:
            _remove_old_files(at, today)
            for day in sorted(lines):
                _append_day(at, day, lines[day])
    except OutsideTree:
        return
    except OSError as error:
        if error.errno in _FULL_DISK:
            raise FullDisk from error


def read_event_lines(tree: Tree, since_day: str, last_day: str) -> Iterator[str]:
    """Yield the lines of the days from `since_day` to `last_day`, the newest day first.

    At most `MAX_BYTES_READ` bytes of files are read; what is no regular file is skipped.
    """
    left = MAX_BYTES_READ
    with suppress(OSError, OutsideTree), _open_events(tree) as at:
        for name in sorted(_list_day_files(at, ".jsonl"), reverse=True):
            if name[:10] < since_day:
                return
            if name[:10] > last_day:
                continue
            content = b""
            with suppress(OSError):
                content = atomic_files.read_file_bytes(at, name, min(left, _MAX_FILE_BYTES))
            left -= len(content)
            yield from content.decode("utf-8", "replace").split("\n")


def count_skipped_events(tree: Tree, day: str) -> int:
    """Return the number of events of a day that were counted and not written."""
    with suppress(OSError, OutsideTree), _open_events(tree) as at:
        return _read_count(at, f"{day}.skipped")
    return 0


def _open_events(tree: Tree) -> AbstractContextManager[int]:
    return open_folder(tree.root, f".cortexfs/{EVENTS_FOLDER}")


def _append_day(at: int, day: str, lines: Sequence[str]) -> None:
    """Append lines to the file of a day in one write, as many as it may have."""
    left = MAX_DAY_BYTES - _get_size(at, f"{day}.jsonl") - len("\n")  # to end a torn line
    kept: list[bytes] = []
    for line in (each.encode("utf-8", "replace") for each in lines):
        left -= len(line)
        if left < 0:
            break
        kept.append(line)
    if kept:
        atomic_files.append_lines(at, f"{day}.jsonl", b"".join(kept))
    if skipped := len(lines) - len(kept):
        _write_count(at, f"{day}.skipped", _read_count(at, f"{day}.skipped") + skipped)


def _get_size(at: int, name: str) -> int:
    try:
        return os.stat(name, dir_fd=at, follow_symlinks=False).st_size
    except FileNotFoundError:
        return 0


def _read_count(at: int, name: str) -> int:
    with suppress(OSError, ValueError):
        return max(int(atomic_files.read_file_bytes(at, name, 20)), 0)
    return 0


def _write_count(at: int, name: str, count: int) -> None:
    """Write a number; a count that a full disk or a link prevents is not worth an error."""
    with suppress(OSError):
        file = atomic_files.open_private_file(at, name, os.O_WRONLY | os.O_CREAT)
        try:
            os.pwrite(file, b"%d\n" % count, 0)
        finally:
            os.close(file)


def _remove_old_files(at: int, today: date) -> None:
    """Delete the files of days before the retention; a folder with such a name stays."""
    first = _find_first_day(at, today)
    for name in _list_day_files(at, ""):
        if name[:10] < first:
            with suppress(OSError):
                os.unlink(name, dir_fd=at)


def _find_first_day(at: int, today: date) -> str:
    """Return the first day that is kept, counted from one of the last days with events."""
    days = sorted(name[:10] for name in _list_day_files(at, ".jsonl"))[-CLOCK_DAYS:]
    if len(days) < CLOCK_DAYS:
        return ""
    try:
        last = min(today, date.fromisoformat(days[0]))
        return (last - timedelta(days=RETENTION_DAYS)).isoformat()
    except (ValueError, OverflowError):  # a name that is no day
        return ""


def _list_day_files(at: int, suffix: str) -> Iterable[str]:
    return (name for name in os.listdir(at) if _DAY_FILE.fullmatch(name) and name.endswith(suffix))
