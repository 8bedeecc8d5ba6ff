"""The texts of a tree that are not atoms: governance files, contents lists, indexes, settings."""

from __future__ import annotations

import os
import stat
import time
from _blake2 import blake2b  # `hashlib` would load OpenSSL at each start
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.tree_paths import (
    BULLETIN_MD,
    CORTEX_MD,
    INDEX_MD,
    LOG_FOLDER,
    USER_FOLDER,
    is_atom_name,
)
from cortexfs.core.changes.compare_stamps import FileStamp
from cortexfs.errors import OutsideTree
from cortexfs.tree import atomic_files
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.atoms.kinds import Kinds

TEXT_SUFFIXES = (".md", ".yaml", ".yml", ".txt", ".json", ".toml")
MAX_TEXT_BYTES = 4 * 1024 * 1024
"""Maximum size of a page in bytes; an index of ten thousand atoms is smaller."""
MAX_SEARCHED_BYTES = 1024 * 1024
"""Maximum size in bytes of a page that `find` searches."""
MAX_FOLDER_DEPTH = 8
_KIND_STEPS = 3
"""Number of parts of `projects/<project>/<folder>`."""

MAX_KNOWN_FILES = 10_000
"""Maximum number of folders, and of texts, that are known."""
_Known = TypeVar("_Known")
_FileKey = tuple[int, int]
"""Device and inode."""
_Listed = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of texts, and of folders."""
_atom_folders: dict[_FileKey, tuple[FileStamp, _Listed]] = {}
"""What folders of atoms have besides atoms, as of a stamp of the folder.

A name that comes or goes changes the stamp; one so young that a second change could share it is
not trusted.
"""
_text_digests: dict[_FileKey, tuple[FileStamp, bytes]] = {}
"""The digests of texts, as of their stamps."""


class Page(NamedTuple):
    """A text that is not an atom; None is one that is over `MAX_TEXT_BYTES`."""

    path: str
    text: str | None


def list_text_paths(root: str, kinds: Kinds) -> list[str]:
    """Return the path of every text that is not an atom, without logs and hidden folders."""
    return list(_iter_paths(root, "", kinds))


def read_pages(root: str, paths: Iterable[str]) -> Iterator[Page]:
    """Read texts, one after another; those that are gone, or no regular files, are left out."""
    return filter(None, (_read_page(root, path) for path in paths))


def _read_page(root: str, path: str) -> Page | None:
    """Read a text; return None if it is gone, or not a regular file."""
    above, _, name = path.rpartition("/")
    with suppress(OSError, OutsideTree), open_folder(root, above) as at:
        status = os.stat(name, dir_fd=at, follow_symlinks=False)
        if stat.S_ISREG(status.st_mode):
            if status.st_size > MAX_TEXT_BYTES:
                return Page(path, None)
            return Page(path, atomic_files.read_file_bytes(at, name).decode(errors="replace"))
    return None


def list_page_paths(root: str, kinds: Kinds) -> list[str]:
    """Return the paths of Markdown files that are not atoms, without hidden folders."""
    return [path for path in list_text_paths(root, kinds) if path.endswith(".md")]


def iter_text_digests(root: str, kinds: Kinds) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the digest of every text that is not an atom."""
    for path in _iter_paths(root, "", kinds):
        above, _, name = path.rpartition("/")
        with suppress(OSError, OutsideTree), open_folder(root, above) as at:
            yield path, _digest_text(at, name)


def _digest_text(at: int, name: str) -> bytes:
    """Return the digest of a file; one that is as before is not read, nor what is no small file."""
    now_ns = time.time_ns()
    status = os.stat(name, dir_fd=at, follow_symlinks=False)
    key, stamp = (status.st_dev, status.st_ino), _make_stamp(status)
    known = _text_digests.get(key)
    if known and known[0] == stamp:
        return known[1]
    is_small = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_TEXT_BYTES
    content = atomic_files.read_file_bytes(at, name) if is_small else repr(stamp).encode()
    digest = blake2b(content, digest_size=16).digest()
    _keep(_text_digests, key, (stamp.without_unsettled_times(now_ns), digest))
    return digest


def _keep(known: dict[_FileKey, _Known], key: _FileKey, value: _Known) -> None:
    """Keep a value for a file; if there are too many, the oldest one is forgotten."""
    known.pop(key, None)
    while len(known) >= MAX_KNOWN_FILES:
        known.pop(next(iter(known)), None)
    known[key] = value


