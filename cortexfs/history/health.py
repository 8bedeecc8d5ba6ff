"""Check whether a repository can be read and committed to, without changing anything."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_lock_folder import list_lock_files
from cortexfs.history.read_work_tree import wrap_os_errors
from cortexfs.history.trees import open_commit_tree

if TYPE_CHECKING:
    from cortexfs.history.git import Git, GitTreeLocation

_STALE_S = 60.0
"""Seconds; an older lock file was most likely left by a killed command."""


class RepositoryProblem(NamedTuple):
    """The problem of a repository, and the command that fixes it."""

    message: str
    fix_command: str


def find_problem(history: GitTreeLocation) -> RepositoryProblem | None:
    """Return the first problem found; None if there is none.

    Checks HEAD and its tree, the index, the folders that git writes to, and the lock files.
    """
    git = history.git
    try:
        with wrap_os_errors("git could not be checked"), git.prepare() as ready:
            with open_commit_tree(ready) as head:
                head.read_folder(history.prefix.rstrip("/"))
            ready.check_output(
                "ls-files", "--stage", "--", ".git"
            )  # reads the whole index, lists nothing
            return _find_unwritable_folder(git) or _find_stale_lock(git)
    except HistoryFailed as error:
        return RepositoryProblem(str(error), error.hint or f"git -C {git.top} fsck")


def _find_unwritable_folder(git: Git) -> RepositoryProblem | None:
    folders = [
        git.git_dir,
        *(f"{git.common_dir}/{name}" for name in ("objects", "refs", "refs/heads")),
    ]
    for folder in folders:
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            return RepositoryProblem(f"`{folder}` cannot be written", f"chmod u+wx {folder}")
    return None


def _find_stale_lock(git: Git) -> RepositoryProblem | None:
    index = f"{git.git_dir}/index.lock"
    for lock in (*list_lock_files(git), *([index] if os.path.lexists(index) else [])):
        made = os.lstat(lock).st_mtime
        if time.time() - made > _STALE_S:
            since = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made))
            return RepositoryProblem(
                f"`{lock}` exists since {since}", f"if no git is running: rm {lock}"
            )
    return None
