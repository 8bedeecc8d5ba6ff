"""Findings about tasks: each by itself, and between them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.tasks.graph_cycles import find_nodes_in_cycles
from cortexfs.core.tasks.priority_words import PRIORITY_RANKS
from cortexfs.core.tasks.task_and_board import DONE, OPEN, PENDING, tasks_path
from cortexfs.core.tasks.task_fields import TASK_KEYS, TIME_KEYS
from cortexfs.core.tasks.task_ids import is_task_id
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.tasks.task_times import parse_day_or_none
from cortexfs.core.tasks.task_transitions import is_claim_stale
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from cortexfs.core.tasks.task_and_board import Task, TaskBoard
    from cortexfs.core.tasks.task_readiness import Backlog

MIN_READY_TASKS = 2
"""Number of tasks that should be ready in a project, so that its next session has work."""


class _TaskIds(NamedTuple):
    """The known ids of a tree, the number of tasks with each id, and the ids in cycles."""

    known: Collection[str]
    task_counts: Mapping[str, int]
    cycles: Mapping[str, Collection[str]]


_DATE_KEYS = tuple(key for key in TASK_KEYS if key in TIME_KEYS)


def lint_tasks(
    boards: Iterable[TaskBoard], backlog: Backlog, templates: Collection[str]
) -> list[Finding]:
    """Return the findings about the tasks of some projects, in the order of lines."""
    findings: list[Finding] = []
    task_counts = Counter(task.id for task in backlog.tasks)
    cycles = {
        "depends-on": _find_ids_in_cycles(backlog, lambda task: task.depends_on),
        "parent": _find_ids_in_cycles(backlog, lambda task: (task.parent,) if task.parent else ()),
    }
    known = backlog.by_id.keys() | backlog.archived_ids
    for board in boards:
        findings += (
            Finding(board.path, "bad-tasks", "an item is not a task", line)
            for line in board.stray_lines
        )
        for task in board.tasks:
            findings += _check_fields(task, templates)
            findings += _check_relations(task, backlog, _TaskIds(known, task_counts, cycles))
    return sorted(findings, key=lambda found: (found.path, found.line, found.code))


ADVICE_CODES = frozenset({"missing-why", "missing-done-when", "missing-template", "missing-plan"})
"""The codes that say what a good task has, and a valid one may lack."""


def find_low_supply(project: str, backlog: Backlog) -> Iterator[Finding]:
    """Yield a finding if few tasks of a project are ready: a suggestion, not a flaw of a file."""
    ready = sum(
        backlog.assess_readiness(t).state is TaskState.READY
        for t in backlog.tasks
        if t.project == project
    )
    if ready < MIN_READY_TASKS:
        can = format_count(ready, "task")
        message = f"{can} can be claimed; at least {MIN_READY_TASKS} should be"
        yield Finding(tasks_path(project), "low-actionable-supply", message)


def _check_fields(task: Task, templates: Collection[str]) -> Iterator[Finding]:
    """Yield the findings about a task by itself."""
    path, line, name = tasks_path(task.project), task.line, _describe_task(task)
    if not task.id:
        yield Finding(path, "missing-id", f"{name} has no id", line)
    elif not is_task_id(task.id):
        yield Finding(path, "bad-id", f"{name}: an id is four of 0-9 and a-f", line)
    yield from _check_missing_fields(task)
    template = task.text_field("template").strip()
    if template and template not in templates:
        yield Finding(path, "unknown-template", f"{name}: no kind is called `{template}`", line)
    yield from _check_values(task)


def _check_missing_fields(task: Task) -> Iterator[Finding]:
    if task.status == DONE:
        return
    path, line, name = tasks_path(task.project), task.line, _describe_task(task)
    if not task.text_field("why").strip():
        yield Finding(path, "missing-why", f"{name} does not say why", line)
    if not task.text_field("done-when").strip():
        yield Finding(path, "missing-done-when", f"{name} does not say when it is done", line)
    if not task.text_field("template").strip():
        yield Finding(path, "missing-template", f"{name} has no template", line)
    if not task.text_field("plan").strip():
        yield Finding(path, "missing-plan", f"{name} has no plan", line)


def _check_values(task: Task) -> Iterator[Finding]:
    """Yield the findings about values that are read as something else."""
    path, line, name = tasks_path(task.project), task.line, _describe_task(task)
    if (typed := task.text_field("priority").strip()) and typed.lower() not in PRIORITY_RANKS:
        yield Finding(path, "bad-priority", f"{name}: `{typed}` counts as medium", line)
    if (typed := task.text_field("status").strip()) and typed.lower() not in {OPEN, DONE, PENDING}:
        yield Finding(path, "bad-status", f"{name}: `{typed}` counts as open", line)
    for key in _DATE_KEYS:
        if (typed := task.text_field(key).strip()) and parse_day_or_none(typed) is None:
            yield Finding(path, "bad-date", f"{name}: `{key}` is not a date: `{typed}`", line)


def _check_relations(task: Task, backlog: Backlog, ids: _TaskIds) -> Iterator[Finding]:
    """Yield the findings between a task and the others."""
    path, line, name = tasks_path(task.project), task.line, _describe_task(task)
    known, cycles = ids.known, ids.cycles
    if task.id and ids.task_counts[task.id] > 1:
        message = f"{name}: {ids.task_counts[task.id]} tasks of the tree have this id"
        yield Finding(path, "duplicate-id", message, line)
    for ident in task.depends_on:
        if ident not in known:
            message = f"{name} depends on `{ident}`, which does not exist"
            yield Finding(path, "missing-dependency", message, line)
    if task.parent and task.parent not in known:
        message = f"{name} has the parent `{task.parent}`, which does not exist"
        yield Finding(path, "missing-parent", message, line)
    if task.id in cycles["depends-on"]:
        yield Finding(path, "dependency-cycle", f"{name} is in a cycle of dependencies", line)
    if task.id in cycles["parent"]:
        yield Finding(path, "parent-cycle", f"{name} is its own ancestor", line)
    if (
        task.text_field("claimed-by")
        and task.status != DONE
        and is_claim_stale(task, backlog.today)
    ):
        message = f"{name} was claimed on {task.text_field('claimed-at')}"
        yield Finding(path, "stale-claim", message, line)


def _find_ids_in_cycles(
    backlog: Backlog, list_successors: Callable[[Task], Iterable[str]]
) -> set[str]:
    """Return the ids of the tasks that are part of a cycle."""
    successors = {
        ident: [n for n in list_successors(t) if n in backlog.by_id]
        for ident, t in backlog.by_id.items()
    }
    return find_nodes_in_cycles(successors) - {""}


def _describe_task(task: Task) -> str:
    return f"`{task.id}`" if task.id else f"the task on line {task.line}"
