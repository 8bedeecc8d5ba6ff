"""`cortexfs issue`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.interfaces.cli import completion
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.governance_commands import print_governance_change
from cortexfs.interfaces.cli.options import Project

app = make_group("Manage the issues of a project: list, add, resolve.")


@app.command("list")
@read_command
def list_all(run: CommandContext, project: Project = None) -> None:
    """List the issues with number, date and title.

    Example: cortexfs issue list -p driftwood
    """
    from cortexfs.interfaces.json.projects import to_issues_json
    from cortexfs.operations.issue import list_issues

    session, within = run.open_project(project)
    found = list_issues(session, within)
    run.output.print_document(project=within, issues=to_issues_json(found))
    rows = [(str(n), one.date, one.title) for n, (one, _) in enumerate(found, start=1)]
    run.output.print_table(("No", "Date", "Title"), rows)
    if not found:
        run.output.print_message("no issues")


@app.command()
@change_command
def add(
    run: CommandContext,
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help="Problem; the first sentence becomes the title.")
    ],
    problem: Annotated[
        str, typer.Option(metavar="TEXT", help="Problem in full (default: the rest of the text).")
    ] = "",
    project: Project = None,
    when: Annotated[
        str, typer.Option(metavar="TEXT", help="When it happens, and since when.")
    ] = "",
    investigation: Annotated[
        str, typer.Option(metavar="TEXT", help="What has been found out so far.")
    ] = "",
) -> None:
    """Add an issue at the end of ISSUES.md.

    Example: cortexfs issue add "Clock drifts. It loses 3 s a day." -p driftwood
    """
    from cortexfs.operations.issue import add_issue

    sections = {"Problem": problem, "When": when, "Investigation": investigation}
    print_governance_change(
        run.output, add_issue(*run.open_project(project), text, sections, mode=run.mode)
    )


@app.command()
@change_command
def resolve(
    run: CommandContext,
    issue: Annotated[
        str,
        typer.Argument(
            help="Number of the issue, or words of its title.",
            autocompletion=completion.complete_issues,
        ),
    ],
    project: Project = None,
) -> None:
    """Delete a resolved issue; it stays in the git history.

    Example: cortexfs issue resolve "No board" -p driftwood
    """
    from cortexfs.operations.issue import resolve_issue

    print_governance_change(
        run.output, resolve_issue(*run.open_project(project), issue, mode=run.mode)
    )
