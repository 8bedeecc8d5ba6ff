"""Watch the changes of a session: before they are planned, before a file is written, and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.changes.plan import Outcome, Plan, ResultT
    from cortexfs.session.perform_change import Decide
    from cortexfs.session.view import View


def accept(_: object) -> None:
    """Refuse nothing."""


@dataclass(frozen=True, slots=True)
class ChangeObserver:
    """`check_view` gets the view of each planner just before it runs, `check_plan` its plan.

    Both are called under the lock if the plan is to be executed, and may raise: nothing is written
    then. `outcomes` are those of the executed plans.
    """

    check_view: Callable[[View], object] = accept
    check_plan: Callable[[Plan], object] = accept
    outcomes: list[Outcome] = field(default_factory=list)

    def watch_planner(self, decide: Decide[ResultT]) -> Decide[ResultT]:
        """Return a planner that is checked before and after it plans."""

        def decide_and_show(view: View) -> ResultT:
            self.check_view(view)
            decided = decide(view)
            self.check_plan(decided.plan)
            return decided

        return decide_and_show
