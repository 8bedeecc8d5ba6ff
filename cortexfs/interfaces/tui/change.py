"""What a change is: one function plans it, for the question, and makes it, after the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan_diff import format_diff, format_plan_diffs
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.tui.shown_content import Cell, Line, Subject, Tone
from cortexfs.interfaces.tui.shown_text import clean_lines, line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.interfaces.tui.page import PanelContext

    Run = Callable[["PanelContext", "Answers", ExecutionMode], "ChangeResult"]


class Field(NamedTuple):
    """A question before a change."""

    name: str
    label: str
    is_required: bool = False
    choices: tuple[str, ...] = ()


class Answers(NamedTuple):
    """What is changed, and the answers to the questions by their names."""

    key: str
    typed: Mapping[str, str]

    def get(self, name: str) -> str:
        """Return an answer without blanks around it; empty if there is none."""
        return self.typed.get(name, "").strip()


class ChangeResult(NamedTuple):
    """What is changed, or would be: a message, the differences, and the commits made.

    `note` is what the person should know besides.
    """

    message: str
    lines: tuple[Line, ...]
    is_change: bool = True
    commits: tuple[str, ...] = ()
    note: str = ""


class Change(NamedTuple):
    """One kind of change: its key, what it is called, and for what it is offered.

    It is offered for rows about one of `subjects`, or on one of `pages`; without both always.
    """

    name: str
    key: str
    label: str
    run: Run
    subjects: frozenset[Subject] = frozenset()
    pages: frozenset[str] = frozenset()
    fields: tuple[Field, ...] = ()

    def is_offered(self, page: str, subject: Subject) -> bool:
        """Return whether it is offered on a page for a row."""
        is_everywhere = not self.subjects and not self.pages
        return is_everywhere or subject in self.subjects or page in self.pages


def describe_plan(plan: Plan, outcome: Outcome | None) -> ChangeResult:
    """Return a plan, and its outcome if it was executed."""
    done = outcome.plan if outcome else plan
    is_change = bool(done.writes or done.removes or done.appends)
    own = outcome.own_changes if outcome else ()
    notes = [outcome.uncommitted_reason] if outcome and outcome.uncommitted_reason else []
    notes += [f"{path}: your own changes are in the commit" for path in own]
    commits = outcome.commits[-1:] if outcome else ()
    lines = tuple(_format_plan(done))
    message = done.message.partition("\n")[0]  # the rest is a trailer
    return ChangeResult(message, lines, is_change, commits, "; ".join(notes))


def _format_plan(plan: Plan) -> Iterator[Line]:
    """Yield the difference of each file; derived files, such as indexes, are only counted."""
    derived = {write.path for write in plan.writes if write.is_derived}
    own = plan._replace(writes=tuple(each for each in plan.writes if not each.is_derived))
    for _, diff in format_plan_diffs(own):
        yield from format_diff_lines(diff)
    if derived:
        count = format_count(len(derived), "derived file")
        yield line(Cell(f"and {count}, such as lists and indexes", Tone.MUTED))


def format_file_change(path: str, before: str | None, after: str | None) -> tuple[Line, ...]:
    """Return the difference of one file."""
    return tuple(format_diff_lines(format_diff(path, before, after)))


def format_diff_lines(diff: str) -> Iterator[Line]:
    """Yield the lines of a unified diff, added and removed ones in colour."""
    for text in clean_lines(diff.rstrip("\n")) if diff else ():
        yield (Cell(text, _choose_tone(text)),)


def _choose_tone(text: str) -> Tone:
    if text.startswith(("---", "+++")):
        return Tone.STRONG
    tones = {"+": Tone.GOOD, "-": Tone.BAD, "@": Tone.ACCENT}
    return tones.get(text[:1], Tone.MUTED)
