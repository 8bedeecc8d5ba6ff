"""The files of the full-text index for large trees: its state, and whether it is intact."""

from __future__ import annotations

import json
import os
import time
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.catalog.catalog_files import (
    LARGE_INDEX_PREFIX,
    LARGE_INDEX_VERSION,
    delete_older_formats,
    delete_path,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

INDEX_FOLDER = f"{LARGE_INDEX_PREFIX}{LARGE_INDEX_VERSION}"
META_FILE = "meta.json"
"""The file that the engine replaces to commit: it lists the segments, whose files never change."""
BLOCK_BYTES = 2048
"""Bytes of texts that are compressed together: a query reads single texts from all over the index.

With the 16 KiB of the engine this takes over twice as long, and the index is a twentieth smaller.
"""
_SEGMENT_SUFFIXES = ("fast", "fieldnorm", "idx", "pos", "store", "term")
_FOOTER_END_BYTES = 8
"""Bytes at the end of each file: the length of the footer before them, and a magic number."""
_CHUNK_BYTES = 1 << 20
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""The errors of a missing, damaged or hostile file."""
_MAX_META_BYTES = 1 << 24
_MAX_FOOTER_BYTES = 1 << 16
"""Maximum bytes of the list of segments, and of the footer of a file: both are untrusted."""


class IndexProgress(NamedTuple):
    """The state of an index: the engine's count of changes, and the checksum of its file list."""

    commit_number: int
    checksum: int

    def can_follow(self, earlier: IndexProgress) -> bool:
        """Return whether an index in an earlier state may have reached this one."""
        return self == earlier or self.commit_number > earlier.commit_number


NO_PROGRESS = IndexProgress(-1, 0)


def index_folder_path(catalog: str) -> str:
    """Return the folder of the full-text index of a catalog."""
    return os.path.join(os.path.dirname(catalog), INDEX_FOLDER)


def read_progress(path: str) -> IndexProgress | None:
    """Return the state of the index in a folder; None if there is none that can be used."""
    try:
        if not _has_only_regular_files(path):
            return None
        listed = _read_file(os.path.join(path, META_FILE))
        return IndexProgress(int(json.loads(listed)["opstamp"]), crc32(listed))
    except _UNREADABLE:
        return None


def _has_only_regular_files(path: str) -> bool:
    """Return whether the engine can open any file: it follows links and waits for pipes."""
    if os.path.islink(path) or os.path.islink(os.path.dirname(path)):
        return False
    with os.scandir(path) as entries:
        return all(entry.is_file(follow_symlinks=False) for entry in entries)


def is_intact(path: str) -> bool:
    """Verify every file of an index; returns False if one is damaged or missing."""
    try:
        return all(map(_has_valid_checksum, _iter_segment_files(path)))
    except _UNREADABLE:
        return False


def create_index_folder(folder: str, previous: str) -> str:
    """Create a new folder for an index; the previous one is put aside, older ones are deleted."""
    aside = os.path.join(folder, "damaged")
    if os.path.islink(folder) or os.path.isfile(folder):
        os.unlink(folder)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    delete_older_formats(os.path.dirname(folder))
    for name in os.listdir(folder):
        if name != previous:
            delete_path(os.path.join(folder, name))
    if previous and os.path.isdir(os.path.join(folder, previous)):
        os.replace(os.path.join(folder, previous), aside)
    path = os.path.join(folder, str(time.time_ns()))
    os.mkdir(path, 0o700)
    return path


def set_block_size(path: str) -> None:
    """Store the texts of a new index in small blocks, once the engine has opened it again."""
    meta_path = os.path.join(path, META_FILE)
    meta = json.loads(_read_file(meta_path))
    meta.setdefault("index_settings", {})["docstore_blocksize"] = BLOCK_BYTES
    with open(meta_path, "w", encoding="ascii") as file:
        json.dump(meta, file)


def delete_index(folder: str) -> None:
    """Delete all files of an index."""
    if os.path.lexists(folder):
        delete_path(folder)


def make_private(path: str) -> None:
    """Make the files private: the engine makes them readable for others."""
    with os.scandir(path) as entries:
        for entry in entries:
            if (
                entry.is_file(follow_symlinks=False)
                and entry.stat(follow_symlinks=False).st_mode & 0o077
            ):
                os.chmod(entry.path, 0o600)


def _iter_segment_files(path: str) -> Iterator[str]:
    """Yield the path of every file of the index's segments."""
    for segment in json.loads(_read_file(os.path.join(path, META_FILE)))["segments"]:
        stem = os.path.join(path, segment["segment_id"].replace("-", ""))
        yield from (f"{stem}.{part}" for part in _SEGMENT_SUFFIXES)
        if segment["deletes"]:
            yield f"{stem}.{segment['deletes']['opstamp']}.del"


def _has_valid_checksum(path: str) -> bool:
    """Return whether the checksum of a file equals that in its footer."""
    with open(path, "rb", opener=_open_no_follow) as file:
        size = file.seek(-_FOOTER_END_BYTES, os.SEEK_END)
        length = int.from_bytes(file.read(4), "little")
        if length > min(size, _MAX_FOOTER_BYTES):
            return False
        file.seek(size - length)
        wanted = json.loads(file.read(length))["crc"]
        file.seek(0)
        left, total = size - length, 0
        while left > 0 and (chunk := file.read(min(left, _CHUNK_BYTES))):
            total, left = crc32(chunk, total), left - len(chunk)
    return bool(total == wanted)


def _read_file(path: str) -> bytes:
    with open(path, "rb", opener=_open_no_follow) as file:
        return file.read(_MAX_META_BYTES)


def _open_no_follow(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)
