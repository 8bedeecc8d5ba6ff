"""Show what a change would do, and later do exactly that."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan_digest import PlanningTime, digest_plans, require_same_plan
from cortexfs.session.change_observer import ChangeObserver

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.session.session import Session

    Change = Callable[[Session, ExecutionMode], "ResultT"]

ResultT = TypeVar("ResultT")


class PreviewedChange(NamedTuple, Generic[ResultT]):
    """The result of a dry run, and its plans; `digest` stands for exactly these."""

    result: ResultT
    plans: tuple[Plan, ...]
    digest: str


class ConfirmedChange(NamedTuple, Generic[ResultT]):
    """The result of a change, and the outcomes of its plans."""

    result: ResultT
    outcomes: Sequence[Outcome]


def preview_change(session: Session, change: Change[ResultT]) -> PreviewedChange[ResultT]:
    """Plan a change, which is one operation with the given session and mode; write nothing."""
    began, observer = _read_time(session), ChangeObserver()
    result = change(session.with_observer(observer), ExecutionMode.DRY_RUN)
    plans = observer.planned[-1] if observer.planned else ()
    made = PlanningTime(began, _read_time(session))
    return PreviewedChange(result, plans, digest_plans(plans, made))


def confirm_change(
    session: Session, change: Change[ResultT], digest: str
) -> ConfirmedChange[ResultT]:
    """Make a change if its plans are those of the preview with a digest.

    Raises `PlanChanged` if they are not; then nothing is written.
    """
    began = _read_time(session)

    def check_plans(plans: Sequence[Plan]) -> None:
        made = PlanningTime(began, _read_time(session))
        require_same_plan(digest, digest_plans(plans, made))

    observer = ChangeObserver(check_plans=check_plans)
    result = change(session.with_observer(observer), ExecutionMode.COMMIT)
    return ConfirmedChange(result, observer.outcomes)


def _read_time(session: Session) -> datetime:
    return session.clock().astimezone(UTC)
