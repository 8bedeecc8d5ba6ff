"""List the tasks of some projects, tell which come next, and what is wrong with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.finding_codes import ERROR, severity
from cortexfs.core.tasks.lint_tasks import lint as lint_boards
from cortexfs.core.tasks.lint_tasks import low_supply
from cortexfs.core.tasks.task_order import Stand, Standing
from cortexfs.operations.tasks.read_boards import read_boards

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.tasks.task import Task
    from cortexfs.operations.tasks.read_boards import Boards
    from cortexfs.session.view import FileView


class Listed(NamedTuple):
    """A task, and how it stands."""

    task: Task
    standing: Standing


class Tasks(NamedTuple):
    """Tasks, and findings about the files that could not be read."""

    listed: list[Listed]
    unread: list[Finding]


class Linted(NamedTuple):
    """Findings in path and line order, and how many are errors."""

    findings: list[Finding]
    errors: int


def list_tasks(view: FileView, projects: list[str], stands: Collection[Stand]) -> Tasks:
    """Return the tasks of some states (none: all but done), the most urgent first."""
    boards = read_boards(view)
    backlog = boards.backlog
    every = sorted((t for t in backlog.tasks if t.project in projects), key=backlog.urgency)
    listed = [Listed(task, backlog.standing(task)) for task in every]
    wanted = [
        each
        for each in listed
        if (each.standing.stand in stands if stands else each.standing.stand is not Stand.DONE)
    ]
    order = list(Stand).index
    ordered = sorted(wanted, key=lambda each: order(each.standing.stand))
    return Tasks(ordered, boards.flaws(projects))


def next_tasks(view: FileView, projects: list[str], limit: int) -> Tasks:
    """Give the tasks that can be claimed, the most urgent first."""
    boards = read_boards(view)
    ready = boards.backlog.ready(projects)[:limit]
    listed = [Listed(task, boards.backlog.standing(task)) for task in ready]
    return Tasks(listed, boards.flaws(projects))


def flaws(view: FileView, projects: Collection[str]) -> list[Finding]:
    """Find what is wrong with the tasks of some projects, as seen from the whole tree."""
    return _flaws(view, read_boards(view), projects)


def lint(view: FileView, projects: list[str]) -> Linted:
    """Find what is wrong with the tasks of some projects, and which have too few of them."""
    boards = read_boards(view)
    findings = _flaws(view, boards, projects)
    for name in boards.boards:
        findings += low_supply(name, boards.backlog) if name in projects else ()
    findings.sort(key=lambda found: (found.path, found.line, found.code))
    return Linted(findings, sum(severity(each.code) == ERROR for each in findings))


def _flaws(view: FileView, boards: Boards, projects: Collection[str]) -> list[Finding]:
    chosen = [board for name, board in boards.boards.items() if name in projects]
    kinds = [kind.name for kind in view.kinds]
    return [*boards.flaws(projects), *lint_boards(chosen, boards.backlog, kinds)]
