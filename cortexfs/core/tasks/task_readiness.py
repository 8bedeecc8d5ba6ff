"""All tasks of a tree: their states, what blocks each, and which is next."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.tasks.priority_words import DEFAULT_RANK, PRIORITY_RANKS
from cortexfs.core.tasks.task_and_board import DONE, PENDING
from cortexfs.core.tasks.task_times import parse_day_or_none

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import date

    from cortexfs.core.tasks.task_and_board import Task


MAX_NAMED_TASKS = 20
"""Maximum number of tasks that are named when one waits for many."""


class TaskState(StrEnum):
    """The state of a task; only a ready task can be claimed."""

    READY = "ready"
    CLAIMED = "claimed"
    WAITING = "waiting"
    BLOCKED = "blocked"
    PAUSED = "paused"
    PENDING = "pending"
    DONE = "done"

    @property
    def is_open(self) -> bool:
        """Whether the task is not done, whatever it waits for."""
        return self is not TaskState.DONE


OPEN_STATES = frozenset(state for state in TaskState if state.is_open)


class Readiness(NamedTuple):
    """The state of a task, and the reason, as words that follow its name."""

    state: TaskState
    reason: str


@dataclass(frozen=True, slots=True)
class Backlog:
    """The tasks of a tree by id and by parent; for a duplicate id the first task counts.

    `archived_ids` are the ids of the tasks in the archives, which are done.
    """

    tasks: tuple[Task, ...]
    archived_ids: frozenset[str]
    project_ranks: Mapping[str, int]
    today: date
    by_id: dict[str, Task] = field(default_factory=dict)
    subtasks: dict[str, list[Task]] = field(default_factory=lambda: defaultdict(list))
    _open_part_names: dict[str, str] = field(default_factory=dict)
    _blockers: dict[str, tuple[str, str]] = field(default_factory=dict)

    @classmethod
    def from_tasks(
        cls,
        tasks: Iterable[Task],
        archived_ids: frozenset[str],
        project_ranks: Mapping[str, int],
        today: date,
    ) -> Backlog:
        """Index the tasks of a tree."""
        backlog = cls(tuple(tasks), archived_ids, project_ranks, today)
        for task in backlog.tasks:
            backlog.by_id.setdefault(task.id, task)
            if task.parent:
                backlog.subtasks[task.parent].append(task)
        return backlog

    def assess_readiness(self, task: Task) -> Readiness:
        """Return the state of a task: its own, or else what it waits for."""
        if own := _assess_own_fields(task):
            return own
        if reason := next(self._iter_wait_reasons(task), "") or self._find_blocking_ancestor(task):
            return Readiness(TaskState.WAITING, reason)
        return Readiness(TaskState.READY, "can be claimed")

    def list_ready_tasks(self, projects: Iterable[str]) -> list[Task]:
        """Return the tasks of some projects that can be claimed, most urgent first."""
        chosen = set(projects)
        candidates = (task for task in self.tasks if task.project in chosen)
        ready = (t for t in candidates if self.assess_readiness(t).state is TaskState.READY)
        return sorted(ready, key=self.urgency_key)

    def urgency_key(self, task: Task) -> tuple[int, bool, int, str, int]:
        """Return the sort key: project, done-when, priority; then the order of the files."""
        project = self.project_ranks.get(task.project, DEFAULT_RANK)
        is_vague = not task.text_field("done-when").strip()
        return -project, is_vague, -PRIORITY_RANKS[task.priority], task.project, task.position

    def is_done(self, ident: str) -> bool:
        """Return whether a task is done or in an archive."""
        known = self.by_id.get(ident)
        return known.status == DONE if known else ident in self.archived_ids

    def iter_ancestors(self, task: Task) -> Iterator[Task]:
        """Yield the parent of a task, then its parent, and so on."""
        seen = {task.id}
        while (parent := self.by_id.get(task.parent)) and parent.id not in seen:
            seen.add(parent.id)
            yield parent
            task = parent

    def _iter_wait_reasons(self, task: Task, *, for_parts: bool = True) -> Iterator[str]:
        """Yield the reasons why a task waits."""
        if task.has_flag("approval-needed") and not task.text_field("approved-at").strip():
            yield f"needs approval: `cortexfs task approve {task.id}`"
        if typed := task.text_field("not-before"):
            starts = parse_day_or_none(typed)
            if starts is None or starts > self.today:
                yield f"cannot start before {typed}"
        if undone := [each for each in task.depends_on if not self.is_done(each)]:
            yield f"depends on {_format_ids(undone)}"
        if for_parts and task.id and (parts := self._name_open_parts(task.id)):
            yield f"waits for its parts {parts}"

    def _name_open_parts(self, ident: str) -> str:
        """Return the names of the parts of a task that are not done; cached for each id."""
        if ident not in self._open_part_names:
            undone = [part.id for part in self.subtasks.get(ident, ()) if part.status != DONE]
            self._open_part_names[ident] = _format_ids(undone)
        return self._open_part_names[ident]

    def _find_blocking_ancestor(self, task: Task) -> str:
        """Return why a parent of the task blocks it; empty if none does.

        Each parent is checked once, however many parts it has.
        """
        blocker, last = ("", ""), task
        checked: list[str] = []
        for parent in self.iter_ancestors(task):
            if parent.id in self._blockers:
                blocker = self._blockers[parent.id]
                break
            checked.append(parent.id)
            last = parent
            if reason := self._find_blocker(parent):
                blocker = parent.id, f"is a part of `{parent.id}`, which {reason}"
                break
        else:  # in a cycle of parents a task blocks the others, but not itself
            if last.parent == task.id and (reason := self._find_blocker(task)):
                blocker = task.id, f"is a part of `{task.id}`, which {reason}"
        self._blockers.update(dict.fromkeys(checked, blocker))
        ident, reason = blocker
        return reason if ident != task.id else ""

    def _find_blocker(self, parent: Task) -> str:
        """Return why no part of a task can be worked on; empty if there is no reason."""
        own = _assess_own_fields(parent)
        if own and own.state not in {TaskState.DONE, TaskState.CLAIMED}:
            return own.reason
        return next(self._iter_wait_reasons(parent, for_parts=False), "")


def _assess_own_fields(task: Task) -> Readiness | None:
    """Return the state of a task by its own fields; None if they set none."""
    if task.status == DONE:
        when = task.text_field("completed-at")
        return Readiness(TaskState.DONE, f"was finished on {when}" if when else "is done")
    if claimant := task.text_field("claimed-by").strip():
        when = task.text_field("claimed-at")
        reason = f"was claimed by {claimant} on {when}" if when else f"is claimed by {claimant}"
        return Readiness(TaskState.CLAIMED, reason)
    if task.has_flag("paused"):
        return Readiness(TaskState.PAUSED, "is paused")
    if task.has_flag("blocked-by"):
        return Readiness(
            TaskState.BLOCKED, f"is blocked by {task.text_field('blocked-by') or 'something'}"
        )
    if task.status == PENDING:
        when = task.text_field("pending-at")
        return Readiness(
            TaskState.PENDING, f"has been pending since {when}" if when else "is pending"
        )
    return None


def _format_ids(idents: list[str]) -> str:
    more = f" and {len(idents) - MAX_NAMED_TASKS} more" if len(idents) > MAX_NAMED_TASKS else ""
    return ", ".join(f"`{ident}`" for ident in idents[:MAX_NAMED_TASKS]) + more
