"""Undo the last changes together: all of them, or none."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Remove, Write, attach_outcome
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Refused
from cortexfs.operations.shared.resolve_revision import require_repository
from cortexfs.operations.undo import (
    UndoResult,
    iter_changes_in_effect,
    plan_rest_of_undo,
    plan_reversal,
    require_quiet_repository,
    undo,
)

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.annotation_types import CommitSummary, UndoableChange
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class UndoRehearsal(NamedTuple):
    """The changes to undo, newest first, and the plan that undoes all of them at once."""

    commits: tuple[CommitSummary, ...]
    plan: Plan
    outcome: Outcome | None = None


def undo_several(
    session: Session, number: int, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> list[UndoResult]:
    """Undo the last `number` changes, newest first, each in its own commit.

    Raises `Refused`, and undoes nothing, if one of them cannot be undone. Without commits they are
    undone at once.
    """
    require_quiet_repository(session)
    planned = ExecutionMode.DRY_RUN if mode.makes_commit else mode
    rehearsed = attach_outcome(session.execute(lambda view: _rehearse(view, number), planned))
    if mode.makes_commit:
        return [undo(session, commit.commit, mode=mode) for commit in rehearsed.commits]
    return [UndoResult(commit, rehearsed.plan, rehearsed.outcome) for commit in rehearsed.commits]


def _rehearse(view: View, number: int) -> UndoRehearsal:
    """Plan the undo of the last changes one after another, each on what the one before leaves."""
    latest = _list_latest(view, number)
    if len(latest) < number:
        found = format_count(len(latest), "change")
        raise Refused(f"only {found} can be undone", hint="`cortexfs log` shows the changes")
    steps: dict[str, Write | Remove] = {}
    for change in latest:
        texts = {
            path: step.text if isinstance(step, Write) else None for path, step in steps.items()
        }
        plan = plan_reversal(view, change, texts)
        both: tuple[Write | Remove, ...] = (*plan.writes, *plan.removes)
        for step in both:
            expected = steps.get(step.path, step).expected_text
            steps[step.path] = step._replace(expected_text=expected)
    plan = Plan(
        f"undo: {format_count(number, 'change')}",
        tuple(step for step in steps.values() if isinstance(step, Write)),
        removes=tuple(step for step in steps.values() if isinstance(step, Remove)),
        is_from_git=True,
    )
    return UndoRehearsal(tuple(change.commit for change in latest), plan)


def _list_latest(view: View, number: int) -> list[UndoableChange]:
    """Return up to `number` of the last changes in effect; a partly undone one is the first."""
    found: list[UndoableChange] = []
    for at, change in enumerate(iter_changes_in_effect(view)):
        if at == 0 and plan_rest_of_undo(view, change):
            partly_undone = require_repository(view).find_change(change.undone_commit)
            found += [partly_undone] if partly_undone else []
        elif not change.undone_commit:
            found.append(change)
        if len(found) == number:
            break
    return found
