"""List the tasks of some projects, the next ones, and their problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.finding_codes import is_error
from cortexfs.core.tasks.lint_tasks import ADVICE_CODES, find_low_supply
from cortexfs.core.tasks.lint_tasks import lint_tasks as lint_boards
from cortexfs.core.tasks.task_readiness import OPEN_STATES, Readiness, TaskState
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.view import TreeFilesAndGit


class ListedTask(NamedTuple):
    """A task, and its state."""

    task: Task
    readiness: Readiness


class TaskList(NamedTuple):
    """Tasks, and findings about the files that could not be read."""

    tasks: list[ListedTask]
    unreadable: list[Finding]


class LintResult(NamedTuple):
    """Findings in path and line order, and how many are errors."""

    findings: list[Finding]
    errors: int


def list_tasks(
    view: TreeFilesAndGit, projects: list[str], states: Collection[TaskState]
) -> TaskList:
    """Return the tasks of some states (none: the open ones), the most urgent first."""
    boards = read_boards(view)
    backlog = boards.backlog
    own = (task for task in backlog.tasks if task.project in projects)
    listed = [
        ListedTask(task, backlog.assess_readiness(task))
        for task in sorted(own, key=backlog.urgency_key)
    ]
    wanted = states or OPEN_STATES
    order = list(TaskState).index
    chosen = [each for each in listed if each.readiness.state in wanted]
    chosen.sort(key=lambda each: order(each.readiness.state))
    return TaskList(chosen, boards.list_flaws(projects))


def next_tasks(view: TreeFilesAndGit, projects: list[str], limit: int) -> TaskList:
    """Return the tasks that can be claimed, the most urgent first."""
    boards = read_boards(view)
    ready = boards.backlog.list_ready_tasks(projects)[:limit]
    listed = [ListedTask(task, boards.backlog.assess_readiness(task)) for task in ready]
    return TaskList(listed, boards.list_flaws(projects))


def find_task_flaws(view: TreeFilesAndGit, projects: Collection[str]) -> list[Finding]:
    """Return the flaws of the tasks of some projects, without advice on complete tasks."""
    found = _find_flaws(view, read_boards(view), projects)
    return [finding for finding in found if finding.code not in ADVICE_CODES]


def lint_tasks(view: TreeFilesAndGit, projects: list[str]) -> LintResult:
    """Return the problems of the tasks of some projects, and the projects with too few tasks."""
    boards = read_boards(view)
    findings = _find_flaws(view, boards, projects)
    for name in boards.boards:
        findings += find_low_supply(name, boards.backlog) if name in projects else ()
    findings.sort(key=lambda found: (found.path, found.line, found.code))
    return LintResult(findings, sum(is_error(each.code) for each in findings))


def _find_flaws(view: TreeFilesAndGit, boards: Boards, projects: Collection[str]) -> list[Finding]:
    chosen = [board for name, board in boards.boards.items() if name in projects]
    kinds = [kind.name for kind in view.kinds]
    return [*boards.list_flaws(projects), *lint_boards(chosen, boards.backlog, kinds)]
