"""Deciding without doing: what a verb wants written, and what came of it, as values."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.atoms.atom import Finding


HOUSEKEEPING_MESSAGES = frozenset(
    ("chore: update access log", "chore: regenerate indexes", "chore: rotate access log")
)
"""What the commits say that only keep books: nobody's change, and nothing to be undone."""


class WriteMode(StrEnum):
    """How far an operation goes."""

    DRY_RUN = "dry-run"
    """Plan, refuse what would be refused, and write nothing."""
    DRY_RUN_WRITE = "dry-run-write"
    """As `DRY_RUN`, of what `WRITE` would do."""
    WRITE = "write"
    """Write the files, and make no commit."""
    COMMIT = "commit"
    """Write the files and commit them."""

    @property
    def makes_commit(self) -> bool:
        """Whether a commit is made."""
        return self is WriteMode.COMMIT

    @property
    def is_dry_run(self) -> bool:
        """Whether nothing is written."""
        return self in {WriteMode.DRY_RUN, WriteMode.DRY_RUN_WRITE}

    @property
    def is_committing(self) -> bool:
        """Whether a commit is made, or would be but for the dry run."""
        return self in {WriteMode.DRY_RUN, WriteMode.COMMIT}


class FileText(NamedTuple):
    """A file as it was read: its path below the root, and its text."""

    path: str
    text: str


class Write(NamedTuple):
    """Put `text` at `path`, provided it still reads `replacing` (None: not there).

    `bookkeeping` keeps true what follows from other files: where the disk refuses it, the
    rest of the plan goes on.
    """

    path: str
    text: str
    expected_text: str | None = None
    is_derived: bool = False

    def loses_lines(self, known: str) -> bool:
        """Tell whether lines go that `known`, kept elsewhere, does not have in the same order."""
        lines = (self.expected_text or "").splitlines()
        had = _common(self.text, lines) | _common(known, lines)
        return any(line.strip() for at, line in enumerate(lines) if at not in had)


class Remove(NamedTuple):
    """Take the file at `path` away, provided it still reads `replacing` (None: it is gone).

    Folders that are left empty go with it, but for those at the root.
    """

    path: str
    expected_text: str | None


class Append(NamedTuple):
    """Add whole lines to the log at `path`."""

    path: str
    lines: tuple[str, ...]


class Plan(NamedTuple):
    """One commit: its message, the files that it writes and the lines that it adds.

    `notes` are spool notes that it makes good, forgotten once the rest is on disk.
    `adopted` are files that stand already and come into the commit as they are, `uncommitted`
    paths that stay out of it: the user's own unfinished work; `left_out` files that should
    be written and are not, for the same reason: another run comes back to them. `from_git`
    tells that it brings nothing in: git holds it all already.
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

    @property
    def commit_paths(self) -> tuple[str, ...]:
        """What belongs into the commit."""
        touched: tuple[Write | Remove | Append, ...]
        touched = (*self.writes, *self.removes, *self.appends)
        every = (*(each.path for each in touched), *self.adopted_paths)
        return tuple(path for path in dict.fromkeys(every) if path not in self.uncommitted_paths)

    @property
    def adds_content(self) -> bool:
        """Tell whether it may bring in what git does not hold and no other file says."""
        written = any(not write.is_derived for write in self.writes) or bool(self.adopted_paths)
        return written and not self.is_from_git and self.message not in HOUSEKEEPING_MESSAGES

    def without_refused(self, refused: Collection[str]) -> Plan:
        """Give what has come of it where the disk has refused some of its bookkeeping."""
        done = tuple(write for write in self.writes if write.path not in refused)
        return self._replace(writes=done, skipped_paths=self.skipped_paths.union(refused))


class SectionCounts(NamedTuple):
    """How many atoms stand in which section, and how many files could not be read."""

    active: int
    superseded: int
    invalidated: int
    unreadable: int


class IndexPlan(NamedTuple):
    """One index: its path, what it counts, and the write that it needs, if any.

    `shown` are the refs and the last ref of each file in it, known where it was rendered;
    `by_hand` tells that a person's own text stands where it is to be written.
    """

    path: str
    counts: SectionCounts
    write: Write | None
    shown_reads: Mapping[str, tuple[int, str]] = MappingProxyType({})
    is_handwritten: bool = False


class Outcome(NamedTuple):
    """What has been done.

    `commits` are the ids of the commits made, the plan's own last; `waiting` says why
    something written is not committed; `blocked` are files that cannot be brought up to date,
    `kept` copies of what a person had written and git does not have. `own_changes` are files
    in which changes that the user had not committed come into the commit.
    """

    plan: Plan
    drain_plan: Plan
    indexes: tuple[IndexPlan, ...] = ()
    blocked_findings: tuple[Finding, ...] = ()
    commits: tuple[str, ...] = ()
    uncommitted_reason: str = ""
    kept: tuple[str, ...] = ()
    own_changes: tuple[str, ...] = ()


class PlannerResult(Protocol):
    """What a planner returns: any value that has a plan."""

    @property
    def plan(self) -> Plan:
        """What is to be done."""


class PlanOnlyResult(NamedTuple):
    """A decision that is nothing but its plan, and the outcome (None: it was a dry run)."""

    plan: Plan
    outcome: Outcome | None = None


class _Answer(PlannerResult, Protocol):
    """A decision that has a place for its outcome."""

    def _replace(self, *, plan: Plan, outcome: Outcome | None) -> Self:
        """Return a copy with another plan and outcome."""


ResultT = TypeVar("ResultT", bound=PlannerResult)
OutcomeResultT = TypeVar("OutcomeResultT", bound=_Answer)


class ExecutedPlan(NamedTuple, Generic[ResultT]):
    """What the planner decided, and the outcome (None: it was a dry run)."""

    result: ResultT
    outcome: Outcome | None


def attach_outcome(executed: ExecutedPlan[OutcomeResultT]) -> OutcomeResultT:
    """Return the decision with its outcome, and the plan as far as the disk let it be done."""
    decision, outcome = executed
    plan = outcome.plan if outcome else decision.plan
    return decision._replace(plan=plan, outcome=outcome)


def _common(text: str, lines: list[str]) -> set[int]:
    """Tell which of some lines, by number, a text has too, in the same order."""
    from cortexfs.core.text.line_diff import match_lines  # noqa: PLC0415 - seldom is anything at risk

    return {at for at, _ in match_lines(lines, text.splitlines())}
