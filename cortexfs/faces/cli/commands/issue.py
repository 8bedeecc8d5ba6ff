"""`cortexfs issue`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import tell
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def issue() -> None:
    """What hinders a project: list, add, resolve."""


@app.command("list")
def list_all(
    project: Project = None, root: Root = None, as_json: Json = False, quiet: Quiet = False
) -> None:
    """List the issues: number, date, title.

    Example: cortexfs issue list -p driftwood
    """
    from cortexfs.verbs.issue import list_issues
    from cortexfs.verbs.resolve import one_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    found = list(enumerate(list_issues(cortex, within), start=1))
    documents = [
        {"number": number, "title": one.title, **({"date": one.date} if one.date else {})}
        | {"text": text}
        for number, (one, text) in found
    ]
    say.document(project=within, issues=documents)
    say.table(("No", "Date", "Title"), [(str(n), one.date, one.title) for n, (one, _) in found])
    if not found:
        say.talk("no issues")


@app.command()
def add(
    title: Annotated[str, typer.Argument(help="What it is, in a few words.")],
    problem: Annotated[str, typer.Option(help="What is wrong.")],
    project: Project = None,
    when: Annotated[str, typer.Option(help="When it happens, and since when.")] = "",
    investigation: Annotated[str, typer.Option(help="What has been found out.")] = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Write an issue down, at the end of ISSUES.md.

    Example: cortexfs issue add "Clock drifts" --problem "3 s a day" -p driftwood
    """
    from cortexfs.verbs.issue import add_issue
    from cortexfs.verbs.resolve import one_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    said = {"Problem": problem, "When": when, "Investigation": investigation}
    tell(say, add_issue(cortex, within, title, said, dry_run=dry_run, commit=not no_commit))


@app.command()
def resolve(
    issue: Annotated[str, typer.Argument(help="Its number, or words of its title.")],
    project: Project = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Delete an issue that is resolved; git keeps it.

    Example: cortexfs issue resolve "No board" -p driftwood
    """
    from cortexfs.verbs.issue import resolve_issue
    from cortexfs.verbs.resolve import one_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    tell(say, resolve_issue(cortex, within, issue, dry_run=dry_run, commit=not no_commit))
