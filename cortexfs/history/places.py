"""Where a repository is: the way up to `.git`, what it leads to, and making one in place."""
# ruff: noqa: PLC0415 - only `make` needs them

from __future__ import annotations

import os

from cortexfs.history.git import initialise

_DRAFT = ".git.cortexfs"
"""Where a repository is made before it is moved to its place; `.git` is whole or not there."""


def enclosing(root: str) -> tuple[str, str]:
    """Walk up to the first `.git`; give its folder and where it leads, if it leads anywhere."""
    at = root
    while True:
        inner = f"{at.rstrip('/')}/.git"
        if os.path.isfile(inner):
            return at, _followed(inner)
        if _is_repository(inner):
            return at, inner
        above = os.path.dirname(at)
        if above == at or os.path.basename(at) == ".git":
            return at, ""
        at = above


def _followed(file: str) -> str:
    """Follow the `.git` file of a worktree or submodule; empty where it leads nowhere."""
    with open(file, "rb") as opened:
        word, _, path = os.fsdecode(opened.read(8192)).partition(": ")
    found = os.path.realpath(os.path.join(os.path.dirname(file), path.rstrip("\r\n")))
    return found if word == "gitdir" and _is_repository(found) else ""


def _is_repository(path: str) -> bool:
    shared = common(path)
    folders = all(os.path.isdir(f"{shared}/{name}") for name in ("objects", "refs"))
    return folders and os.path.lexists(f"{path}/HEAD")


def common(git_dir: str) -> str:
    """Find what a linked worktree shares with its repository: objects, branches, settings."""
    try:
        with open(f"{git_dir}/commondir", "rb") as opened:
            shared = os.fsdecode(opened.read(8192)).rstrip("\r\n")
    except (FileNotFoundError, NotADirectoryError):
        return git_dir
    return os.path.normpath(os.path.join(git_dir, shared))


def is_foreign(top: str, git_dir: str) -> bool:
    """Tell whether anybody but us owns the repository."""
    us = os.geteuid()
    return any(os.lstat(path).st_uid != us for path in (top, f"{top}/.git", git_dir))


def make(git: str, root: str) -> None:
    """Make a repository at the root, whole or not at all; leave one that is there."""
    import fcntl

    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not os.path.lexists(f"{root}/.git"):
            _make(git, root)
        os.fsync(folder)
    finally:
        os.close(folder)


def _make(git: str, root: str) -> None:
    import shutil

    draft = f"{root}/{_DRAFT}"
    if os.path.lexists(draft):  # of one that was killed
        shutil.rmtree(draft)
    os.mkdir(draft)
    initialise(git, draft)
    for folder, _, names in os.walk(f"{draft}/.git"):
        for path in (*(f"{folder}/{name}" for name in names), folder):
            fsync(path)
    os.rename(f"{draft}/.git", f"{root}/.git")
    os.rmdir(draft)


def fsync(path: str) -> None:
    """Make a file, or the names in a folder, outlive a power cut; what is not there need not."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
