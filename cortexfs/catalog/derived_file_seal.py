"""Detect by a stamp whether another program has written to a file or folder since we did."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from zlib import crc32


def save_checksum(path: str) -> None:
    """Record the stamp of a file, or of all files in a folder, after writing it."""
    with suppress(OSError):
        stamp = _compute_stamp(path)
        if stamp != _read_saved_stamp(path):
            with open(_saved_stamp_path(path), "w", encoding="ascii", opener=_open_private) as file:
                file.write(stamp)


def has_matching_checksum(path: str) -> bool:
    """Return whether nobody has changed a file or folder since we wrote it."""
    try:
        return _compute_stamp(path) == _read_saved_stamp(path)
    except OSError:
        return False


def _compute_stamp(path: str) -> str:
    status = os.stat(path, follow_symlinks=False)
    if stat.S_ISDIR(status.st_mode):
        names = sorted(name for name in os.listdir(path) if not name.startswith("."))
        return str(
            crc32(
                "\n".join(
                    f"{name} {_compute_stamp(os.path.join(path, name))}" for name in names
                ).encode()
            )
        )
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"


def _read_saved_stamp(path: str) -> str:
    try:
        with open(_saved_stamp_path(path), "rb", opener=_open_for_reading) as file:
            return file.read(200).decode(errors="replace")
    except FileNotFoundError:
        return ""


def _saved_stamp_path(path: str) -> str:
    return f"{path}.seal"


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o600)


def _open_for_reading(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
