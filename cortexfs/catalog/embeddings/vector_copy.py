"""A copy of the vectors in one flat file, which is read ten times as fast as the rows of SQLite.

It is used as long as the vector file is the one that it was made from, and nobody has changed it.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from array import array
from contextlib import contextmanager, suppress
from io import BytesIO
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.catalog.derived_file_seal import has_matching_checksum, save_checksum
from cortexfs.catalog.embeddings.vector_file import vectors_path
from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.errors import CortexError
from cortexfs.tree.private_files import replace_derived_file
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    from cortexfs.catalog.embeddings.model_types import MultiplyRows, Vector
    from cortexfs.catalog.embeddings.vector_file import VectorStore

COPY_FORMAT = 1
ROWS_PER_BATCH = 2048
"""Number of rows that are compared at once: 4 MB with their copy as floats."""
MAX_COPY_BYTES = 1 << 29
"""Size above which no copy is made: it is put together in memory."""
_HEADER_BYTES = 1000
_FLOAT_BYTES = 4
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class VectorCopy(NamedTuple):
    """An open copy: the text of each row, its scale, and where the rows begin."""

    file: BinaryIO
    contents: list[str]
    scales: array[float]
    row_bytes: int

    def compute_cosines(self, row: Vector, multiply: MultiplyRows) -> dict[str, float]:
        """Return the cosine similarity of each text to a row: that of its most similar passage."""
        cosines: list[float] = []
        if len(row) != self.row_bytes:
            return {}
        for start in range(0, len(self.contents), ROWS_PER_BATCH):
            scales = self.scales[start : start + ROWS_PER_BATCH]
            rows = bytearray(len(scales) * self.row_bytes)
            if self.file.readinto(rows) != len(rows):  # type: ignore[attr-defined]
                return {}
            cosines += map(mul, scales, multiply(rows, row))
        return _find_best(self.contents, cosines)


def _find_best(contents: list[str], cosines: list[float]) -> dict[str, float]:
    """Return the highest cosine of each text; the first passages of all texts come first."""
    count = len(set(contents))
    best = dict(zip(contents[:count], cosines[:count], strict=True))
    for content, cosine in zip(contents[count:], cosines[count:], strict=True):
        if cosine > best.get(content, -2.0):
            best[content] = cosine
    return best


def copy_path(folder: str) -> str:
    """Return the path of the copy in a catalog's folder."""
    return vectors_path(folder).replace(".sqlite", ".rows")


@contextmanager
def open_copy(root: str, model: str) -> Iterator[VectorCopy | None]:
    """Yield the copy of the vectors of a model; None if there is none that is current."""
    folder = os.path.join(root, LOCAL_FOLDER)
    path, source = copy_path(folder), _describe_source(folder)
    if not (source and has_matching_checksum(path)):
        yield None
        return
    try:
        with open_folder(root, LOCAL_FOLDER) as at:
            file_fd = os.open(os.path.basename(path), _READ_FLAGS, dir_fd=at)
    except (OSError, CortexError):
        yield None
        return
    with open(file_fd, "rb", buffering=0) as file:
        yield _read_head(file, {"model": model, "source": source})


def _read_head(file: BinaryIO, expected: dict[str, str]) -> VectorCopy | None:
    """Read all but the rows; return None if the file is not what we write."""
    status = os.fstat(file.fileno())
    if not stat.S_ISREG(status.st_mode):
        return None
    with suppress(ValueError, TypeError, KeyError):
        head = json.loads(file.read(_HEADER_BYTES))
        count, key_bytes, row_bytes = (int(head[key]) for key in ("count", "keys", "row"))
        size = _HEADER_BYTES + key_bytes + count * (_FLOAT_BYTES + row_bytes)
        if (
            {key: head[key] for key in expected} == expected
            and (head["format"], head["order"]) == (COPY_FORMAT, sys.byteorder)
            and min(count, key_bytes, row_bytes) > 0
            and size == status.st_size
        ):
            contents = file.read(key_bytes).decode().split("\n")
            scales = array("f", file.read(count * _FLOAT_BYTES))
            return VectorCopy(file, contents, scales, row_bytes) if len(contents) == count else None
    return None


def read_store(store: VectorStore) -> VectorCopy:
    """Return what a vector file has, in memory; nothing if its rows have several lengths."""
    rows = store.list_rows()
    row_bytes = len(rows[0][1]) - _FLOAT_BYTES if rows else 0
    if row_bytes <= 0 or any(len(row) != row_bytes + _FLOAT_BYTES for _, row in rows):
        return VectorCopy(BytesIO(), [], array("f"), 0)
    scales = array("f", b"".join(row[:_FLOAT_BYTES] for _, row in rows))
    if sys.byteorder == "big":
        scales.byteswap()
    cells = BytesIO(b"".join(row[_FLOAT_BYTES:] for _, row in rows))
    return VectorCopy(cells, [content for content, _ in rows], scales, row_bytes)


def write_copy(root: str, store: VectorStore, model: str) -> VectorCopy:
    """Copy the vectors of a store, and return them.

    No file is written while the store is being changed, and where that is not possible.
    """
    folder = os.path.join(root, LOCAL_FOLDER)
    source = _describe_source(folder) if os.access(folder, os.W_OK) else ""
    copy = read_store(store)
    if source and copy.contents and len(copy.contents) * copy.row_bytes <= MAX_COPY_BYTES:
        content = _encode(copy, {"model": model, "source": source})
        if _describe_source(folder) == source:
            with suppress(OSError, CortexError):
                with open_folder(root, LOCAL_FOLDER) as at:
                    replace_derived_file(at, os.path.basename(copy_path(folder)), content)
                save_checksum(copy_path(folder))
    return copy


def _encode(copy: VectorCopy, known: dict[str, str]) -> bytes:
    keys = "\n".join(copy.contents).encode()
    head = {
        **known,
        "format": COPY_FORMAT,
        "order": sys.byteorder,
        "count": len(copy.contents),
        "keys": len(keys),
        "row": copy.row_bytes,
    }
    header = json.dumps(head).encode().ljust(_HEADER_BYTES)
    rows = copy.file.read()
    copy.file.seek(0)
    return b"".join([header, keys, copy.scales.tobytes(), rows])


def _describe_source(folder: str) -> str:
    """Return the stamp of the vector file; empty if there is none, or a part is in its log."""
    path = vectors_path(folder)
    try:
        status = os.stat(path, follow_symlinks=False)
    except OSError:
        return ""
    with suppress(FileNotFoundError):
        if os.stat(f"{path}-wal", follow_symlinks=False).st_size:
            return ""
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
