"""Find the repository around a tree, or create one."""
# ruff: noqa: PLC0415 - where there is no repository, none of them is needed

from __future__ import annotations

import os

from cortexfs.errors import HistoryFailed
from cortexfs.history.repository import History


def find_repository(root: str, *, allow_enclosing: bool = False) -> History | None:
    """Return the repository that encloses a root; None without one, or without git.

    Only `.git` counts: a folder that merely looks like a bare repository does not. In a repository
    that begins above the root's parent nothing is committed unless `allow_enclosing`.
    """
    from cortexfs.history.git import Git
    from cortexfs.history.git_environment import find_git
    from cortexfs.history.location import is_foreign, locate_repository

    root = os.path.realpath(root)
    found = locate_repository(root)
    git = find_git() if found.git_dir else None
    if not git:
        return None
    below = os.path.relpath(root, found.top)
    foreign = is_foreign(found.top, found.git_dir)
    return History(
        root=root,
        prefix="" if below == os.curdir else f"{below}/",
        git=Git(git, found.git_dir, found.common_dir, found.top, foreign),
        allow_enclosing=allow_enclosing,
    )


def explain_unusable_repository(root: str) -> str:
    """Return why the `.git` around a root is not used; empty if none exists, or it is used."""
    from cortexfs.history.location import locate_repository

    return locate_repository(os.path.realpath(root)).problem


def init_repository(root: str) -> History:
    """Create a repository at the root, if there is none; nothing is committed.

    Raises `HistoryFailed` without git, and if the folder cannot be written.
    """
    from cortexfs.history.git_environment import find_git
    from cortexfs.history.location import make_repository
    from cortexfs.history.read_work_tree import wrap_os_errors

    git = find_git()
    if not git:
        raise HistoryFailed("git is not installed", hint="without git everything but history works")
    with wrap_os_errors("no repository was created"):
        make_repository(git, root)
    made = find_repository(root)
    if not made or made.prefix:
        raise HistoryFailed(
            f"`{root}/.git` is not a repository", hint="move it away, then try again"
        )
    return made