def _iter_paths(root: str, folder: str, kinds: Kinds) -> Iterator[str]:
    prefix = f"{folder}/" if folder else ""
    texts, inner = tuple[str, ...](), tuple[str, ...]()
    with suppress(OSError, OutsideTree), open_folder(root, folder) as at:
        is_large = _is_atom_folder(folder, kinds)
        texts, inner = _list_atom_folder(at) if is_large else _list_folder(at, has_atoms=False)
    for name in texts:
        if f"{prefix}{name}" != BULLETIN_MD:
            yield f"{prefix}{name}"
    for name in inner if prefix.count("/") < MAX_FOLDER_DEPTH else ():
        yield from _iter_paths(root, f"{prefix}{name}", kinds)


def _list_atom_folder(at: int) -> _Listed:
    """Return the texts and folders in a folder of atoms; one that is as before is not listed."""
    now_ns = time.time_ns()
    status = os.fstat(at)
    key, stamp = (status.st_dev, status.st_ino), _make_stamp(status)
    known = _atom_folders.get(key)
    if known and known[0] == stamp:
        return known[1]
    listed = _list_folder(at, has_atoms=True)
    _keep(_atom_folders, key, (stamp.without_unsettled_times(now_ns), listed))
    return listed


def _list_folder(at: int, *, has_atoms: bool) -> _Listed:
    """Return the sorted names of texts and of folders in an open folder, without atoms."""
    texts, inner = list[str](), list[str]()
    with os.scandir(at) as entries:
        for entry in entries:
            name = entry.name
            if has_atoms and is_atom_name(name) and not entry.is_dir():
                continue
            if entry.is_dir(follow_symlinks=False):
                if not name.startswith(".") and name != LOG_FOLDER:
                    inner.append(name)
            elif name.endswith(TEXT_SUFFIXES):
                texts.append(name)
    return tuple(sorted(texts)), tuple(sorted(inner))


def _make_stamp(status: os.stat_result) -> FileStamp:
    return FileStamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)


def stamp_pages(root: str, kinds: Kinds) -> dict[str, FileStamp]:
    """Return the stamps of Markdown files that are not atoms, up to `MAX_SEARCHED_BYTES`.

    In folders of atoms only the CORTEX.md is included, because listing them takes long in a large
    tree.
    """
    return dict(_iter_stamps(root, "", kinds))


def _iter_stamps(root: str, folder: str, kinds: Kinds) -> Iterator[tuple[str, FileStamp]]:
    prefix = f"{folder}/" if folder else ""
    inner = []
    with suppress(OSError, OutsideTree), open_folder(root, folder) as at:
        if _is_atom_folder(folder, kinds):
            yield from _stamp_page(at, CORTEX_MD, prefix)
            return
        with os.scandir(at) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name[0] in "._":
                    continue
                if entry.is_dir(follow_symlinks=False):
                    inner.append(f"{prefix}{entry.name}")
                elif (
                    entry.name.endswith(".md")
                    and entry.name != INDEX_MD
                    and f"{prefix}{entry.name}" != BULLETIN_MD
                ):
                    yield from _stamp_page(at, entry.name, prefix)
    for path in inner if prefix.count("/") < MAX_FOLDER_DEPTH else ():
        yield from _iter_stamps(root, path, kinds)


def _stamp_page(at: int, name: str, prefix: str) -> Iterator[tuple[str, FileStamp]]:
    with suppress(OSError):
        found = os.stat(name, dir_fd=at, follow_symlinks=False)
        if stat.S_ISREG(found.st_mode) and found.st_size <= MAX_SEARCHED_BYTES:
            yield f"{prefix}{name}", _make_stamp(found)


def _is_atom_folder(path: str, kinds: Kinds) -> bool:
    """Return whether a folder is for atoms of a kind."""
    steps = path.split("/")
    if len(steps) == 1:
        return kinds.find_by_folder(steps[0], scope="root") is not None
    if len(steps) == 2 and steps[0] == USER_FOLDER:  # noqa: PLR2004 - `user/observations`
        return kinds.find_by_folder(steps[1], scope="user") is not None
    is_kind = len(steps) == _KIND_STEPS and steps[0] == "projects"
    return is_kind and kinds.find_by_folder(steps[2]) is not None
