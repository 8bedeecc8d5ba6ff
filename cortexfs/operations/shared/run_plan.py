"""Make up one's mind and do it, or only say what would be done: the way of every changing verb."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.cortex import Cortex


class Planned(Protocol):
    """What a verb answers: a plan with what it says beside it, and in the end what came of it."""

    @property
    def plan(self) -> Plan:
        """What is to be done, or has been."""

    def _replace(self, *, plan: Plan, outcome: Outcome | None) -> Self:
        """Say what came of it."""


class Carried(NamedTuple):
    """A plan, and what came of it (None: it was a dry run)."""

    plan: Plan
    outcome: Outcome | None = None


_Answer = TypeVar("_Answer", bound=Planned)


def carried_out(
    cortex: Cortex,
    decide: Callable[[Cortex], _Answer],
    *,
    dry_run: bool,
    commit: bool,
    render: Callable[[], Iterable[str]] | None = None,
) -> _Answer:
    """Decide under the lock and do it; a dry run decides, and refuses what would be refused.

    `render` is as in `Cortex.carry_out`.
    """
    decided: list[_Answer] = []

    def planner(view: Cortex) -> Plan:
        decided[:] = [decide(view)]
        return decided[0].plan

    if dry_run:
        cortex.rehearse(planner)
        return decided[0]
    outcome = cortex.carry_out(planner, commit=commit, render=render)
    return decided[0]._replace(plan=outcome.plan, outcome=outcome)
