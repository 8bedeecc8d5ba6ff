"""Deciding without doing: what a verb wants written, and what came of it, as values."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.core.atoms.atom import Finding


BOOKKEEPING = frozenset(
    ("chore: update access log", "chore: regenerate indexes", "chore: rotate access log")
)
"""What the commits say that only keep books: nobody's change, and nothing to be undone."""


class Mode(StrEnum):
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
    def commits(self) -> bool:
        """Whether a commit is made."""
        return self is Mode.COMMIT

    @property
    def is_dry_run(self) -> bool:
        """Whether nothing is written."""
        return self in {Mode.DRY_RUN, Mode.DRY_RUN_WRITE}

    @property
    def is_committing(self) -> bool:
        """Whether a commit is made, or would be but for the dry run."""
        return self in {Mode.DRY_RUN, Mode.COMMIT}


class Source(NamedTuple):
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
    replacing: str | None = None
    bookkeeping: bool = False

    def loses(self, known: str) -> bool:
        """Tell whether lines go that `known`, kept elsewhere, does not have in the same order."""
        lines = (self.replacing or "").splitlines()
        had = _common(self.text, lines) | _common(known, lines)
        return any(line.strip() for at, line in enumerate(lines) if at not in had)


class Remove(NamedTuple):
    """Take the file at `path` away, provided it still reads `replacing` (None: it is gone).

    Folders that are left empty go with it, but for those at the root.
    """

    path: str
    replacing: str | None


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

    summary: str
    writes: tuple[Write, ...] = ()
    appends: tuple[Append, ...] = ()
    notes: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()
    uncommitted: frozenset[str] = frozenset()
    left_out: frozenset[str] = frozenset()
    removes: tuple[Remove, ...] = ()
    from_git: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        """What belongs into the commit."""
        touched: tuple[Write | Remove | Append, ...]
        touched = (*self.writes, *self.removes, *self.appends)
        every = (*(each.path for each in touched), *self.adopted)
        return tuple(path for path in dict.fromkeys(every) if path not in self.uncommitted)

    @property
    def brings_in(self) -> bool:
        """Tell whether it may bring in what git does not hold and no other file says."""
        written = any(not write.bookkeeping for write in self.writes) or bool(self.adopted)
        return written and not self.from_git and self.summary not in BOOKKEEPING

    def without(self, refused: Collection[str]) -> Plan:
        """Give what has come of it where the disk has refused some of its bookkeeping."""
        done = tuple(write for write in self.writes if write.path not in refused)
        return self._replace(writes=done, left_out=self.left_out.union(refused))


class Counts(NamedTuple):
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
    counts: Counts
    write: Write | None
    shown: Mapping[str, tuple[int, str]] = MappingProxyType({})
    by_hand: bool = False


class Outcome(NamedTuple):
    """What has been done.

    `commits` are the ids of the commits made, the plan's own last; `waiting` says why
    something written is not committed; `blocked` are files that cannot be brought up to date,
    `kept` copies of what a person had written and git does not have. `own_changes` are files
    in which changes that the user had not committed come into the commit.
    """

    plan: Plan
    drained: Plan
    indexes: tuple[IndexPlan, ...] = ()
    blocked: tuple[Finding, ...] = ()
    commits: tuple[str, ...] = ()
    waiting: str = ""
    kept: tuple[str, ...] = ()
    own_changes: tuple[str, ...] = ()


class Decision(Protocol):
    """What a planner returns: any value that has a plan."""

    @property
    def plan(self) -> Plan:
        """What is to be done."""


class Planned(NamedTuple):
    """A decision that is nothing but its plan, and the outcome (None: it was a dry run)."""

    plan: Plan
    outcome: Outcome | None = None


class _Answer(Decision, Protocol):
    """A decision that has a place for its outcome."""

    def _replace(self, *, plan: Plan, outcome: Outcome | None) -> Self:
        """Return a copy with another plan and outcome."""


Decided = TypeVar("Decided", bound=Decision)
Answer = TypeVar("Answer", bound=_Answer)


class Executed(NamedTuple, Generic[Decided]):
    """What the planner decided, and the outcome (None: it was a dry run)."""

    decision: Decided
    outcome: Outcome | None


def with_outcome(executed: Executed[Answer]) -> Answer:
    """Return the decision with its outcome, and the plan as far as the disk let it be done."""
    decision, outcome = executed
    plan = outcome.plan if outcome else decision.plan
    return decision._replace(plan=plan, outcome=outcome)


def _common(text: str, lines: list[str]) -> set[int]:
    """Tell which of some lines, by number, a text has too, in the same order."""
    from cortexfs.core.text.line_diff import matching_lines  # noqa: PLC0415 - seldom is anything at risk

    return {at for at, _ in matching_lines(lines, text.splitlines())}
