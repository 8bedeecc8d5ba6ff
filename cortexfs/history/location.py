"""Find the repository around a folder, or make one there."""
# ruff: noqa: PLC0415 - most repositories need none of them

from __future__ import annotations

import os
import stat
from contextlib import suppress
from typing import NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.check_git_dir import read_file_type, read_regular
from cortexfs.history.git import init_empty_repository

_DRAFT_NAME = ".git.cortexfs"
"""A repository is made under this name and then renamed, so that `.git` is complete or absent."""


class RepositoryLocation(NamedTuple):
    """The top folder of a repository, its git directory, and the part that worktrees share.

    `problem` says why no repository can be used; the git directories are empty then.
    """

    top: str
    git_dir: str = ""
    common_dir: str = ""
    problem: str = ""


def locate_repository(root: str) -> RepositoryLocation:
    """Return the repository of the first `.git` above a folder, as git finds it."""
    at = root
    while True:
        inner = f"{at.rstrip('/')}/.git"
        found = _resolve_dot_git(at, inner, read_file_type(inner))
        above = os.path.dirname(at)
        if found or above == at or os.path.basename(at) == ".git":
            return found or RepositoryLocation(at)
        at = above


def _resolve_dot_git(top: str, inner: str, kind: int) -> RepositoryLocation | None:
    if kind == stat.S_IFDIR:
        return RepositoryLocation(top, inner, inner) if _is_repository(inner, inner) else None
    if kind == stat.S_IFREG:
        return _resolve_pointer(top, inner, _read_git_file(inner))
    if kind == stat.S_IFLNK:
        return _resolve_pointer(top, inner, os.path.realpath(inner))
    return RepositoryLocation(top, problem=f"`{inner}` is not a folder") if kind else None


def _read_git_file(file: str) -> str:
    """Return the path in the `.git` file of a worktree or submodule; empty if there is none."""
    word, _, path = _read_line(file).partition(": ")
    below = os.path.dirname(file)
    return os.path.realpath(os.path.join(below, path)) if word == "gitdir" and path else ""


def _resolve_pointer(top: str, inner: str, git_dir: str) -> RepositoryLocation:
    """Accept a `.git` that points elsewhere only if its target belongs to this folder.

    Otherwise an untrusted tree could cause commits in another repository of the user.
    """
    shared = os.path.dirname(os.path.dirname(git_dir))
    commondir = _read_line(f"{git_dir}/commondir") if git_dir else ""
    if commondir:
        points_back = os.path.realpath(os.path.join(git_dir, _read_line(f"{git_dir}/gitdir"))) == (
            os.path.realpath(inner)
        )
        is_shared = os.path.realpath(os.path.join(git_dir, commondir)) == shared
        if points_back and is_shared and _is_repository(git_dir, shared):
            return RepositoryLocation(top, git_dir, shared)
    elif git_dir and _is_repository(git_dir, git_dir):
        if _is_work_tree(git_dir, top):
            return RepositoryLocation(top, git_dir, git_dir)
        return RepositoryLocation(top, problem=_describe_unrelated(inner, git_dir, top))
    problem = f"`{inner}` does not lead to a repository of this folder"
    return RepositoryLocation(top, problem=problem)


def _describe_unrelated(inner: str, git_dir: str, top: str) -> str:
    command = f"git --git-dir={git_dir} config core.worktree {top}"
    return f"`{inner}` leads to {git_dir}, which does not lead back here; if it should: {command}"


def _is_work_tree(git_dir: str, top: str) -> bool:
    """Return whether a repository itself names `top` as its work tree."""
    from cortexfs.history.git_config import read_settings

    with suppress(HistoryFailed, OSError):
        named = dict(read_settings(git_dir)).get("core.worktree", "")
        return bool(named) and os.path.realpath(os.path.join(git_dir, named)) == top
    return False


def _is_repository(git_dir: str, common: str) -> bool:
    folders = all(os.path.isdir(f"{common}/{name}") for name in ("objects", "refs"))
    return folders and os.path.lexists(f"{git_dir}/HEAD")


def _read_line(file: str) -> str:
    """Return the one line of a small file; empty if there is none."""
    with suppress(OSError):
        content = read_regular(file, 8192) or b""
        return os.fsdecode(content).rstrip("\r\n").replace("\0", "")
    return ""


def is_foreign(top: str, git_dir: str) -> bool:
    """Return whether another user owns the repository."""
    user = os.geteuid()
    return any(os.lstat(path).st_uid != user for path in (top, f"{top}/.git", git_dir))


def make_repository(git: str, root: str) -> None:
    """Create a repository at the root atomically; an existing one is kept."""
    import fcntl

    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        if not os.path.lexists(f"{root}/.git"):
            _create_repository(git, root)
        os.fsync(folder)
    finally:
        os.close(folder)


def _create_repository(git: str, root: str) -> None:
    import shutil

    draft = f"{root}/{_DRAFT_NAME}"
    if os.path.lexists(draft):  # left by a killed command
        shutil.rmtree(draft)
    os.mkdir(draft)
    init_empty_repository(git, draft)
    for folder, _, names in os.walk(f"{draft}/.git"):
        for path in (*(f"{folder}/{name}" for name in names), folder):
            fsync_path(path)
    os.rename(f"{draft}/.git", f"{root}/.git")
    os.rmdir(draft)


def fsync_path(path: str) -> None:
    """Sync a file, or the names in a folder, to disk; a missing path is ignored."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
