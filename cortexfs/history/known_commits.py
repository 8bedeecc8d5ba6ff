"""The commits of a tree in memory: a program that runs for days asks git only for new ones."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.check_git_dir import follow_symbolic_refs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.history.git import Git
    from cortexfs.history.git_log import CommitRecord, CommitSummary
    from cortexfs.history.repository import History

MAX_COMMITS = 20_000
"""Maximum number of commits that are known; of older ones nothing is said."""
_STEPS = (16, 256, MAX_COMMITS)
"""How many commits git is asked for, until a known one is among them."""


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
        self._known = TreeCommits()

    def read(self, history: History, excluded_messages: frozenset[str]) -> TreeCommits:
        """Return the commits up to now, without those with some messages."""
        with self._lock:
            if (stamp := _stamp_refs(history.git)) != self._stamp:
                self._known = _read_newer(history, excluded_messages, self._known)
                self._stamp = stamp
            return self._known


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


def _read_newer(history: History, excluded: frozenset[str], known: TreeCommits) -> TreeCommits:
    last_known = known.records[0].commit.commit if known.records else ""
    for limit in _STEPS:
        found = history.list_recent_commits(limit, excluded)
        ids = [record.commit.commit for record in found]
        if last_known in ids:
            return _add(known, found[: ids.index(last_known)])
        if len(found) < limit:
            break
    return _add(TreeCommits(), found)


def _add(known: TreeCommits, newer: Sequence[CommitRecord]) -> TreeCommits:
    """Return known commits with newer ones; each value is new, as other threads read the old."""
    first, last = dict(known.first), dict(known.last)
    for record in reversed(newer):
        for _, path in record.paths:
            first.setdefault(path, record.commit)
            last[path] = record.commit
    return TreeCommits((*newer, *known.records)[:MAX_COMMITS], first, last)
