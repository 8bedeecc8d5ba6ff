"""`cortexfs task`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.tasks.task_order import Stand
from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli.command_context import Run, group, reading
from cortexfs.interfaces.cli.commands import task_changes, task_file
from cortexfs.interfaces.cli.options import Limit, Project

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.tasks.list_tasks import Tasks

app = group("Tasks: add, list, claim, finish, archive, lint.")


@app.command("list")
@reading
def list_tasks(
    run: Run,
    project: Project = None,
    stand: Annotated[
        Stand | None, typer.Option("--status", help="Only those that stand so; else all but done.")
    ] = None,
) -> None:
    """List tasks, those that can be claimed first, the most urgent above.

    Of the named project, else of the one around, else of all. Exit code 1 where there is none.

    Example: cortexfs task list --project driftwood
    """
    from cortexfs.operations.tasks.list_tasks import list_tasks as find

    found = find(*run.across(project), stand)
    _tell(run.say, found)
    rows = [
        (t.id, t.project, t.priority, s.stand if s.stand is Stand.READY else s.why, t.said)
        for t, s in found.listed
    ]
    if not rows:
        run.say.none("no task is like that")
    run.say.table(("Id", "Project", "Priority", "Standing", "Task"), rows)


@app.command("next")
@reading
def next_tasks(run: Run, project: Project = None, limit: Limit = 1) -> None:
    """Show the most urgent task that can be claimed.

    The priority of its project in OVERVIEW.md counts first, then whether it says when it is
    done, then its own priority. Exit code 1 where there is none.

    Example: cortexfs task next
    """
    from cortexfs.operations.tasks.list_tasks import next_tasks as find

    found = find(*run.across(project), limit)
    _tell(run.say, found)
    if not found.listed:
        run.say.none("no task is ready; `cortexfs task list` tells what each waits for")
    for each in found.listed:
        run.say.lines(*task_changes.told(each.task))


@app.command()
@reading
def lint(run: Run, project: Project = None) -> None:
    """Find what is wrong with tasks.

    Exit code 1 where there are errors; docs/findings.md explains every code.

    Example: cortexfs task lint
    """
    from cortexfs.interfaces.json_documents import finding
    from cortexfs.operations.tasks.list_tasks import lint as find

    found = find(*run.across(project))
    advice = len(found.findings) - found.errors
    documents = [finding(each) for each in found.findings]
    run.say.document(findings=documents, errors=found.errors, advice=advice)
    for each in documents:
        said = "{path}:{line}:{column}: {severity}: {code}: {message} ({hint})"
        run.say.lines(said.format(**each))
    run.say.data(f"{counted(found.errors, 'error')}, {advice} advice")
    if found.errors:
        raise typer.Exit(1)


def _tell(say: Voice, found: Tasks) -> None:
    """Give the document, and say beside it which files could not be read."""
    from cortexfs.interfaces.json_documents import finding, task

    unread = [finding(each) for each in found.unread]
    documents = [task(each.task, each.standing) for each in found.listed]
    say.document(tasks=documents, findings=unread or None)
    for flaw in found.unread:
        say.talk(f"not read: {flaw.path}:{flaw.line}: {flaw.message}")


task_file.register(app)
task_changes.register(app)
