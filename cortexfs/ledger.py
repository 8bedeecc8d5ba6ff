"""What has been written, and what of it git knows: intended first, then done, then committed."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.errors import OutsideTree
from cortexfs.tree.journal import WHATEVER, Intent, Journal, digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.plan import Plan
    from cortexfs.history import History
    from cortexfs.history.outcome import Committed
    from cortexfs.tree.tree import Tree


class Finished(NamedTuple):
    """The ids of the commits made, and why what is left has to wait (empty: nothing is)."""

    commits: tuple[str, ...] = ()
    waiting: str = ""


class Theirs(NamedTuple):
    """Files that the user has changed and not committed, and files that git does not know."""

    changed: frozenset[str] = frozenset()
    untracked: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Ledger:
    """The journal of a tree and the repository around it; without git it keeps nothing."""

    tree: Tree
    _found: list[History | None] = field(default_factory=list)

    @property
    def history(self) -> History | None:
        """The repository around the tree; None without one, or without git."""
        if not self._found:
            from cortexfs.history import find  # noqa: PLC0415 - most commands need it not

            found = find(self.tree.root)
            if found and found.far and _is_allowed(found.top):
                found = find(self.tree.root, allow_enclosing=True)
            self._found.append(found)
        return self._found[0]

    @property
    def commits(self) -> bool:
        """Tell whether there is a repository, and it is ours to commit in."""
        history = self.history
        return history is not None and (not history.far or history.allow_enclosing)

    @property
    def has_git(self) -> bool:
        """Tell whether there is a git to be asked."""
        from cortexfs.history.git import program  # noqa: PLC0415 - only to explain

        return bool(program())

    @property
    def rebasing(self) -> str:
        """Say that a rebase is under way: an abort of it would throw away what is written."""
        reason = (self.history.quiet() if self.history and self.commits else None) or ""
        return reason if "rebase" in reason else ""

    def begin(self) -> None:
        """Make a repository at the root, where none is around it and git is there."""
        from cortexfs.history import init  # noqa: PLC0415 - once in a tree's life
        from cortexfs.history.git import program  # noqa: PLC0415

        if self.history is None and program():
            self._found[:] = [init(self.tree.root)]

    def intend(self, plan: Plan) -> None:
        """Write down what is about to be written, so that a killed run can be finished."""
        if not (plan.paths and self.commits):
            return
        known = {write.path: digest(write.text.encode()) for write in plan.writes}
        digests = {path: known.get(path, WHATEVER) for path in plan.paths}
        Journal(self.tree.root).intend(Intent(plan.summary, digests))

    def finish(self) -> Finished:
        """Commit whatever the journal says is not: ours of now, and a killed run's."""
        journal = Journal(self.tree.root)
        intents = journal.open()
        self.tree.sweep({path.rpartition("/")[0] for each in intents for path in each.digests})
        by_message: dict[str, list[str]] = {}
        for intent in intents:
            paths = by_message.setdefault(intent.message, [])
            paths += [path for path, known in intent.digests.items() if self._is(path, known)]
        made: list[str] = []
        mended = True
        for message, paths in by_message.items():
            done = self._commit(message, paths)
            if isinstance(done, str):
                return Finished(tuple(made), done)
            made += [done.id] if done else []
            mended = mended and not (done and done.unmended)
        if by_message and mended:  # else the next run comes back to what shows as staged
            journal.close()
        return Finished(tuple(made))

    def theirs(self, paths: Sequence[str]) -> Theirs:
        """Tell which of these files are the user's own unfinished work."""
        if self.history is None or not paths:
            return Theirs()
        return Theirs(*self.history.changed(paths))

    def _commit(self, message: str, paths: list[str]) -> Committed | str | None:
        """Give the commit made, if there was anything to commit; why it has to wait, if it must."""
        from cortexfs.history.outcome import Skipped  # noqa: PLC0415 - only to write

        if self.history is None or not self.commits or not paths:
            return None
        done = self.history.commit(message, list(dict.fromkeys(paths)))
        if not isinstance(done, Skipped):
            return done
        return done.reason if done.again else None

    def _is(self, path: str, known: str) -> bool:
        """Tell whether a file still reads as we wrote it."""
        try:
            return known == WHATEVER or digest(self.tree.content(path)) == known
        except (OSError, OutsideTree):
            return False


def _is_allowed(top: str) -> bool:
    """Ask the user's own settings whether we may commit in a repository of theirs."""
    from cortexfs.tree.preferences import commit_in  # noqa: PLC0415 - it takes a YAML reader

    return top in commit_in(os.environ)
