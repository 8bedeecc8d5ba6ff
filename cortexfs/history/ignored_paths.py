"""Ask git which files the user's ignore files exclude."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import TYPE_CHECKING

from cortexfs.history.git import git_error

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.history.git import Git

_PATH_PREFIX = b"./"
"""Prefix that keeps a name beginning with `:` from being read as a pathspec with magic."""


def find_ignored_paths(git: Git, paths: Sequence[str]) -> frozenset[str]:
    """Return the paths that are ignored.

    If an ignore file is not a regular file, nothing is ignored: git would block on a pipe.
    """
    if not paths or any(map(_is_pipe, _list_ignore_files(git, paths))):
        return frozenset()
    feed = b"".join(b"%s%s\0" % (_PATH_PREFIX, os.fsencode(path)) for path in paths)
    words = ("check-ignore", "--no-index", "-z", "--stdin")
    ran = git.run(*words, feed=feed, env={"GIT_LITERAL_PATHSPECS": "0"})
    if ran.exit_code not in {0, 1}:  # 1: none of them
        raise git_error("check-ignore", ran.stderr)
    return frozenset(
        os.fsdecode(path[len(_PATH_PREFIX) :]) for path in ran.stdout.split(b"\0") if path
    )


def _list_ignore_files(git: Git, paths: Sequence[str]) -> Iterator[str]:
    """Yield the ignore files in the repository that git would read."""
    yield f"{git.common_dir}/info/exclude"
    folders = {path[: at + 1] for path in paths for at, step in enumerate(path) if step == "/"}
    yield from (f"{git.top}/{folder}.gitignore" for folder in ("", *folders))


def _is_pipe(path: str) -> bool:
    with suppress(OSError):
        return stat.S_ISFIFO(os.stat(path).st_mode)
    return False
