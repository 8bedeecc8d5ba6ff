"""Check a git directory before git reads or writes in it: file types, and HEAD.

An untrusted repository may contain a pipe on which git would block forever, or a symlink through
which it would write elsewhere. Git itself checks neither.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from cortexfs.errors import HistoryFailed
from cortexfs.history.ref_name import is_object_id, is_ref_name

if TYPE_CHECKING:
    from collections.abc import Iterator

_POINTER = "commondir"
"""The file of a worktree that names the shared directory; git follows one anywhere."""
_FOLDERS = ("cortexfs", "logs", "logs/refs")
_SHARED_FOLDERS = ("objects", "objects/info", "objects/pack", "refs", "logs", "logs/refs", "info")
_FILES = ("HEAD", _POINTER, "index", "logs/HEAD", "info/sparse-checkout")
_SHARED_FILES = ("config", "packed-refs", "shallow")

_MAX_SYMBOLIC_REFS = 5
"""Maximum number of symbolic refs in a chain, as in git."""

_MAX_REF_BYTES = 8192
_FAN_OUT_DIGITS = 2

_FILE_TYPE_NAMES = {
    stat.S_IFLNK: "a symlink",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
    stat.S_IFREG: "a regular file",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_regular(path: str, limit: int) -> bytes | None:
    """Return at most `limit` bytes of a regular file; None if there is no regular file.

    A symlink is not followed, and a pipe does not block. Raises `OSError` if reading fails.
    """
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    if read_file_type(path) != stat.S_IFREG:
        return None
    with open(os.open(path, flags), "rb") as file:
        return file.read(limit) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else None


def read_file_type(path: str) -> int:
    """Return the file type bits of a path, without following a final symlink; 0 if missing."""
    try:
        return stat.S_IFMT(os.lstat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def check_git_dir(git_dir: str, common: str) -> None:
    """Raise `HistoryFailed` if git could block, or write outside the directory."""
    if read_file_type(f"{common}/{_POINTER}"):
        raise HistoryFailed(
            f"`{common}/{_POINTER}` leads into another repository",
            hint="remove it, or clone the repository again",
        )
    for name in _FOLDERS:
        _require_type(f"{git_dir}/{name}", stat.S_IFDIR)
    for name in _SHARED_FOLDERS:
        _require_type(f"{common}/{name}", stat.S_IFDIR)
    for name in _FILES:
        _require_type(f"{git_dir}/{name}", stat.S_IFREG)
    for name in _SHARED_FILES:
        _require_type(f"{common}/{name}", stat.S_IFREG)
    _check_objects(f"{common}/objects")
    for ref in follow_symbolic_refs(git_dir, common):
        for folder in {git_dir, common}:
            check_ref_files(folder, ref)


def find_current_ref(git_dir: str, common: str) -> str:
    """Return the ref that a commit moves: HEAD's branch; `HEAD` itself if it is detached."""
    return ["HEAD", *follow_symbolic_refs(git_dir, common)][-1]


def follow_symbolic_refs(git_dir: str, common: str) -> Iterator[str]:
    """Yield the refs that HEAD leads to, one through the other; usually one.

    Raises `HistoryFailed` if one is neither an object id nor a well-formed ref.
    """
    path, seen = f"{git_dir}/HEAD", 0
    while (content := read_regular(path, _MAX_REF_BYTES)) is not None:
        text = os.fsdecode(content).rstrip()
        if is_object_id(text):
            return
        ref = text.removeprefix("ref:").strip()
        if not text.startswith("ref:") or not is_ref_name(ref) or seen == _MAX_SYMBOLIC_REFS:
            raise HistoryFailed(
                f"`{path}` does not name a branch",
                hint="`git symbolic-ref HEAD refs/heads/main` sets it",
            )
        yield ref
        path, seen = f"{common}/{ref}", seen + 1


def _check_objects(path: str) -> None:
    with os.scandir(path) as entries:
        for entry in entries:
            if len(entry.name) == _FAN_OUT_DIGITS and not entry.is_dir(follow_symlinks=False):
                _require_type(entry.path, stat.S_IFDIR)
    for folder in ("info", "info/commit-graphs", "pack"):
        if read_file_type(f"{path}/{folder}") == stat.S_IFDIR:
            _require_regular_files(f"{path}/{folder}")


def _require_regular_files(folder: str) -> None:
    with os.scandir(folder) as entries:
        for entry in entries:
            if not entry.is_file(follow_symlinks=False) and entry.name != "commit-graphs":
                _require_type(entry.path, stat.S_IFREG)


def check_ref_files(git_dir: str, ref: str) -> None:
    """Check each folder above a ref and its log, and these two files.

    Raises `HistoryFailed` like `check_git_dir`.
    """
    *folders, name = ref.split("/")
    for above in (git_dir, f"{git_dir}/logs"):
        path = above
        for folder in folders:
            path = f"{path}/{folder}"
            _require_type(path, stat.S_IFDIR)
        if read_file_type(f"{path}/{name}") != stat.S_IFDIR:  # git replaces an empty folder
            _require_type(f"{path}/{name}", stat.S_IFREG)


def _require_type(path: str, kind: int) -> None:
    """Raise `HistoryFailed` if a path exists and has another file type."""
    found = read_file_type(path)
    if found not in {0, kind}:
        name = _FILE_TYPE_NAMES.get(found, "of an unknown type")
        raise HistoryFailed(
            f"`{path}` is {name}, not {_FILE_TYPE_NAMES[kind]}",
            hint="remove it, or clone the repository again",
        )
