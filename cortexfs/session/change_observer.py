"""Watch the changes of a session: before they are planned, before a file is written, and after."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.changes.plan import Outcome, Plan, ResultT
    from cortexfs.session.perform_change import Decide
    from cortexfs.session.view import View


def accept(_: object) -> None:
    """Refuse nothing."""


@dataclass(frozen=True, slots=True)
class ChangeObserver:
    """`check_view` gets the view of each planner just before it runs, `check_plans` all plans.

    Both are called under the lock if a change is made, and may raise: nothing is written then. The
    plans of several changes in one commit are those that each has in the tree as it is. `planned`
    are the plans of dry runs, `outcomes` those of the executed changes.
    """

    check_view: Callable[[View], object] = accept
    check_plans: Callable[[Sequence[Plan]], object] | None = None
    planned: list[tuple[Plan, ...]] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)

    def watch_view(self, decide: Decide[ResultT]) -> Decide[ResultT]:
        """Return a planner whose view is checked."""

        def check_and_decide(view: View) -> ResultT:
            self.check_view(view)
            return decide(view)

        return check_and_decide

    def watch_plan(self, decide: Decide[ResultT]) -> Decide[ResultT]:
        """Return a planner whose view and plan are checked."""

        def decide_and_check(view: View) -> ResultT:
            self.check_view(view)
            decided = decide(view)
            if self.check_plans:
                self.check_plans([decided.plan])
            return decided

        return decide_and_check
