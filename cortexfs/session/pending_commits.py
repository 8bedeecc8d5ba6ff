"""Pending commits: changes are recorded as intended, then as written, then committed."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import is_access_log
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.stories.story_name import is_record_path
from cortexfs.core.text.sanitize import strip_unprintable, truncate_line
from cortexfs.errors import HistoryFailed
from cortexfs.tree.commit_journal import (
    ANY_CONTENT,
    NO_CONTENT,
    CommitIntent,
    CommitJournal,
    compute_checksum,
    compute_path_checksum,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Plan
    from cortexfs.history.commit_outcome import CommitMade
    from cortexfs.session.tree_repository import TreeRepository
    from cortexfs.tree.tree import Tree


MAX_LISTED_CHANGES = 50
"""Maximum number of changes that the message of one commit lists."""
MAX_SUBJECT_CHARS = 60
"""Maximum characters of the first change in the subject of a commit of several."""


class FinishResult(NamedTuple):
    """The commits made, why the rest has to wait (empty: nothing waits), and the paths of all."""

    commits: tuple[str, ...] = ()
    waiting_reason: str = ""
    paths: tuple[str, ...] = ()


class PendingCommits(NamedTuple):
    """The journal of a tree, and the repository around it; without git the journal is empty."""

    tree: Tree
    repository: TreeRepository

    def commit_before_overwrite(self, plan: Plan) -> None:
        """Commit what waits in the journal if a plan would overwrite some of it.

        Of a derived file git needs no earlier state.
        """
        paths = {w.path for w in plan.writes if w.expected_text is not None and not w.is_derived}
        paths.update(remove.path for remove in plan.removes)
        if paths and any(
            not paths.isdisjoint(intent.checksums)
            for intent in CommitJournal(self.tree.root).read_intents()
        ):
            self.commit_pending()

    def write_plan(
        self, plan: Plan, *, commit: bool, is_deferred: bool = False
    ) -> dict[str, Finding]:
        """Record the intended changes, so that a killed run can be completed; then write them.

        Returns the paths of derived files that could not be written, with the reason.
        """
        if not (plan.writes or plan.removes or plan.appends or plan.adopted_paths):
            return {}
        from cortexfs.tree.write_files import append_lines, write_files  # noqa: PLC0415 - most commands write nothing

        checksums = (
            self._compute_checksums(plan)
            if commit and plan.commit_paths and self.repository.can_commit
            else {}
        )
        CommitJournal(self.tree.root).record_intent(
            CommitIntent(strip_unprintable(plan.message), checksums, is_deferred)
        )
        try:
            refused = write_files(self.tree.root, plan.writes, plan.removes)
            for added in plan.appends:
                append_lines(self.tree.root, added)
        except BaseException:
            self._withdraw_unmet(checksums)
            raise
        if refused:
            self._withdraw_unmet(checksums)
        return refused

    def commit_pending(self) -> FinishResult:
        """Commit everything that the journal lists as uncommitted, by this run or a killed one."""
        journal = CommitJournal(self.tree.root)
        intents = journal.read_intents()
        if not intents:
            return FinishResult()
        from cortexfs.tree.write_files import remove_drafts  # noqa: PLC0415 - most commands write nothing

        folders = {path.rpartition("/")[0] for each in intents for path in each.checksums}
        remove_drafts(self.tree.root, folders)
        by_message = self._group_by_message(intents)
        made: list[str] = []
        is_index_current = True
        for message, paths in by_message.items():
            done = self._commit_group(message, paths)
            if isinstance(done, str):
                return FinishResult(tuple(made), done)
            made += [done.id] if done else []
            is_index_current = is_index_current and not (done and done.pending_paths)
        if by_message and is_index_current:  # else the next run updates the user's index
            journal.clear()
        return FinishResult(tuple(made), paths=tuple(chain.from_iterable(by_message.values())))

    def _group_by_message(self, intents: Sequence[CommitIntent]) -> dict[str, list[str]]:
        """Return the files to commit by the message, without those that have other content now."""
        by_message: dict[str, list[str]] = {}
        deferred = _describe_deferred([each.message for each in intents if each.is_deferred])
        for intent in intents:
            paths = by_message.setdefault(deferred if intent.is_deferred else intent.message, [])
            paths += [
                path for path, known in intent.checksums.items() if self._has_content(path, known)
            ]
        return by_message

    def _commit_group(self, message: str, paths: list[str]) -> CommitMade | str | None:
        """Commit files as `commit_paths` does; an error says that they are written."""
        try:
            return self.commit_paths(message, paths)
        except HistoryFailed as error:
            from cortexfs.history.commit_outcome import uncommitted_error  # noqa: PLC0415

            raise uncommitted_error(paths, error) from None

    def _compute_checksums(self, plan: Plan) -> dict[str, str]:
        """Return the expected content of each path after the plan: a checksum or a marker."""
        checksums = {
            path: compute_path_checksum(self.tree.root, path) for path in plan.adopted_paths
        }
        checksums |= {added.path: ANY_CONTENT for added in plan.appends}
        checksums |= {write.path: compute_checksum(write.text.encode()) for write in plan.writes}
        checksums |= {remove.path: NO_CONTENT for remove in plan.removes}
        return {path: checksums[path] for path in plan.commit_paths}

    def _withdraw_unmet(self, checksums: Mapping[str, str]) -> None:
        """Remove from the journal the intended changes that were not made."""
        unmet = {
            path: known for path, known in checksums.items() if not self._has_content(path, known)
        }
        if unmet:
            with suppress(OSError):  # an unmet entry is not committed anyway
                CommitJournal(self.tree.root).remove_paths(unmet)

    def commit_paths(self, message: str, paths: list[str]) -> CommitMade | str | None:
        """Return the commit made, if there was anything to commit; the reason if it has to wait."""
        from cortexfs.history.commit_outcome import CommitSkipped  # noqa: PLC0415 - only to write

        if self.repository.history is None or not self.repository.can_commit or not paths:
            return None
        signed = message not in HOUSEKEEPING_MESSAGES
        done = self.repository.history.commit(message, list(dict.fromkeys(paths)), signed=signed)
        if not isinstance(done, CommitSkipped):
            return done
        return done.reason if done.can_retry else None

    def _has_content(self, path: str, known: str) -> bool:
        """Return whether a path has the intended content; for a log, whether it is one."""
        if known == ANY_CONTENT:
            return (is_access_log(path) or is_record_path(path)) and self.tree.is_file(path)
        try:
            return compute_path_checksum(self.tree.root, path) == known
        except OSError:
            return False


def _describe_deferred(messages: Sequence[str]) -> str:
    """Return the message of one commit of several changes."""
    distinct = list(dict.fromkeys(filter(None, messages)))
    if len(distinct) < 2:  # noqa: PLR2004 - one change needs no list
        return "".join(distinct) or "chore: regenerate indexes"
    shown = [f"- {each}" for each in distinct[:MAX_LISTED_CHANGES]]
    if left := len(distinct) - len(shown):
        shown.append(f"- and {left} more")
    subject = f"{truncate_line(distinct[0], MAX_SUBJECT_CHARS)} and {len(distinct) - 1} more"
    return "\n".join([subject, "", *shown])
