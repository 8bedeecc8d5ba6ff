"""The installed model as it is loaded fastest: optimized, in the user's cache folder.

It is made at the first use. No tree can bring one: a model is a program to ONNX Runtime.
"""

from __future__ import annotations

import json
import os
import stat
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from cortexfs.catalog.derived_file_seal import has_matching_checksum, save_checksum
from cortexfs.catalog.embeddings.onnx_library import ModelOptions, OnnxError, map_file
from cortexfs.tree.safe_open import create_folders

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.catalog.embeddings.model_types import InstalledFiles
    from cortexfs.catalog.embeddings.onnx_library import OnnxLibrary, OnnxModel

FORMAT = 1
"""Part of the name of a prepared model: others are not found, and are deleted."""
MODEL_FILE, WORDS_FILE = "model.ort", "words"
KEPT_MODELS = 3
"""Number of models that are kept: each version of Python and of the packages has its own."""
MAX_DRAFT_AGE_S = 600
"""Seconds after which a draft was left by a kill."""
_DRAFT_END = ".draft"
EXTENDED_OPTIMIZATION = 2
"""The level whose result is the same on each processor."""
_LOAD = {
    "session.load_model_format": "ORT",
    "session.use_ort_model_bytes_directly": "1",
    "session.use_ort_model_bytes_for_initializers": "1",
    "session.intra_op.allow_spinning": "0",
}
_ONCE = {"session.disable_prepacking": "1"}
"""Settings for one text: the numbers are used as they are in the file."""


class PreparedModel(NamedTuple):
    """A folder in the cache of the user, with the optimized model and its word pieces."""

    folder: str

    def load(self, library: OnnxLibrary, *, many: bool) -> OnnxModel:
        """Load the model; for `many` texts it takes longer, and each text less."""
        with _open_file(os.path.join(self.folder, MODEL_FILE)) as file_fd:
            content = map_file(file_fd)
        return library.load_model(content, ModelOptions(settings=_LOAD | ({} if many else _ONCE)))

    def read_words(self) -> list[str]:
        """Return the word pieces in order, each with a tab and its number."""
        with _open_file(os.path.join(self.folder, WORDS_FILE)) as file_fd:
            return os.read(file_fd, os.fstat(file_fd).st_size).decode().split("\n")


def cache_folder_path() -> str:
    """Return the folder with prepared models."""
    above = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(above, "cortexfs", "models")


def prepare_model(files: InstalledFiles, library: OnnxLibrary) -> PreparedModel:
    """Return the prepared model, made at the first call.

    Raises `OSError` if the cache cannot be written, and `OnnxError` if the library refuses it.
    """
    folder = os.path.join(cache_folder_path(), _compute_key(files))
    if not (is_private(folder) and has_matching_checksum(folder)):
        create_folders(os.path.dirname(folder), 0o700)
        if not is_private(os.path.dirname(folder)):
            raise PermissionError(1, "it belongs to another user", os.path.dirname(folder))
        _remove_old(os.path.dirname(folder))
        _remove_folder(folder)
        _make(files, library, folder)
    return PreparedModel(folder)


def _compute_key(files: InstalledFiles) -> str:
    """Return a name that changes with each installed file."""
    stamps = "\n".join(map(_describe_file, files))
    return f"v{FORMAT}-{crc32(os.fsencode(stamps)):08x}"


def _describe_file(path: str) -> str:
    status = os.stat(path)
    return f"{path} {status.st_size} {status.st_mtime_ns}"


def _make(files: InstalledFiles, library: OnnxLibrary, folder: str) -> None:
    """Make the folder beside its place, and put it there in one step."""
    draft = f"{folder}.{os.getpid()}{_DRAFT_END}"
    os.mkdir(draft, 0o700)
    try:
        _write_words(files.tokenizer, os.path.join(draft, WORDS_FILE))
        _write_optimized(files.model, library, os.path.join(draft, MODEL_FILE))
        with suppress(OSError):  # another process was faster
            os.rename(draft, folder)
            save_checksum(folder)
    finally:
        _remove_folder(draft)


def _write_optimized(model: str, library: OnnxLibrary, path: str) -> None:
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    settings = {"session.save_model_format": "ORT"}
    with open(model, "rb") as file:
        content = map_file(file.fileno())
    library.load_model(content, ModelOptions(EXTENDED_OPTIMIZATION, settings, path)).close()
    with open(path, "rb") as file:
        os.fsync(file.fileno())


def _write_words(tokenizer: str, path: str) -> None:
    with open(tokenizer, encoding="utf-8") as file:
        numbers = json.load(file)["model"]["vocab"]
    lines = sorted(f"{word}\t{number}" for word, number in numbers.items())
    with open(path, "x", encoding="utf-8", opener=_open_private) as file:
        file.write("\n".join(lines))
        file.flush()
        os.fsync(file.fileno())


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _remove_old(folder: str) -> None:
    """Remove what a kill left, and models of other versions but the newest."""
    status_by_name = {
        name: os.stat(os.path.join(folder, name), follow_symlinks=False)
        for name in os.listdir(folder)
        if name.startswith("v")
    }
    names = sorted(status_by_name, key=lambda name: -status_by_name[name].st_mtime)
    drafts = [name for name in names if name.endswith(_DRAFT_END)]
    latest = time.time() - MAX_DRAFT_AGE_S
    unwanted = [name for name in drafts if status_by_name[name].st_mtime < latest]
    models = [name for name in names if name not in drafts and not name.endswith(".seal")]
    for name in (*unwanted, *models[KEPT_MODELS - 1 :]):
        path = os.path.join(folder, name)
        if stat.S_ISDIR(status_by_name[name].st_mode):
            _remove_folder(path)
        for file_path in (path, f"{path}.seal"):
            with suppress(OSError):
                os.unlink(file_path)


def _remove_folder(path: str) -> None:
    """Remove a folder, or a link in its place, through which the model would be read."""
    import shutil  # noqa: PLC0415 - it is imported once, to make a model

    if os.path.islink(path):
        with suppress(OSError):
            os.unlink(path)
        return
    shutil.rmtree(path, ignore_errors=True)


def is_private(folder: str) -> bool:
    """Return whether a folder is one that only this user can write."""
    try:
        status = os.stat(folder, follow_symlinks=False)
    except OSError:
        return False
    return (
        stat.S_ISDIR(status.st_mode)
        and status.st_uid == os.geteuid()
        and not status.st_mode & 0o022
    )


@contextmanager
def _open_file(path: str) -> Iterator[int]:
    """Open a regular file of this user; raise `OnnxError` for another."""
    file_fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(file_fd)
        if not stat.S_ISREG(status.st_mode) or status.st_uid != os.geteuid() or not status.st_size:
            raise OnnxError(f"{path} is not a file of this user")
        yield file_fd
    finally:
        os.close(file_fd)
