"""What has been written, and what of it git knows: intended first, then done, then committed."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.places import is_log
from cortexfs.core.plan import BOOKKEEPING
from cortexfs.tree.journal import NOTHING, WHATEVER, Intent, Journal, digest, standing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atom import Finding
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

    def write(self, plan: Plan, *, commit: bool) -> dict[str, Finding]:
        """Write down what is intended, so that a killed run can be finished; then do it.

        Gives the paths of bookkeeping that the disk refuses, with what refuses it. Raises
        `Refused` where a secret would come in.
        """
        if not plan.from_git and plan.summary not in BOOKKEEPING:
            self._refuse_secrets(plan)
        meant = self._meant(plan) if commit and plan.paths and self.commits else {}
        Journal(self.tree.root).intend(Intent(plan.summary, meant))
        try:
            refused = self.tree.write(plan.writes, plan.removes)
            for added in plan.appends:
                self.tree.append(added)
        except BaseException:
            self._withdraw(meant)
            raise
        if refused:
            self._withdraw(meant)
        return refused

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

    def _refuse_secrets(self, plan: Plan) -> None:
        if any(not write.bookkeeping for write in plan.writes) or plan.adopted:
            from cortexfs.core.secret import refuse_new_secrets  # noqa: PLC0415 - only to write

            refuse_new_secrets(plan)

    def _meant(self, plan: Plan) -> dict[str, str]:
        """Name what each path of a plan is to hold once it is carried out."""
        meant = {path: standing(self.tree.root, path) for path in plan.adopted}
        meant |= {added.path: WHATEVER for added in plan.appends}
        meant |= {write.path: digest(write.text.encode()) for write in plan.writes}
        meant |= {gone.path: NOTHING for gone in plan.removes}
        return {path: meant[path] for path in plan.paths}

    def _withdraw(self, meant: Mapping[str, str]) -> None:
        """Take back what was intended and has not come about."""
        unmet = {path: known for path, known in meant.items() if not self._is(path, known)}
        if unmet:
            with suppress(OSError):  # what does not come about is not committed anyway
                Journal(self.tree.root).withdraw(unmet)

    def _commit(self, message: str, paths: list[str]) -> Committed | str | None:
        """Give the commit made, if there was anything to commit; why it has to wait, if it must."""
        from cortexfs.history.outcome import Skipped  # noqa: PLC0415 - only to write

        if self.history is None or not self.commits or not paths:
            return None
        signed = message not in BOOKKEEPING
        done = self.history.commit(message, list(dict.fromkeys(paths)), signed=signed)
        if not isinstance(done, Skipped):
            return done
        return done.reason if done.again else None

    def _is(self, path: str, known: str) -> bool:
        """Tell whether a path holds what we meant it to; of a log, that it is one."""
        if known == WHATEVER:
            return is_log(path) and self.tree.is_file(path)
        try:
            return standing(self.tree.root, path) == known
        except OSError:
            return False


def _is_allowed(top: str) -> bool:
    """Ask the user's own settings whether we may commit in a repository of theirs."""
    from cortexfs.tree.preferences import commit_in  # noqa: PLC0415 - it takes a YAML reader

    return top in commit_in(os.environ)
