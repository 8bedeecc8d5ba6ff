"""`cortexfs task`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.core.tasks.task_readiness import TaskState
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.plural import format_count
from cortexfs.errors import NoSuchStatus
from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import CommandContext, make_group, read_command
from cortexfs.interfaces.cli.commands import task_changes, task_file
from cortexfs.interfaces.cli.options import Limit, ProjectFilter, StringList

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.tasks.list_tasks import TaskList
    from cortexfs.session.session import Session

app = make_group("Manage tasks: list, next, add, claim, done and others.")


@app.command("list")
@read_command
def list_tasks(
    run: CommandContext,
    project: ProjectFilter = None,
    state: Annotated[
        StringList,
        typer.Option(
            "--status",
            metavar="STATE",
            help="Filter by state (default: not done); repeat it, or write `a,b`.",
            autocompletion=completion.complete_task_states,
        ),
    ] = None,
) -> None:
    """List tasks: those that can be claimed first, then by urgency.

    Default: the tasks of the project of the working directory, else of all projects. Exit code 1
    if there are none.

    Example: cortexfs task list --project driftwood
    """
    from cortexfs.operations.tasks.list_tasks import list_tasks as find_tasks

    found = find_tasks(*_open_scopes(run, project), _parse_states(state))
    _print_task_document(run.output, found)
    rows = [
        (
            t.id,
            t.project,
            t.priority,
            _format_state(t, s),
            t.description,
        )
        for t, s in found.tasks
    ]
    if not rows:
        run.output.exit_empty("no matches")
    run.output.print_table(("Id", "Project", "Priority", "State", "Task"), rows)


@app.command("next")
@read_command
def next_tasks(run: CommandContext, project: ProjectFilter = None, limit: Limit = 1) -> None:
    """Show the most urgent task that can be claimed.

    Tasks are ordered by the priority of the project in OVERVIEW.md, then by whether they have
    a done condition, then by their own priority. Exit code 1 if there is none.

    Example: cortexfs task next
    """
    from cortexfs.operations.tasks.list_tasks import next_tasks as find_next_tasks

    found = find_next_tasks(*_open_scopes(run, project), limit)
    _print_task_document(run.output, found)
    if not found.tasks:
        run.output.exit_empty("no task is ready; `cortexfs task list` shows what each waits for")
    for each in found.tasks:
        run.output.print_lines(*task_changes.format_task(each.task))


@app.command()
@read_command
def lint(run: CommandContext, project: ProjectFilter = None) -> None:
    """Find problems in tasks.

    Exit code 1 if there are errors; docs/findings.md explains every code.

    Example: cortexfs task lint
    """
    from cortexfs.interfaces.json.tree_state import to_finding_json
    from cortexfs.operations.tasks.list_tasks import lint_tasks

    found = lint_tasks(*_open_scopes(run, project))
    warnings = len(found.findings) - found.errors
    documents = [to_finding_json(each) for each in found.findings]
    run.output.print_document(findings=documents, errors=found.errors, warnings=warnings)
    for each in documents:
        line = "{path}:{line}:{column}: {severity}: {code}: {message} ({hint})"
        run.output.print_lines(line.format(**each))
    run.output.print_text(
        f"{format_count(found.errors, 'error')}, {format_count(warnings, 'warning')}"
    )
    if found.errors:
        raise typer.Exit(1)


def _format_state(task: Task, readiness: Readiness) -> str:
    """Return the state of a task, in few words: `ready`, `claimed ada`, `blocked by 3fa9`."""
    if readiness.state is TaskState.READY:
        return readiness.state
    if readiness.state is TaskState.CLAIMED:
        return f"{readiness.state} {task.text_field('claimed-by').strip()}"
    words = readiness.reason.removeprefix("is ")
    return words if words.startswith(readiness.state) else readiness.reason


def _open_scopes(run: CommandContext, names: Sequence[str] | None) -> tuple[Session, list[str]]:
    """Open the tree, and return the projects: the given ones, the current one, or all."""
    from cortexfs.operations.shared.resolve_names import resolve_scopes

    session = run.open_session()
    return session, resolve_scopes(session, split_values(names), run.cwd)


def _parse_states(values: Sequence[str] | None) -> list[TaskState]:
    names = [value.lower() for value in split_values(values)]
    known = [str(state) for state in TaskState]
    for name in names:
        if name not in known:
            raise NoSuchStatus(name, known, close=nearest_names(name, known))
    return [TaskState(name) for name in names]


def _print_task_document(output: OutputPrinter, found: TaskList) -> None:
    """Print the document, and a message for each file that could not be read."""
    from cortexfs.interfaces.json.tasks import to_task_json
    from cortexfs.interfaces.json.tree_state import to_finding_json

    findings = [to_finding_json(each) for each in found.unreadable]
    documents = [to_task_json(each.task, each.readiness) for each in found.tasks]
    output.print_document(tasks=documents, findings=findings or None)
    for flaw in found.unreadable:
        output.print_message(f"unreadable: {flaw.path}:{flaw.line}: {flaw.message}")


task_file.register_commands(app)
task_changes.register_commands(app)
