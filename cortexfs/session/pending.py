"""What is written and not yet committed: intended first, then done, then committed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import INDEX, is_log
from cortexfs.core.changes.plan import BOOKKEEPING, Write
from cortexfs.core.text.sanitize import one_line, printable
from cortexfs.errors import HistoryFailed
from cortexfs.tree.journal import NOTHING, WHATEVER, Intent, Journal, digest, standing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Plan, Remove
    from cortexfs.history.outcome import Committed
    from cortexfs.session.repository import Repository
    from cortexfs.tree.tree import Tree


class Finished(NamedTuple):
    """The commits made, why what is left has to wait (empty: nothing is), and what they hold."""

    commits: tuple[str, ...] = ()
    waiting: str = ""
    paths: tuple[str, ...] = ()


class Kept(NamedTuple):
    """What was kept of the user's before a plan wrote over it.

    The commits made, copies of what is in none, and the files whose own changes come along.
    """

    commits: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    own_changes: tuple[str, ...] = ()


@dataclass(slots=True, eq=False)
class Pending:
    """The journal of a tree and the repository around it; without git it keeps nothing."""

    tree: Tree
    repository: Repository

    def examine(self, plan: Plan) -> None:
        """Refuse a plan with which a secret would come in."""
        if plan.brings_in:
            from cortexfs.core.checks.secrets import refuse_new_secrets  # noqa: PLC0415 - only to write

            refuse_new_secrets(plan)
            self._refuse_uncommitted_secrets(plan)

    def keep(self, plan: Plan, *, commit: bool) -> Kept:
        """See that no line which git has never seen is lost, before a plan writes over it.

        A file with such lines is committed as it is; where it cannot be, a copy is kept.
        """
        over = [w for w in plan.writes if w.replacing is not None and not w.bookkeeping]
        over += [Write(g.path, "", g.replacing) for g in plan.removes if _is_by_hand(g)]
        if not over or plan.summary in BOOKKEEPING:
            return Kept()
        own = self._uncommitted(over)
        losing = self._losing(own)
        made: tuple[str, ...] = ()
        if losing and commit:
            made = self._keep(each for each in losing if each.path not in plan.uncommitted)
            losing = self._losing(own)
        mine = (
            {w.path for w in own} - plan.uncommitted
            if commit and self.repository.commits
            else set()
        )
        return Kept(made, tuple(self.tree.keep(w.path) for w in losing), tuple(sorted(mine)))

    def write(self, plan: Plan, *, commit: bool) -> dict[str, Finding]:
        """Write down what is intended, so that a killed run can be finished; then do it.

        Gives the paths of bookkeeping that the disk refuses, with what refuses it.
        """
        meant = self._meant(plan) if commit and plan.paths and self.repository.commits else {}
        Journal(self.tree.root).intend(Intent(printable(plan.summary), meant))
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
        from cortexfs.history.outcome import written_only  # noqa: PLC0415 - only to write

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
            try:
                done = self._commit(message, paths)
            except HistoryFailed as error:
                raise written_only(paths, error) from None
            if isinstance(done, str):
                return Finished(tuple(made), done)
            made += [done.id] if done else []
            mended = mended and not (done and done.pending)
        if by_message and mended:  # else the next run comes back to what shows as staged
            journal.close()
        return Finished(tuple(made), paths=tuple(chain.from_iterable(by_message.values())))

    def _refuse_uncommitted_secrets(self, plan: Plan) -> None:
        """Refuse to commit a file in which the user has left a secret that git does not hold."""
        from cortexfs.core.checks.secrets import refuse_unless_held, secrets  # noqa: PLC0415

        own = (w for w in plan.writes if not w.bookkeeping and w.path not in plan.uncommitted)
        risky = [write for write in own if write.replacing and secrets(write.replacing)]
        if risky and self.repository.commits and self.repository.history:
            held = self.repository.history.contents([("HEAD", write.path) for write in risky])
            for write, known in zip(risky, held, strict=True):
                before = (known or b"").decode(errors="replace")
                refuse_unless_held(write.path, write.replacing or "", before)

    def _uncommitted(self, writes: Sequence[Write]) -> list[Write]:
        """Give those that write over what the user has not committed; without git that is all."""
        if self.repository.history is None:
            return list(writes)
        theirs = self.repository.theirs([write.path for write in writes])
        return [write for write in writes if write.path in theirs.changed | theirs.untracked]

    def _losing(self, writes: Sequence[Write]) -> list[Write]:
        """Give those that take lines away which the last commit does not have."""
        if not writes:
            return []
        wanted = [("HEAD", write.path) for write in writes]
        held = (
            self.repository.history.contents(wanted)
            if self.repository.history
            else [None] * len(wanted)
        )
        return [
            write
            for write, known in zip(writes, held, strict=True)
            if write.loses((known or b"").decode(errors="replace"))
        ]

    def _keep(self, losing: Iterable[Write]) -> tuple[str, ...]:
        """Commit files as they are, but for one that holds a secret; give the commit, if any."""
        from cortexfs.core.checks.secrets import secrets  # noqa: PLC0415 - seldom is anything at risk

        paths = [write.path for write in losing if not secrets(write.replacing or "")]
        done = self._commit(f"keep {one_line(', '.join(paths))} as it was", paths)
        return () if done is None or isinstance(done, str) else (done.id,)

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

        if self.repository.history is None or not self.repository.commits or not paths:
            return None
        signed = message not in BOOKKEEPING
        done = self.repository.history.commit(message, list(dict.fromkeys(paths)), signed=signed)
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


def _is_by_hand(gone: Remove) -> bool:
    """Tell whether a file that is to be removed may hold what only a person knows."""
    is_derived = gone.path.endswith(f"/{INDEX}") or is_log(gone.path)
    return gone.replacing is not None and not is_derived
