"""Check whether a repository can be read and committed to, without changing anything."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.git_lock import lock_files
from cortexfs.history.trees import trees_of
from cortexfs.history.work_tree import refusing

if TYPE_CHECKING:
    from cortexfs.history.git import Git, TreeInGit

_STALE_S = 60.0
"""A lock file older than this was most likely left by a command that was killed."""


class Problem(NamedTuple):
    """What is wrong with a repository, and the command that helps."""

    found: str
    command: str


def find_problem(history: TreeInGit) -> Problem | None:
    """Check HEAD and its tree, the index, the folders that git writes to, and the lock files.

    Gives the first thing that is wrong.
    """
    git = history.git
    try:
        with refusing("git could not be checked"), git.prepared() as ready:
            with trees_of(ready) as head:
                head.folder(history.prefix.rstrip("/"))
            ready.ask("ls-files", "--stage", "--", ".git")  # reads the whole index, lists nothing
            return _unwritable(git) or _stale_lock(git)
    except HistoryFailed as error:
        return Problem(str(error), error.hint or f"git -C {git.top} fsck")


def _unwritable(git: Git) -> Problem | None:
    folders = [git.git_dir, *(f"{git.common}/{name}" for name in ("objects", "refs", "refs/heads"))]
    for folder in folders:
        if os.path.isdir(folder) and not os.access(folder, os.W_OK | os.X_OK):
            return Problem(f"`{folder}` cannot be written", f"chmod u+wx {folder}")
    return None


def _stale_lock(git: Git) -> Problem | None:
    index = f"{git.git_dir}/index.lock"
    for lock in (*lock_files(git), *([index] if os.path.lexists(index) else [])):
        made = os.lstat(lock).st_mtime
        if time.time() - made > _STALE_S:
            since = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made))
            return Problem(f"`{lock}` exists since {since}", f"if no git is running: rm {lock}")
    return None
