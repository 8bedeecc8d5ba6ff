"""`cortexfs task`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.saying import counted
from cortexfs.core.tasks.backlog import Stand
from cortexfs.faces.cli import voice
from cortexfs.faces.cli.commands import task_changes, task_writing
from cortexfs.faces.cli.options import Json, Limit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.verbs.tasks.looks import Tasks

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def task() -> None:
    """Tasks: add, list, claim, finish, archive, lint."""


@app.command("list")
def list_tasks(
    project: Project = None,
    stand: Annotated[
        Stand | None, typer.Option("--status", help="Only those that stand so; else all but done.")
    ] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List tasks, those that can be claimed first, the most urgent above.

    Of the named project, else of the one around, else of all. Exit code 1 where there is none.

    Example: cortexfs task list --project driftwood
    """
    from cortexfs.verbs.tasks.boards import scope
    from cortexfs.verbs.tasks.looks import list_tasks as find

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = find(cortex, scope(cortex, project, voice.cwd()), stand)
    _tell(say, found)
    rows = [
        (t.id, t.project, t.priority, s.stand if s.stand is Stand.READY else s.why, t.said)
        for t, s in found.listed
    ]
    if not rows:
        say.talk("no task is like that")
        raise typer.Exit(1)
    say.table(("Id", "Project", "Priority", "Standing", "Task"), rows)


@app.command("next")
def next_tasks(
    project: Project = None,
    limit: Limit = 1,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show the most urgent task that can be claimed.

    The priority of its project in OVERVIEW.md counts first, then whether it says when it is
    done, then its own priority. Exit code 1 where there is none.

    Example: cortexfs task next
    """
    from cortexfs.verbs.tasks.boards import scope
    from cortexfs.verbs.tasks.looks import next_tasks as find

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = find(cortex, scope(cortex, project, voice.cwd()), limit)
    _tell(say, found)
    if not found.listed:
        say.talk("no task is ready; `cortexfs task list` tells what each waits for")
        raise typer.Exit(1)
    for each in found.listed:
        say.lines(*task_changes.told(each.task))


@app.command()
def lint(
    project: Project = None, root: Root = None, as_json: Json = False, quiet: Quiet = False
) -> None:
    """Find what is wrong with tasks.

    Exit code 1 where there are errors; docs/findings.md explains every code.

    Example: cortexfs task lint
    """
    from cortexfs.faces.documents import finding
    from cortexfs.verbs.tasks.boards import scope
    from cortexfs.verbs.tasks.looks import lint as find

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    found = find(cortex, scope(cortex, project, voice.cwd()))
    advice = len(found.findings) - found.errors
    documents = [finding(each) for each in found.findings]
    say.document(findings=documents, errors=found.errors, advice=advice)
    for each in documents:
        said = "{path}:{line}:{column}: {severity}: {code}: {message} ({hint})"
        say.lines(said.format(**each))
    say.data(f"{counted(found.errors, 'error')}, {advice} advice")
    if found.errors:
        raise typer.Exit(1)


def _tell(say: Voice, found: Tasks) -> None:
    """Give the document, and say beside it which files could not be read."""
    from cortexfs.faces.documents import finding, task

    unread = [finding(each) for each in found.unread]
    documents = [task(each.task, each.standing) for each in found.listed]
    say.document(tasks=documents, findings=unread or None)
    for flaw in found.unread:
        say.talk(f"not read: {flaw.path}:{flaw.line}: {flaw.message}")


task_writing.register(app)
task_changes.register(app)
