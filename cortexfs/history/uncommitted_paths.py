"""Find the user's uncommitted changes: files and index compared with HEAD."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.commit_lock_folder import read_pending_entries
from cortexfs.history.ignored_paths import refuse_bad_ignore_files
from cortexfs.history.object_formats import LINK, OTHER_REPOSITORY, TreeEntry
from cortexfs.history.read_work_tree import (
    MAX_CONTENT_BYTES,
    ContentTooLarge,
    check_path,
    is_inside,
    read_content,
    wrap_os_errors,
)
from cortexfs.history.staged_entries import MAX_PATHSPECS, expect_paths, read_staged_entries
from cortexfs.history.trees import open_commit_tree

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.git import Git, GitTreeLocation
    from cortexfs.history.read_work_tree import FileContent


class UncommittedPaths(NamedTuple):
    """Paths that differ from HEAD, and paths on disk that git does not track."""

    changed: frozenset[str]
    untracked: frozenset[str]


def find_user_changes(
    history: GitTreeLocation, paths: Sequence[str], expected: Sequence[str] = ()
) -> UncommittedPaths:
    """Return which of these paths the user has edited, removed or staged since HEAD.

    Contents are compared byte for byte, without filters. An index entry that an earlier commit by
    cortexfs could not update counts as unchanged. Paths that a commit is `expected` to have too
    are read with them.
    """
    wanted = {f"{history.prefix}{check_path(path)}": path for path in paths}
    expect_paths(history.git, (f"{history.prefix}{check_path(path)}" for path in expected))
    index = read_staged_entries(history.git, wanted, history.prefix).entries
    different, untracked = set(), set()
    with wrap_os_errors("nothing was compared"), open_commit_tree(history.git) as head:
        outdated = read_pending_entries(history.git)
        for above, path in wanted.items():
            old, staged, found = (
                head.find_entry(above),
                index.get(above),
                read_content(history.top, above),
            )
            is_staged = staged != old and staged not in outdated.get(above, ())
            if not old and not staged:
                untracked |= {path} if found else set()
            elif is_staged or not _is_unchanged(found, old, head.algorithm):
                different.add(path)
    return UncommittedPaths(frozenset(different), frozenset(untracked))


def list_changes(
    history: GitTreeLocation, under: str = "", *, max_bytes: int = MAX_CONTENT_BYTES
) -> list[str]:
    """List the paths that differ from HEAD by content below the root, or `under`, sorted.

    Edited, removed, and new; without ignored files and files of other repositories. A larger file
    than `max_bytes` is not read: it counts as changed if it is not as git last stamped it.
    """
    below = f"{history.prefix}{check_path(under) if under else ''}".rstrip("/")
    with wrap_os_errors("nothing was compared"), open_commit_tree(history.git) as head:
        known = {
            path: entry for path, entry in head.walk_files(below) if entry.mode != OTHER_REPOSITORY
        }
        absent, candidates = _list_candidates(history, below)
        different, unread = set(), set()
        for path in filter(is_inside, known.keys() | candidates):
            try:
                found = read_content(history.top, path, max_bytes)
                same = _is_unchanged(found, known.get(path), head.algorithm)
                different |= {path} if not same and (found or path not in absent) else set()
            except ContentTooLarge:
                unread.add(path)
        different |= _find_restamped(history.git, known, unread) if unread else set()
        return [path[len(history.prefix) :] for path in sorted(different)]


def _find_restamped(git: Git, known: Mapping[str, TreeEntry], paths: set[str]) -> set[str]:
    """Return which files are not in HEAD as they are staged, or no longer have their stamps."""
    staged = read_staged_entries(git, paths).entries
    words = ("--name-only", "-z", "--no-renames", "--ignore-submodules=all", "--")
    specs = sorted(paths) if len(paths) <= MAX_PATHSPECS else []
    listed = git.check_output("diff-files", *words, *specs).split(b"\0")
    restamped = set(map(os.fsdecode, listed))
    return {
        path
        for path in paths
        if path in restamped or path not in staged or staged[path] != known.get(path)
    }


def is_tracked(history: GitTreeLocation, under: str) -> bool:
    """Return whether git's index holds a file of that name, or one below it."""
    path = f"{history.prefix}{check_path(under)}"
    return bool(history.git.check_output("ls-files", "-z", "--cached", "--", path))


def _list_candidates(history: GitTreeLocation, below: str) -> tuple[set[str], set[str]]:
    """Return the paths outside a sparse checkout, and those that git tracks or does not ignore."""
    refuse_bad_ignore_files(history.git, below)
    specs = ["--", below] if below else []
    options = ("-t", "-z", "--cached", "--others", "--exclude-standard")
    absent, candidates = set(), set()
    for line in history.git.check_output("ls-files", *options, *specs).split(b"\0"):
        path = os.fsdecode(line[2:])
        if line.startswith(b"S "):
            absent.add(path)
        elif path and not path.endswith("/") and not os.path.isdir(f"{history.top}/{path}"):
            candidates.add(path)
    return absent, candidates


def _is_unchanged(found: FileContent | None, entry: TreeEntry | None, algorithm: str) -> bool:
    if not found or not entry:
        return not found and not entry
    return found.make_blob(algorithm).id == entry.id and found.is_link == (entry.mode == LINK)
