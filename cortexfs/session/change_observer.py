"""Watch the changes of a session: their plans before a file is written, their outcomes after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.changes.plan import Outcome, Plan, ResultT
    from cortexfs.session.perform_change import Decide
    from cortexfs.session.view import View


@dataclass(frozen=True, slots=True)
class ChangeObserver:
    """`check_plan` gets each plan, under the lock if it is to be executed, and may raise.

    Nothing is written then. `outcomes` are those of the executed plans.
    """

    check_plan: Callable[[Plan], object]
    outcomes: list[Outcome] = field(default_factory=list)

    def watch_planner(self, decide: Decide[ResultT]) -> Decide[ResultT]:
        """Return a planner that shows its plan before it returns it."""

        def decide_and_show(view: View) -> ResultT:
            decided = decide(view)
            self.check_plan(decided.plan)
            return decided

        return decide_and_show
