"""Plans and outcomes of operations, as values; executing a plan is done elsewhere."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, Self, TypeVar

from cortexfs.core.atoms.tree_paths import is_personal_path

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.process_events.process_event import ProcessEvent


IGNORE_BULLETIN_MESSAGE = "chore: ignore BULLETIN.md"
HOUSEKEEPING_MESSAGES = frozenset(
    (
        "chore: update access log",
        "chore: regenerate indexes",
        "chore: rotate access log",
        IGNORE_BULLETIN_MESSAGE,
    )
)
"""The messages of housekeeping commits, which are not undone."""


class Write(NamedTuple):
    """Write `text` to `path` if the file still contains `expected_text` (None: it does not exist).

    `is_derived` marks a file that is derived from others: if it cannot be written, the rest of
    the plan is still executed.
    """

    path: str
    text: str
    expected_text: str | None = None
    is_derived: bool = False

    def loses_lines(self, kept_text: str) -> bool:
        """Return whether lines are lost that neither the new text nor `kept_text` has."""
        lines = (self.expected_text or "").splitlines()
        kept = _find_common_lines(self.text, lines) | _find_common_lines(kept_text, lines)
        return any(line.strip() for number, line in enumerate(lines) if number not in kept)


class Remove(NamedTuple):
    """Remove the file at `path` if it still contains `expected_text` (None: it is already gone).

    Folders that become empty are removed too, except those at the root. With `is_erased` no copy
    is made of what git does not have.
    """

    path: str
    expected_text: str | None
    is_erased: bool = False


class Append(NamedTuple):
    """Add whole lines to the log at `path`."""

    path: str
    lines: tuple[str, ...]


class Plan(NamedTuple):
    """One commit: its message, the files that it writes and the lines that it appends.

    `spool_notes` are the drained spool notes, removed once the rest is on disk. `adopted_paths`
    are existing files that are committed as they are. `uncommitted_paths` are not committed because
    they contain the user's uncommitted changes. `skipped_paths` are derived files that could not be
    written. `is_from_git` means that git already has all the content. `process_events` go to the
    private event log, before the notes are removed.
    """

    message: str
    writes: tuple[Write, ...] = ()
    appends: tuple[Append, ...] = ()
    spool_notes: tuple[str, ...] = ()
    adopted_paths: tuple[str, ...] = ()
    uncommitted_paths: frozenset[str] = frozenset()
    skipped_paths: frozenset[str] = frozenset()
    removes: tuple[Remove, ...] = ()
    is_from_git: bool = False
    process_events: tuple[ProcessEvent, ...] = ()

    @property
    def commit_paths(self) -> tuple[str, ...]:
        """The paths to commit, without personal ones."""
        steps: tuple[Write | Remove | Append, ...]
        steps = (*self.writes, *self.removes, *self.appends)
        every = (*(step.path for step in steps), *self.adopted_paths)
        return tuple(
            path
            for path in dict.fromkeys(every)
            if path not in self.uncommitted_paths and not is_personal_path(path)
        )

    @property
    def adds_content(self) -> bool:
        """Whether it may add content that is neither in git nor derived from other files."""
        has_content = any(not write.is_derived for write in self.writes) or bool(self.adopted_paths)
        return has_content and not self.is_from_git and self.message not in HOUSEKEEPING_MESSAGES

    def without_unwritten(self, unwritten: Collection[str]) -> Plan:
        """Return the plan without the derived files (`unwritten`) that could not be written."""
        writes = tuple(write for write in self.writes if write.path not in unwritten)
        return self._replace(writes=writes, skipped_paths=self.skipped_paths.union(unwritten))


class SectionCounts(NamedTuple):
    """The number of atoms in each section of an index, and of files that could not be read."""

    active: int
    superseded: int
    invalidated: int
    unreadable: int


class IndexPlan(NamedTuple):
    """One index: its path, its counts, and the write that it needs, if any.

    `shown_reads` has the read count and last read of each file in it, if it was rendered.
    `is_handwritten` means that the present file was written by hand, `is_edited` that it is not
    what was rendered here last: a person has edited it, or it was rendered elsewhere.
    """

    path: str
    counts: SectionCounts
    write: Write | None
    shown_reads: Mapping[str, tuple[int, str]] = MappingProxyType({})
    is_handwritten: bool = False
    is_edited: bool = False


class Outcome(NamedTuple):
    """The outcome of an executed plan.

    `commits` are the ids of the commits made, the plan's own last; `uncommitted_reason` states why
    something written is not committed yet, `missing_repository` why it never will be;
    `blocked_findings` are files that could not be updated; `backups` are the paths of copies of
    hand-written text that git does not have. `own_changes` are files whose uncommitted changes by
    the user are part of the commit.
    """

    plan: Plan
    drain_plan: Plan
    indexes: tuple[IndexPlan, ...] = ()
    blocked_findings: tuple[Finding, ...] = ()
    commits: tuple[str, ...] = ()
    uncommitted_reason: str = ""
    backups: tuple[str, ...] = ()
    own_changes: tuple[str, ...] = ()
    missing_repository: str = ""

    @property
    def why_uncommitted(self) -> str:
        """Why what was written has no commit; empty if it has one, or if nothing was written."""
        reason = self.uncommitted_reason or self.missing_repository
        return reason if self.plan.commit_paths else ""


class PlannerResult(Protocol):
    """The result of a planner: any value that has a plan."""

    @property
    def plan(self) -> Plan:
        """The plan to execute."""


class PlanOnlyResult(NamedTuple):
    """A plan without further results, and its outcome (None: a dry run)."""

    plan: Plan
    outcome: Outcome | None = None


class _ResultWithOutcome(PlannerResult, Protocol):
    """A planner's result that has a field for its outcome."""

    def _replace(self, *, plan: Plan, outcome: Outcome | None) -> Self:
        """Return a copy with another plan and outcome."""


ResultT = TypeVar("ResultT", bound=PlannerResult)
OutcomeResultT = TypeVar("OutcomeResultT", bound=_ResultWithOutcome)


class ExecutedPlan(NamedTuple, Generic[ResultT]):
    """The planner's result, and the outcome (None: a dry run)."""

    result: ResultT
    outcome: Outcome | None


def attach_outcome(executed: ExecutedPlan[OutcomeResultT]) -> OutcomeResultT:
    """Return the planner's result with its outcome and the plan as executed."""
    result, outcome = executed
    plan = outcome.plan if outcome else result.plan
    return result._replace(plan=plan, outcome=outcome)


def _find_common_lines(text: str, lines: list[str]) -> set[int]:
    """Return the indexes of the lines that a text also has, in the same order."""
    from cortexfs.core.text.line_diff import match_lines  # noqa: PLC0415 - rarely needed

    return {number for number, _ in match_lines(lines, text.splitlines())}
