"""The repository around a tree, and all that can be asked of it.

Each method imports what it needs when it is called: most commands need none of it.
"""
# ruff: noqa: PLC0415

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from cortexfs.history.git import Git
    from cortexfs.history.git_log import Commit, CommitRecord
    from cortexfs.history.health import RepositoryProblem
    from cortexfs.history.uncommitted_paths import UncommittedPaths
    from cortexfs.history.undoable_change import UndoableChange

_BUSY = {
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

    `prefix` leads from the repository's top to the root (`context/`, or nothing).
    """

    root: str
    prefix: str
    git: Git
    allow_enclosing: bool = False

    @property
    def top(self) -> str:
        """The folder at which the repository begins."""
        return self.git.top

    @property
    def is_enclosing(self) -> bool:
        """Tell whether it begins above the root's parent, as dotfiles or a monorepo do."""
        return self.prefix.count("/") > 1

    def busy_reason(self) -> str | None:
        """Say which merge, rebase or the like is in progress, so that nothing is committed."""
        git_dir = self.git.git_dir
        busy = (why for name, why in _BUSY.items() if os.path.lexists(f"{git_dir}/{name}"))
        return next(busy, None)

    def commit(
        self,
        message: str,
        paths: Sequence[str],
        *,
        contents: Mapping[str, bytes] | None = None,
        signed: bool = False,
    ) -> CommitMade | CommitSkipped:
        """Commit HEAD's tree with these paths as they are on disk; a path that is gone is removed.

        `contents` gives bytes to commit instead of what is on disk; a `signed` commit is found
        again by `last_change`. Call it under the tree's lock. Raises `HistoryFailed` where git
        fails; files and branch are as they were.
        """
        if self.is_enclosing and not self.allow_enclosing:
            return CommitSkipped(f"the repository begins higher up, at {self.top}")
        if why_not := self.busy_reason():
            return CommitSkipped(why_not, can_retry=True)
        from cortexfs.history.commit import create_commit

        return create_commit(self, message, paths, contents or {}, signed=signed)

    def find_user_changes(self, paths: Sequence[str]) -> UncommittedPaths:
        """Tell which of these paths the user has edited, removed or staged since HEAD."""
        from cortexfs.history.uncommitted_paths import find_user_changes

        return find_user_changes(self, paths)

    def is_tracked(self, under: str) -> bool:
        """Tell whether git tracks a file of that name, or one below it."""
        from cortexfs.history.uncommitted_paths import is_tracked

        return is_tracked(self, under)

    def list_changes(self, under: str = "") -> list[str]:
        """List what differs from HEAD by content below the root, or below `under`, sorted."""
        from cortexfs.history.uncommitted_paths import list_changes

        return list_changes(self, under)

    def list_file_commits(
        self, path: str, limit: int = 0, excluded_messages: Collection[str] = ()
    ) -> list[CommitRecord]:
        """List the commits that changed a file, newest first, under each name that it has had.

        `limit` at most (0: all), without those whose message is one of `passing`.
        """
        from cortexfs.history.git_log import list_file_commits

        return list_file_commits(self, path, limit, excluded_messages)

    def list_folder_commits(self, folders: Sequence[str]) -> list[CommitRecord]:
        """List the commits that changed a file in some folders, newest first."""
        from cortexfs.history.git_log import list_folder_commits

        return list_folder_commits(self, folders)

    def list_recent_commits(
        self, limit: int, excluded_messages: Collection[str] = ()
    ) -> list[CommitRecord]:
        """List the last commits that changed something below the root, as `past` does."""
        from cortexfs.history.git_log import list_recent_commits

        return list_recent_commits(self, limit, excluded_messages)

    def find_messages(self, word: str) -> list[str]:
        """Give the messages of the commits that contain a text literally, newest first."""
        from cortexfs.history.git_log import find_messages

        return find_messages(self, word)

    def find_commit(self, revision: str) -> str | None:
        """Give the commit that an id (also abridged), a branch, or a day names; None if none."""
        from cortexfs.history.git_log import find_commit

        return find_commit(self, revision)

    def describe_commit(self, commit: str) -> Commit:
        """Give date, author and subject of a commit; raises where there is none."""
        from cortexfs.history.git_log import describe_commit

        return describe_commit(self, commit)

    def filter_reachable(self, commit: str, steps: Sequence[CommitRecord]) -> list[CommitRecord]:
        """Keep those steps that a commit contains."""
        from cortexfs.history.git_log import filter_reachable

        return filter_reachable(self, commit, steps)

    def list_removed_paths(self) -> list[str]:
        """Name the files that were removed or renamed at some time, the latest first."""
        from cortexfs.history.git_log import list_removed_paths

        return list_removed_paths(self)

    def list_removals(self) -> list[tuple[str, Commit]]:
        """List the files that were removed at some time, each with the commit that did it."""
        from cortexfs.history.git_log import list_removals

        return list_removals(self)

    def read_contents(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """Give what each path held in the commit beside it; None where it held no file."""
        from cortexfs.history.git_log import read_contents

        return read_contents(self, wanted)

    def find_last_change(self) -> UndoableChange | None:
        """Give the newest change that we have committed and nobody has amended since."""
        from cortexfs.history.undoable_change import find_last_change

        return find_last_change(self)

    def find_undoable_changes(self) -> Iterator[UndoableChange]:
        """Yield the changes that we have committed and nobody has altered since, newest first."""
        from cortexfs.history.undoable_change import find_undoable_changes

        return find_undoable_changes(self)

    def format_undo_message(self, subject: str, commit: str) -> str:
        """Write the message of the commit that undoes another."""
        from cortexfs.history.commit_trailer import format_undo_message

        return format_undo_message(subject, commit)

    def find_change(self, commit: str) -> UndoableChange | None:
        """Give one such change by the id of its commit."""
        from cortexfs.history.undoable_change import find_change

        return find_change(self, commit)

    def find_problem(self) -> RepositoryProblem | None:
        """Say what keeps the repository from being used, and which command helps."""
        from cortexfs.history.health import find_problem

        return find_problem(self)

    def read_file_at(self, commit: str, path: str) -> bytes | None:
        """Give what a path held in a commit (an id, also abridged, or a ref); None if nothing."""
        from cortexfs.history.git_log import find_commit, read_contents

        known = find_commit(self, commit)
        return read_contents(self, [(known, path)])[0] if known else None


def find_repository(root: str, *, allow_enclosing: bool = False) -> History | None:
    """Find the repository that encloses a root; None without one, or without git.

    Only `.git` counts: a folder that merely looks like a bare repository is none. In one that
    begins above the root's parent nothing is committed unless `allow_enclosing`.
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
    """Say why the `.git` that encloses a root is not used; empty where there is none, or it is."""
    from cortexfs.history.location import locate_repository

    return locate_repository(os.path.realpath(root)).problem


def init_repository(root: str) -> History:
    """Make a repository at the root, where there is none; nothing is committed.

    Raises `HistoryFailed` without git, and where the folder cannot be written.
    """
    from cortexfs.history.git_environment import find_git
    from cortexfs.history.location import make_repository
    from cortexfs.history.work_tree import wrap_os_errors

    git = find_git()
    if not git:
        raise HistoryFailed("git is not installed", hint="without it everything works but history")
    with wrap_os_errors("no repository was made"):
        make_repository(git, root)
    made = find_repository(root)
    if not made or made.prefix:
        raise HistoryFailed(f"`{root}/.git` is no repository", hint="move it away, then try again")
    return made
