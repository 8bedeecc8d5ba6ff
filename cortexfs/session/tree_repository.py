"""The repository around a tree, as one request sees it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import INDEX_MD
from cortexfs.history.shared_resources import SharedResources

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.history.repository import History


class UserChanges(NamedTuple):
    """Files that the user has changed and not committed, and files that git does not track."""

    changed: frozenset[str] = frozenset()
    untracked: frozenset[str] = frozenset()


class TreeRepository:
    """The git state of a tree; found once, so it belongs to one request and not to a session."""

    def __init__(self, root: str, resources: SharedResources | None = None) -> None:
        self.root = root
        self._resources = resources
        self._found: list[History | None] = []

    @property
    def history(self) -> History | None:
        """The repository around the tree; None without one, or without git."""
        if not self._found:
            from cortexfs.history.find_repository import find_repository  # noqa: PLC0415 - few commands need git

            found = find_repository(self.root)
            if found and found.is_enclosing and _is_commit_allowed(found.top):
                found = find_repository(self.root, allow_enclosing=True)
            if found and self._resources:
                found = found.share_resources(self._resources)
            self._found.append(found)
        return self._found[0]

    @property
    def can_commit(self) -> bool:
        """Return whether there is a repository, and cortexfs may commit in it."""
        history = self.history
        return history is not None and (not history.is_enclosing or history.allow_enclosing)

    @property
    def missing_reason(self) -> str:
        """Return why cortexfs can commit nothing; empty if it can."""
        if self.can_commit:
            return ""
        if self.history:
            return f"the root of the repository is higher up, at {self.history.top}"
        missing = "there is no git repository" if self.has_git else "git is not installed"
        return self.problem or missing

    @property
    def unnamed_author(self) -> str:
        """Return the author of our commits if git knows no name of the user; empty if it does."""
        from cortexfs.history import identity  # noqa: PLC0415 - only for a message

        if self.history is None or identity.is_author_known(self.history.git):
            return ""
        return f"{identity.FALLBACK_NAME} <{identity.FALLBACK_EMAIL}>"

    @property
    def has_git(self) -> bool:
        """Return whether git is installed."""
        from cortexfs.history.git_environment import find_git  # noqa: PLC0415 - only for a message

        return bool(find_git())

    @property
    def problem(self) -> str:
        """Return why the `.git` around the tree is not used; empty if none exists or it is used."""
        from cortexfs.history.find_repository import explain_unusable_repository  # noqa: PLC0415 - only for a message

        return "" if self.history else explain_unusable_repository(self.root)

    @property
    def rebase_in_progress(self) -> str:
        """Return a message if a rebase is in progress; its abort would discard changes."""
        reason = (self.history.busy_reason() if self.history and self.can_commit else None) or ""
        return reason if "rebase" in reason else ""

    def find_user_changes(self, paths: Sequence[str], expected: Sequence[str] = ()) -> UserChanges:
        """Return which of these files have uncommitted changes of the user.

        A commit is `expected` to have other paths too, and the indexes of the folders.
        """
        if self.history is None or not paths:
            return UserChanges()
        indexes = {f"{path[: path.rfind('/') + 1]}{INDEX_MD}" for path in (*paths, *expected)}
        return UserChanges(*self.history.find_user_changes(paths, (*expected, *indexes)))

    def find_ignored(self, paths: Sequence[str]) -> frozenset[str]:
        """Return which of these paths git ignores; none without a repository."""
        return self.history.find_ignored(paths) if self.history else frozenset()

    def create(self) -> None:
        """Create a repository at the root, if none encloses it and git is installed."""
        from cortexfs.history.find_repository import init_repository  # noqa: PLC0415 - once for each tree
        from cortexfs.history.git_environment import find_git  # noqa: PLC0415

        if self.history is None and find_git():
            self._found[:] = [init_repository(self.root)]


@contextmanager
def share_repository(root: str) -> Iterator[TreeRepository]:
    """Yield the repository around a tree, whose runs of git have what they need in common."""
    resources = SharedResources()
    try:
        yield TreeRepository(root, resources)
    finally:
        resources.close()


def _is_commit_allowed(top: str) -> bool:
    """Return whether the user's own settings allow commits in a repository of theirs."""
    from cortexfs.tree.user_settings import list_commit_repositories  # noqa: PLC0415 - it imports a YAML reader

    return top in list_commit_repositories(os.environ)
