"""The vectors of earlier queries, in the user's cache folder: no model is loaded for them.

A record is a digest of model and query, and the vector. No tree can bring any.
"""

from __future__ import annotations

import hashlib
import os
import stat
from array import array
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.catalog.embeddings.prepared_model import cache_folder_path, is_private

if TYPE_CHECKING:
    from cortexfs.catalog.embeddings.model_types import Vector

MAX_RECORDS = 1000
"""Number of records above which the file is begun again."""
_FILE = "queries-v1"
_DIGEST_BYTES = 32
_FLAGS = os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_query_vector(model: str, text: str, dimensions: int) -> Vector | None:
    """Return the vector of a query; None if it is unknown."""
    size = _DIGEST_BYTES + 4 * dimensions
    with suppress(OSError):
        content, digest = _read(MAX_RECORDS * size), _compute_digest(model, text)
        for begin in range(0, len(content) - size + 1, size):
            if content.startswith(digest, begin):
                vector = array("f", content[begin + _DIGEST_BYTES : begin + size])
                is_unit = abs(sum(each * each for each in vector) - 1) < 0.01  # noqa: PLR2004 - rounded
                return list(vector) if is_unit else None
    return None


def keep_query_vector(model: str, text: str, vector: Vector) -> None:
    """Store the vector of a query, if the cache folder is one that only this user can write."""
    record = _compute_digest(model, text) + array("f", vector).tobytes()
    with suppress(OSError):
        if not is_private(cache_folder_path()):
            return
        file_fd = os.open(_path(), os.O_WRONLY | os.O_CREAT | os.O_APPEND | _FLAGS, 0o600)
        try:
            status = os.fstat(file_fd)
            if stat.S_ISREG(status.st_mode):
                is_full = status.st_size >= MAX_RECORDS * len(record)
                if is_full or status.st_size % len(record):  # a write was cut short
                    os.ftruncate(file_fd, 0)
                os.write(file_fd, record)
        finally:
            os.close(file_fd)


def _read(limit: int) -> bytes:
    if not is_private(cache_folder_path()):
        return b""
    file_fd = os.open(_path(), os.O_RDONLY | _FLAGS)
    try:
        status = os.fstat(file_fd)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid():
            return b""
        return os.read(file_fd, limit)
    finally:
        os.close(file_fd)


def _path() -> str:
    return os.path.join(cache_folder_path(), _FILE)


def _compute_digest(model: str, text: str) -> bytes:
    return hashlib.sha256(f"{model}\n{text}".encode("utf-8", "surrogatepass")).digest()
