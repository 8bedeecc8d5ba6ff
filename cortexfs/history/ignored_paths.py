"""Ask git which files the user's ignore files exclude."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.errors import HistoryFailed
from cortexfs.history.git import git_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.history.git import Git

_IGNORE_FILE = ".gitignore"
_MAX_IGNORE_BYTES = 1 << 20
"""Maximum bytes of an ignore file: git reads it whole."""
_PATH_PREFIX = b"./"
"""Keeps git from reading a name that begins with `:` as a pathspec with magic."""


def find_ignored_paths(
    git: Git, paths: Sequence[str], *, even_tracked: bool = True
) -> frozenset[str]:
    """Return the paths that an ignore file excludes; without `even_tracked`, untracked ones only.

    If an ignore file is a pipe, nothing is ignored, because git would wait for it. Raises
    `HistoryFailed` if one is too large.
    """
    files = list(_list_ignore_files(git, paths))
    if not paths or any(map(_is_pipe, files)):
        return frozenset()
    _refuse_large(filter(_is_large, files))
    feed = b"".join(b"%s%s\0" % (_PATH_PREFIX, os.fsencode(path)) for path in paths)
    options = ("--no-index",) if even_tracked else ()
    words = ("check-ignore", *options, "-z", "--stdin")
    ran = git.run_unchecked(*words, feed=feed, env={"GIT_LITERAL_PATHSPECS": "0"})
    if ran.exit_code not in {0, 1}:  # 1: none of them
        raise git_error("check-ignore", ran.stderr)
    ignored = (os.fsdecode(path[len(_PATH_PREFIX) :]) for path in ran.stdout.split(b"\0") if path)
    return frozenset(ignored)


def refuse_bad_ignore_files(git: Git, below: str) -> None:
    """Raise `HistoryFailed` if git, listing the files below a path, could not read its patterns.

    It would wait for a pipe, and read a large file whole.
    """
    parents = _list_ignore_files(git, [f"{below}/"] if below else [])
    files = [*parents, *_iter_ignore_files(f"{git.top}/{below}")]
    _refuse_large(filter(_is_large, files))
    if found := next(filter(_is_pipe, files), None):
        raise HistoryFailed(
            f"`{found}` is a named pipe, not a regular file",
            hint="remove it: git would wait for it",
        )


def has_bad_ignore_file(git: Git, paths: Sequence[str]) -> bool:
    """Return whether an ignore file that git would read for some paths is a pipe, or too large."""
    return any(_is_pipe(path) or _is_large(path) for path in _list_ignore_files(git, paths))


def _refuse_large(large: Iterator[str]) -> None:
    if found := next(large, None):
        raise HistoryFailed(
            f"`{found}` is larger than {_MAX_IGNORE_BYTES} bytes", hint="remove what is not needed"
        )


def _iter_ignore_files(folder: str) -> Iterator[str]:
    """Yield the ignore files in a folder and below it, outside of `.git`."""
    for above, folders, names in os.walk(folder):
        if ".git" in folders:
            folders.remove(".git")
        if _IGNORE_FILE in names:
            yield os.path.join(above, _IGNORE_FILE)


def _list_ignore_files(git: Git, paths: Sequence[str]) -> Iterator[str]:
    """Yield the ignore files that git would read for some paths, existing or not."""
    yield f"{git.common_dir}/info/exclude"
    folders = {path[: at + 1] for path in paths for at, step in enumerate(path) if step == "/"}
    yield from (f"{git.top}/{folder}{_IGNORE_FILE}" for folder in ("", *folders))


def _is_large(path: str) -> bool:
    with suppress(OSError):
        status = os.stat(path)
        return stat.S_ISREG(status.st_mode) and status.st_size > _MAX_IGNORE_BYTES
    return False


def _is_pipe(path: str) -> bool:
    with suppress(OSError):
        return stat.S_ISFIFO(os.stat(path).st_mode)
    return False
