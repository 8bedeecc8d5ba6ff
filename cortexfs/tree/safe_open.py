"""Open files below a root, and only there: every step is opened without following links."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import ExitStack, contextmanager, suppress
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import LOCAL_FOLDER
from cortexfs.errors import OutsideTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def split_path(path: str) -> list[str]:
    """Split a path below the root into steps; raises `OutsideTree` if it could leave the root."""
    steps = path.split("/")
    if "\0" in path or "\\" in path or any(step in {"", ".", ".."} for step in steps):
        raise OutsideTree(f"{path!a} is not a path inside the tree")
    return steps


@contextmanager
def open_folder(root: str, path: str, *, create: bool = False) -> Iterator[int]:
    """Open a folder below the root (empty: the root) and yield its descriptor.

    Raises `OutsideTree` if a step is a symlink, `FileNotFoundError` if one is missing and not
    created, and `NotADirectoryError` if one is not a folder.
    """
    at = os.open(root, _FOLDER_FLAGS & ~os.O_NOFOLLOW)
    try:
        steps = split_path(path) if path else []
        for number, step in enumerate(steps):
            if create:
                _make_folder(step, at)
            inner = _open_step(root, steps[: number + 1], at, path)
            os.close(at)
            at = inner
        yield at
    finally:
        os.close(at)


@contextmanager
def keep_folder_open(root: str) -> Iterator[Callable[[str], tuple[int, str]]]:
    """Yield a function that returns the opened folder of a file, and its name.

    The last folder stays open: for many files in the order of their paths. It raises as
    `open_folder`.
    """
    with ExitStack() as opened:
        last, at = None, -1

        def open_above(path: str) -> tuple[int, str]:
            nonlocal last, at
            above, _, name = path.rpartition("/")
            split_path(name)
            if above != last:
                last = None  # also where the next folder cannot be opened
                opened.close()
                at = opened.enter_context(open_folder(root, above))
                last = above
            return at, name

        yield open_above


def create_folders(path: str, mode: int) -> None:
    """Create a folder and its missing parents, each with this mode."""
    if os.path.isdir(path):
        return
    if (above := os.path.dirname(path)) != path:
        create_folders(above, mode)
    try:
        os.mkdir(path, mode)
    except FileExistsError:
        if not os.path.isdir(path):
            raise


@contextmanager
def open_private_folder(root: str, *inner: str) -> Iterator[int]:
    """Open `.cortexfs` or a folder in it and yield the descriptor; others get no access."""
    at = os.open(root, _FOLDER_FLAGS & ~os.O_NOFOLLOW)
    try:
        for number, step in enumerate((LOCAL_FOLDER, *inner)):
            with suppress(FileExistsError):
                os.mkdir(step, 0o700, dir_fd=at)
            try:
                deeper = os.open(step, _FOLDER_FLAGS, dir_fd=at)
            except NotADirectoryError:
                raise _make_taken_error(root, (LOCAL_FOLDER, *inner)[: number + 1]) from None
            os.close(at)
            at = deeper
            _make_private(at)
            if step == LOCAL_FOLDER:
                _write_gitignore(at)
        yield at
    finally:
        os.close(at)


def _make_private(at: int) -> None:
    """Take a folder's access from others: a clone creates it with 0755."""
    if (mode := os.fstat(at).st_mode) & 0o077:
        with suppress(OSError):  # not ours, or a read-only file system
            os.fchmod(at, mode & 0o700)


def _write_gitignore(at: int) -> None:
    """Write a `.gitignore` into the private folder, so that git ignores it."""
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        file = os.open(".gitignore", flags, 0o600, dir_fd=at)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:  # a link, pipe or folder
            return
        raise
    try:
        status = os.fstat(file)
        if stat.S_ISREG(status.st_mode) and not status.st_size:
            os.write(file, b"*\n")
    finally:
        os.close(file)


def _make_taken_error(root: str, steps: Sequence[str]) -> OutsideTree:
    """Return the error for a link or file with the name of a private folder."""
    import shlex  # noqa: PLC0415 - only an error needs it

    path = os.path.join(root, *steps)
    what = "a symlink, which is not followed" if os.path.islink(path) else "not a folder"
    untrack = f"git -C {shlex.quote(root)} rm -r --cached {'/'.join(steps)}"
    return OutsideTree(
        f"{path} is {what}",
        hint=f"`rm {shlex.quote(path)}`; if git tracks it, first `{untrack}`",
    )


def _make_folder(step: str, at: int) -> None:
    """Create a folder with the mode of its parent, durably."""
    try:
        os.mkdir(step, os.fstat(at).st_mode & 0o777, dir_fd=at)
    except FileExistsError:
        return
    os.fsync(at)


def _open_step(root: str, steps: Sequence[str], at: int, path: str) -> int:
    """Open the last of these steps of a path; `at` is its parent folder."""
    step = steps[-1]
    try:
        return os.open(step, _FOLDER_FLAGS, dir_fd=at)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(step, dir_fd=at, follow_symlinks=False).st_mode):
            if steps[0] == LOCAL_FOLDER:
                raise _make_taken_error(root, steps) from None
            raise OutsideTree(
                f"`{path}` leads through the symlink `{step}`",
                hint="symlinks in the tree are not followed",
            ) from None
        raise
