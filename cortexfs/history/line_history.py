"""Find the commits that brought the lines of a file, and those that added files."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.git import GitTreeLocation, git_error
from cortexfs.history.read_work_tree import check_path
from cortexfs.history.trees import open_commit_tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MAX_FILES = 300
"""Maximum number of files whose lines are traced."""
_MAX_SECONDS = 20.0
"""Seconds after which no further file is traced: other commands wait for the tree's lock."""
_MAX_FILE_BYTES = 16 * 1024 * 1024

_NO_USER_SETTINGS = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
"""With `blame.ignoreRevsFile` git would read a file of the work tree."""

_COMMIT_ID = re.compile(rb"[0-9a-f]{40}|[0-9a-f]{64}")
_LINES = re.compile(rb"^([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+) (\d+)$", re.MULTILINE)
_ADDED = re.compile(rb"\n?A+")  # in a merge, one letter for each parent
_ADDITION_ARGUMENTS = ("-z", "-c", "--name-status", "--no-renames", "--diff-filter=A")


class LineHistory(NamedTuple):
    """The history of a tree up to the commit `head`."""

    history: GitTreeLocation
    head: str

    def list_additions(self, folder: str) -> list[tuple[str, str]]:
        """List the commits, merges included, that added a file to a folder, and its path."""
        below = f"{self.history.prefix}{check_path(folder)}"
        words = ("log", "--format=tformat:%H", "--full-history", *_ADDITION_ARGUMENTS)
        found, commit, is_path = [], "", False
        for field in self._run_git(*words, self.head, "--", below).split(b"\0"):
            if is_path:
                found.append((commit, os.fsdecode(field).removeprefix(self.history.prefix)))
            elif _COMMIT_ID.fullmatch(field):
                commit = field.decode("ascii")
            is_path = not is_path and _ADDED.fullmatch(field) is not None
        return found

    def list_descendants(self, commit: str) -> frozenset[str]:
        """Return a commit, and all that have it as an ancestor."""
        later = self._run_git("rev-list", "--ancestry-path", f"{commit}..{self.head}")
        return frozenset([commit, *later.decode("ascii").split()])

    def trace_files(self, paths: Sequence[str]) -> Iterator[tuple[str, bytes, dict[int, str]]]:
        """Yield path, content and the commit of each line (from 1) of files in `head`.

        A file that git cannot trace is left out, and so are the last ones if there are too many.
        """
        until = time.monotonic() + _MAX_SECONDS
        with open_commit_tree(self.history.git, self.head) as tree:
            for path in paths[:_MAX_FILES]:
                full_path, commits = f"{self.history.prefix}{check_path(path)}", None
                content = b""
                with suppress(HistoryFailed):
                    content = tree.read_file_bytes(full_path) or b""
                    if len(content) <= _MAX_FILE_BYTES and time.monotonic() < until:
                        commits = self._blame(full_path)
                if commits:
                    yield path, content, commits

    def _blame(self, path: str) -> dict[int, str]:
        words = ("blame", "--incremental", "--no-textconv", "--no-progress", self.head, "--", path)
        return {
            line: commit.decode("ascii")
            for commit, start, count in _LINES.findall(self._run_git(*words))
            for line in range(int(start), int(start) + int(count))
        }

    def _run_git(self, *words: str) -> bytes:
        """Run git in a folder without `.mailmap` and `.gitattributes`, which it would read."""
        with self.history.git.prepare() as git:
            ran = git.run_unchecked(*words, work_tree=git.settings_dir, env=_NO_USER_SETTINGS)
        if ran.exit_code:
            raise git_error(words[0], ran.stderr)
        return ran.stdout


def open_line_history(history: GitTreeLocation) -> LineHistory | None:
    """Return the history up to HEAD; None if there is no commit yet."""
    with open_commit_tree(history.git) as head:
        return LineHistory(history, head.commit) if head.commit else None
