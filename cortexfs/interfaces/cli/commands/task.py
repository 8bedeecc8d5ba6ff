"""`cortexfs task`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.filters import split_values
from cortexfs.core.tasks.task_order import Stand
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.core.text.plural import counted
from cortexfs.errors import NoSuchStatus
from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import Run, group, reading
from cortexfs.interfaces.cli.commands import task_changes, task_file
from cortexfs.interfaces.cli.options import InProjects, Limit, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.tasks.list_tasks import Tasks
    from cortexfs.session.session import Session

app = group("Manage tasks: add, list, claim, finish, archive, lint.")


@app.command("list")
@reading
def list_tasks(
    run: Run,
    project: InProjects = None,
    state: Annotated[
        Words,
        typer.Option(
            "--status",
            metavar="STATE",
            help="Filter by state (default: not done); repeat it, or write `a,b`.",
            autocompletion=completion.task_states,
        ),
    ] = None,
) -> None:
    """List tasks, those that can be claimed first, the most urgent first.

    Without --project: of the project of the working directory, else of all. Exit code 1 if
    there is none.

    Example: cortexfs task list --project driftwood
    """
    from cortexfs.operations.tasks.list_tasks import list_tasks as find

    found = find(*_scopes(run, project), _states(state))
    _tell(run.say, found)
    rows = [
        (t.id, t.project, t.priority, s.stand if s.stand is Stand.READY else s.why, t.said)
        for t, s in found.listed
    ]
    if not rows:
        run.say.none("no matches")
    run.say.table(("Id", "Project", "Priority", "State", "Task"), rows)


@app.command("next")
@reading
def next_tasks(run: Run, project: InProjects = None, limit: Limit = 1) -> None:
    """Show the most urgent task that can be claimed.

    Tasks are ordered by the priority of the project in OVERVIEW.md, then by whether they have
    a done condition, then by their own priority. Exit code 1 if there is none.

    Example: cortexfs task next
    """
    from cortexfs.operations.tasks.list_tasks import next_tasks as find

    found = find(*_scopes(run, project), limit)
    _tell(run.say, found)
    if not found.listed:
        run.say.none("no task is ready; `cortexfs task list` shows what each waits for")
    for each in found.listed:
        run.say.lines(*task_changes.told(each.task))


@app.command()
@reading
def lint(run: Run, project: InProjects = None) -> None:
    """Check the tasks.

    Exit code 1 if there are errors; docs/findings.md explains every code.

    Example: cortexfs task lint
    """
    from cortexfs.interfaces.json.upkeep import finding
    from cortexfs.operations.tasks.list_tasks import lint as find

    found = find(*_scopes(run, project))
    advice = len(found.findings) - found.errors
    documents = [finding(each) for each in found.findings]
    run.say.document(findings=documents, errors=found.errors, warnings=advice)
    for each in documents:
        said = "{path}:{line}:{column}: {severity}: {code}: {message} ({hint})"
        run.say.lines(said.format(**each))
    run.say.data(f"{counted(found.errors, 'error')}, {counted(advice, 'warning')}")
    if found.errors:
        raise typer.Exit(1)


def _scopes(run: Run, names: Sequence[str] | None) -> tuple[Session, list[str]]:
    """Open the tree, and return the projects: the given ones, that around, or all."""
    from cortexfs.operations.shared.resolve_names import scopes

    session = run.session()
    return session, scopes(session, split_values(names), console.cwd())


def _states(values: Sequence[str] | None) -> list[Stand]:
    names = [value.lower() for value in split_values(values)]
    known = [str(state) for state in Stand]
    for name in names:
        if name not in known:
            raise NoSuchStatus(name, known, close=nearest_names(name, known))
    return [Stand(name) for name in names]


def _tell(say: Voice, found: Tasks) -> None:
    """Give the document, and say beside it which files could not be read."""
    from cortexfs.interfaces.json.plan import task
    from cortexfs.interfaces.json.upkeep import finding

    unread = [finding(each) for each in found.unread]
    documents = [task(each.task, each.standing) for each in found.listed]
    say.document(tasks=documents, findings=unread or None)
    for flaw in found.unread:
        say.talk(f"not read: {flaw.path}:{flaw.line}: {flaw.message}")


task_file.register(app)
task_changes.register(app)
