"""The commits of a tree in memory: a program that runs for days asks git only for new ones."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.check_git_dir import follow_symbolic_refs
from cortexfs.history.git_log import find_commit, list_commits_between

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.git import Git
    from cortexfs.history.git_log import CommitRecord, CommitSummary
    from cortexfs.history.repository import History

MAX_COMMITS = 20_000
"""Maximum number of commits that are known; of older ones nothing is said."""


class TreeCommits(NamedTuple):
    """The commits of a tree, newest first, and by path the first and the last one of each file."""

    records: Sequence[CommitRecord] = ()
    first: Mapping[str, CommitSummary] = {}
    last: Mapping[str, CommitSummary] = {}


class KnownCommits:
    """The commits of one tree, for any number of threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stamp: object = None
        self._head = ""
        self._known = TreeCommits()

    def read(self, history: History, excluded_messages: frozenset[str]) -> TreeCommits:
        """Return the commits up to now, without those with some messages."""
        with self._lock:
            if (stamp := _stamp_refs(history.git)) != self._stamp:
                self._read_newer(history, excluded_messages)
                self._stamp = stamp
            return self._known

    def _read_newer(self, history: History, excluded: frozenset[str]) -> None:
        """Add the commits since the last look; after a merge or a rebase all are read anew.

        A merge also brings commits that are older than known ones, and git lists by date.
        """
        head = find_commit(history, "HEAD") or ""
        if not head or not _is_line(history, self._head, head):
            self._head, self._known = "", TreeCommits()
        if head != self._head:
            newer = list_commits_between(history, self._head, head, MAX_COMMITS, excluded)
            self._head, self._known = head, _add(self._known, newer)


def _stamp_refs(git: Git) -> tuple[object, ...]:
    """Return the stamps of what names the last commit: they change with each commit."""
    refs = [f"{git.common_dir}/{ref}" for ref in follow_symbolic_refs(git.git_dir, git.common_dir)]
    paths = [f"{git.git_dir}/HEAD", *refs, f"{git.common_dir}/packed-refs"]
    return tuple(map(_stamp_file, paths))


def _stamp_file(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path, follow_symlinks=False)
    except (OSError, ValueError):
        return 0, 0, 0
    return found.st_ino, found.st_size, found.st_mtime_ns


def _is_line(history: History, old: str, head: str) -> bool:
    """Return whether each commit after `old`, up to the head, has the one before as only parent."""
    if not old:
        return False
    words = ("rev-list", "--parents", f"--max-count={MAX_COMMITS}", f"{old}..{head}", "--")
    ran = history.git.run_unchecked(*words)
    expected = [head]
    for line in ran.stdout.decode("ascii").splitlines():
        commit, *parents = line.split()
        if [commit] != expected:
            return False
        expected = parents
    return expected == [old]


def _add(known: TreeCommits, newer: Sequence[CommitRecord]) -> TreeCommits:
    """Return known commits with newer ones; each value is new, as other threads read the old."""
    first, last = dict(known.first), dict(known.last)
    for record in reversed(newer):
        for _, path in record.paths:
            first.setdefault(path, record.commit)
            last[path] = record.commit
    return TreeCommits((*newer, *known.records)[:MAX_COMMITS], first, last)
