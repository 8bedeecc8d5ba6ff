"""The operations on the repository around a tree.

Each method imports its modules when it is called: most commands need none of them.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.history.commit_outcome import CommitMade, CommitSkipped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cortexfs.history.git import Git
    from cortexfs.history.git_log import CommitRecord, CommitSummary
    from cortexfs.history.health import RepositoryProblem
    from cortexfs.history.line_history import LineHistory
    from cortexfs.history.shared_resources import SharedResources
    from cortexfs.history.uncommitted_paths import UncommittedPaths
    from cortexfs.history.undoable_change import ChangedFile, UndoableChange

_IN_PROGRESS = {
    "MERGE_HEAD": "a merge is in progress",
    "CHERRY_PICK_HEAD": "a cherry-pick is in progress",
    "REVERT_HEAD": "a revert is in progress",
    "rebase-merge": "a rebase is in progress",
    "rebase-apply": "a rebase or am is in progress",
    "sequencer": "a cherry-pick or revert is in progress",
    "BISECT_LOG": "a bisect is in progress",
}


class History(NamedTuple):  # a dataclass takes ten times as long to make, at every start
    """A tree and the repository around it.

    `prefix` is the path from the repository's top to the root (`context/`, or empty).
    """

    root: str
    prefix: str
    git: Git
    allow_enclosing: bool = False

    @property
    def top(self) -> str:
        """The top folder of the repository."""
        return self.git.top

    @property
    def is_enclosing(self) -> bool:
        """Return whether it begins above the root's parent, as dotfiles or a monorepo do."""
        return self.prefix.count("/") > 1

    def busy_reason(self) -> str | None:
        """Return the operation in progress (merge, rebase) that prevents a commit; None if none."""
        git_dir = self.git.git_dir
        busy = (why for name, why in _IN_PROGRESS.items() if os.path.lexists(f"{git_dir}/{name}"))
        return next(busy, None)

    def commit(
        self,
        message: str,
        paths: Sequence[str],
        *,
        contents: Mapping[str, bytes] | None = None,
        signed: bool = False,
    ) -> CommitMade | CommitSkipped:
        """Commit HEAD's tree with these paths as they are on disk; removed paths are deleted.

        `contents` has bytes to commit instead of those on disk. A `signed` commit is found again by
        `find_undoable_changes`. Call it while holding the tree's lock. Raises `HistoryFailed`
        if git fails; files and branch are then unchanged.
        """
        if self.is_enclosing and not self.allow_enclosing:
            return CommitSkipped(f"the root of the repository is higher up, at {self.top}")
        if why_not := self.busy_reason():
            return CommitSkipped(why_not, can_retry=True)
        from cortexfs.history.commit import create_commit

        return create_commit(self, message, paths, contents or {}, signed=signed)

    def share_resources(self, resources: SharedResources) -> History:
        """Return this repository with runs of git that use these resources together."""
        return self._replace(git=self.git._replace(resources=resources))

    def find_user_changes(
        self, paths: Sequence[str], expected: Sequence[str] = ()
    ) -> UncommittedPaths:
        """Return which of these paths the user has edited, removed or staged since HEAD.

        Paths that a commit is `expected` to have too are read with them, for that commit.
        """
        from cortexfs.history.uncommitted_paths import find_user_changes

        return find_user_changes(self, paths, expected)

    def find_ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Return which of these paths git ignores."""
        from cortexfs.history.ignored_paths import find_ignored_paths

        in_git = [f"{self.prefix}{path}" for path in paths]
        found = find_ignored_paths(self.git, in_git, even_tracked=False)
        return frozenset(path.removeprefix(self.prefix) for path in found)

    def is_tracked(self, under: str) -> bool:
        """Return whether git tracks a file of that name, or one below it."""
        from cortexfs.history.uncommitted_paths import is_tracked

        return is_tracked(self, under)

    def list_changes(self, under: str = "") -> list[str]:
        """List the paths that differ from HEAD by content below the root, or `under`, sorted.

        Files above 32 MiB are not read, but compared by git's stamps.
        """
        from cortexfs.history.uncommitted_paths import list_changes

        return list_changes(self, under)

    def list_file_commits(
        self, path: str, limit: int = 0, excluded_messages: Collection[str] = ()
    ) -> list[CommitRecord]:
        """List the commits that changed a file, newest first, under each name that it has had.

        At most `limit` (0: all), without those whose message has one of `excluded_messages`.
        """
        from cortexfs.history.git_log import list_file_commits

        return list_file_commits(self, path, limit, excluded_messages)

    def list_folder_commits(self, folders: Sequence[str]) -> list[CommitRecord]:
        """List the commits that changed a file in some folders, newest first."""
        from cortexfs.history.git_log import list_folder_commits

        return list_folder_commits(self, folders)

    def list_recent_commits(
        self, limit: int, excluded_messages: Collection[str] = (), *, with_paths: bool = True
    ) -> list[CommitRecord]:
        """List the last commits that changed something below the root, newest first."""
        from cortexfs.history.git_log import list_recent_commits

        return list_recent_commits(self, limit, excluded_messages, with_paths=with_paths)

    def find_messages(self, word: str) -> list[str]:
        """Return the messages of the commits that contain a literal text, newest first."""
        from cortexfs.history.git_log import find_messages

        return find_messages(self, word)

    def find_commit(self, revision: str) -> str | None:
        """Return the id of a commit, named by an id, a branch, a tag, or a day; None if none."""
        from cortexfs.history.git_log import find_commit

        return find_commit(self, revision)

    def describe_commit(self, commit: str) -> CommitSummary:
        """Return date, author and subject of a commit; raise `HistoryFailed` if there is none."""
        from cortexfs.history.git_log import describe_commit

        return describe_commit(self, commit)

    def filter_reachable(self, commit: str, steps: Sequence[CommitRecord]) -> list[CommitRecord]:
        """Return those commits of `steps` that are reachable from a commit."""
        from cortexfs.history.git_log import filter_reachable

        return filter_reachable(self, commit, steps)

    def list_removals(self) -> list[tuple[str, CommitSummary]]:
        """Return the files that were removed or renamed, each with the commit that did it."""
        from cortexfs.history.git_log import list_removals

        return list_removals(self)

    def read_contents(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """Return the content of each (commit, path); None if there is no such file."""
        from cortexfs.history.git_log import read_contents

        return read_contents(self, wanted)

    def find_undoable_changes(self, subject: str = "") -> Iterator[UndoableChange]:
        """Yield the changes that cortexfs committed and nobody altered since, newest first.

        `subject` is an extended regular expression that a line of the message matches.
        """
        from cortexfs.history.undoable_change import find_undoable_changes

        return find_undoable_changes(self, subject)

    def read_changed_files(
        self, change: UndoableChange, only: Collection[str] | None = None
    ) -> list[ChangedFile]:
        """Return the files of such a change, or `only` some, with their contents on both sides."""
        from cortexfs.history.undoable_change import read_changed_files

        return read_changed_files(self, change, only)

    def format_undo_message(self, subject: str, commit: str) -> str:
        """Return the message of the commit that undoes another."""
        from cortexfs.history.commit_trailer import format_undo_message

        return format_undo_message(subject, commit)

    def list_undoable(self, records: Sequence[CommitRecord]) -> set[str]:
        """Return the ids of those commits that are ours and not undone; newest first."""
        from cortexfs.history.commit_trailer import list_undoable

        return list_undoable((each.commit.commit, each.message) for each in records)

    def find_change(self, commit: str) -> UndoableChange | None:
        """Return one such change by the id of its commit."""
        from cortexfs.history.undoable_change import find_change

        return find_change(self, commit)

    def open_line_history(self) -> LineHistory | None:
        """Return the history of lines and files up to HEAD; None if there is no commit."""
        from cortexfs.history.line_history import open_line_history

        return open_line_history(self)

    def find_problem(self) -> RepositoryProblem | None:
        """Return the problem that prevents use of the repository; None if there is none."""
        from cortexfs.history.health import find_problem

        return find_problem(self)

    def read_file_at(self, commit: str, path: str) -> bytes | None:
        """Return the content of a path in a commit; None if absent.

        `commit` is an id, also abbreviated, or a ref.
        """
        from cortexfs.history.git_log import find_commit, read_contents

        known = find_commit(self, commit)
        return read_contents(self, [(known, path)])[0] if known else None
