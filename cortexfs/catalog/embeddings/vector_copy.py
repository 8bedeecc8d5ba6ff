"""A copy of the vectors in one flat file, which is read ten times as fast as the rows of SQLite.

It is used as long as the vector file is the one that it was made from, and nobody has changed it.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from array import array
from contextlib import ExitStack, contextmanager, suppress
from io import BytesIO
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
ROWS_PER_BATCH = 1024
"""Number of rows that are compared at once: 2 MB with their copy as floats, which the processor
keeps at hand; the other numbers of rows from 128 to 4096 take up to three times as long."""
MAX_COPY_BYTES = 1 << 29
"""Size above which no copy is made: it is put together in memory."""
_HEADER_BYTES = 1000
_FLOAT_BYTES = _INT_BYTES = 4
_Key = tuple[str, str, str, str]
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


_kept: dict[_Key, VectorCopy] = {}
"""The copy that was used last, by its tree, its model and two stamps; its file is closed."""


class VectorCopy(NamedTuple):
    """An open copy. The first rows are those of one passage of each text, in order."""

    file: BinaryIO
    contents: list[str]
    """The key of each text."""
    known: frozenset[str]
    """The same keys."""
    owners: array[int]
    """The number of the text of each further row."""
    scales: array[float]
    row_bytes: int
    begin: int
    """Where the rows begin in the file."""

    def compute_cosines(self, row: Vector, multiply: MultiplyRows) -> dict[str, float]:
        """Return the cosine similarity of each text to a row: that of its most similar passage."""
        cosines = array("f")
        if len(row) != self.row_bytes:
            return {}
        self.file.seek(self.begin)
        rows = bytearray(ROWS_PER_BATCH * self.row_bytes)
        for start in range(0, len(self.scales), ROWS_PER_BATCH):
            scales = self.scales[start : start + ROWS_PER_BATCH]
            if len(scales) < ROWS_PER_BATCH:
                rows = bytearray(len(scales) * self.row_bytes)
            if self.file.readinto(rows) != len(rows):  # type: ignore[attr-defined]
                return {}
            cosines.extend(multiply(rows, scales, row))
        best = cosines[: len(self.contents)]
        for owner, cosine in zip(self.owners, cosines[len(best) :], strict=True):
            if cosine > best[owner]:  # noqa: PLR1730 - `max` takes three times as long
                best[owner] = cosine
        return dict(zip(self.contents, best, strict=True))


def copy_path(folder: str) -> str:
    """Return the path of the copy in a catalog's folder."""
    return vectors_path(folder).replace(".sqlite", ".rows")


@contextmanager
def open_copy(root: str, model: str) -> Iterator[VectorCopy | None]:
    """Yield the copy of the vectors of a model; None if there is none that is current."""
    folder = os.path.join(root, LOCAL_FOLDER)
    path, source = copy_path(folder), _describe_source(folder)
    with ExitStack() as stack:
        copy = None
        if source and has_matching_checksum(path):
            with suppress(OSError, CortexError):
                file = stack.enter_context(_open_file(root))
                copy = _read_head(file, (root, model, source, _describe_file(file)))
        yield copy


@contextmanager
def _open_file(root: str) -> Iterator[BinaryIO]:
    """Open the regular file, without waiting for a pipe."""
    with open_folder(root, LOCAL_FOLDER) as at:
        file_fd = os.open(os.path.basename(copy_path("")), _READ_FLAGS, dir_fd=at)
    with open(file_fd, "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file_fd).st_mode):
            raise OSError(None, "it is not a regular file")
        yield file


def _read_head(file: BinaryIO, key: _Key) -> VectorCopy | None:
    """Return the copy in an open file; what is before the rows is kept in memory.

    Return None if the file is not what we write.
    """
    head = _kept.get(key) or _parse_head(file, {"model": key[1], "source": key[2]})
    if head and key not in _kept:
        _kept.clear()
        _kept[key] = head
    return head and head._replace(file=file)


def _parse_head(file: BinaryIO, expected: dict[str, str]) -> VectorCopy | None:
    with suppress(ValueError, TypeError, KeyError):
        head = json.loads(file.read(_HEADER_BYTES))
        texts, count, key_bytes, row_bytes = (
            int(head[key]) for key in ("texts", "rows", "keys", "row")
        )
        further = count - texts
        begin = _HEADER_BYTES + key_bytes + further * _INT_BYTES + count * _FLOAT_BYTES
        if (
            {key: head[key] for key in expected} == expected
            and (head["format"], head["order"]) == (COPY_FORMAT, sys.byteorder)
            and min(texts, further + 1, key_bytes, row_bytes) > 0
            and begin + count * row_bytes == os.fstat(file.fileno()).st_size
        ):
            contents = file.read(key_bytes).decode().split("\n")
            owners = array("i", file.read(further * _INT_BYTES))
            scales = array("f", file.read(count * _FLOAT_BYTES))
            known = frozenset(contents)
            if len(contents) == texts == len(known) and all(0 <= each < texts for each in owners):
                return VectorCopy(file, contents, known, owners, scales, row_bytes, begin)
    return None


def read_store(store: VectorStore) -> VectorCopy:
    """Return what a vector file has, in memory; nothing if its rows have several lengths."""
    numbers: dict[str, int] = {}
    first, further, owners = [], [], array("i")
    for content, row in store.list_rows():
        if content in numbers:
            owners.append(numbers[content])
            further.append(row)
        else:
            numbers[content] = len(numbers)
            first.append(row)
    rows = [*first, *further]
    row_bytes = len(rows[0]) - _FLOAT_BYTES if rows else 0
    if row_bytes <= 0 or any(len(row) != row_bytes + _FLOAT_BYTES for row in rows):
        return VectorCopy(BytesIO(), [], frozenset(), array("i"), array("f"), 0, 0)
    scales = array("f", b"".join(row[:_FLOAT_BYTES] for row in rows))
    if sys.byteorder == "big":
        scales.byteswap()
    cells = BytesIO(b"".join(row[_FLOAT_BYTES:] for row in rows))
    return VectorCopy(cells, list(numbers), frozenset(numbers), owners, scales, row_bytes, 0)


def write_copy(root: str, store: VectorStore, model: str) -> VectorCopy:
    """Copy the vectors of a store, and return them.

    No file is written while the store is being changed, and where that is not possible.
    """
    folder = os.path.join(root, LOCAL_FOLDER)
    source = _describe_source(folder) if os.access(folder, os.W_OK) else ""
    copy = read_store(store)
    if source and copy.contents and len(copy.scales) * copy.row_bytes <= MAX_COPY_BYTES:
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
        "texts": len(copy.contents),
        "rows": len(copy.scales),
        "keys": len(keys),
        "row": copy.row_bytes,
    }
    header = json.dumps(head).encode().ljust(_HEADER_BYTES)
    rows = copy.file.read()
    copy.file.seek(0)
    return b"".join([header, keys, copy.owners.tobytes(), copy.scales.tobytes(), rows])


def _describe_source(folder: str) -> str:
    """Return the stamp of the vector file; empty if there is none, or a part is in its log."""
    path = vectors_path(folder)
    with suppress(FileNotFoundError):
        if os.stat(f"{path}-wal", follow_symlinks=False).st_size:
            return ""
    try:
        return _format_stamp(os.stat(path, follow_symlinks=False))
    except OSError:
        return ""


def _describe_file(file: BinaryIO) -> str:
    return _format_stamp(os.fstat(file.fileno()))


def _format_stamp(status: os.stat_result) -> str:
    return f"{status.st_ino} {status.st_size} {status.st_mtime_ns} {status.st_ctime_ns}"
