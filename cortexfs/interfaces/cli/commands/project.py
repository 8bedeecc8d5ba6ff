"""`cortexfs project`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import completion, console, questions
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)

if TYPE_CHECKING:
    from cortexfs.session.session import Session

app = make_group("Manage projects: new, list, show, archive.")


@app.command()
@change_command
def new(
    run: CommandContext,
    name: Annotated[str, typer.Argument(help="Name of the project: a-z, 0-9, `.`, `_` and `-`.")],
    goal: Annotated[
        str, typer.Option("--goal", metavar="TEXT", help="Goal, in one sentence.")
    ] = "",
) -> None:
    """Create a project with its governance files.

    Also adds it to OVERVIEW.md. Without --goal, asks for the goal on a terminal.

    Example: cortexfs project new sundial --goal "Know the time without a clock"
    """
    from cortexfs.operations.project import new_project

    session = run.open_session()
    plan, outcome = new_project(session, name, _require_goal(session, name, goal), mode=run.mode)
    created = {"project": name, "path": f"projects/{name}"}
    if run.output.print_result(plan, outcome, {"created": created}):
        run.output.print_text(f"{name}\tprojects/{name}")


@app.command("list")
@read_command
def list_projects(run: CommandContext) -> None:
    """List the projects with their numbers of atoms and reads.

    Example: cortexfs project list
    """
    from cortexfs.interfaces.json.projects import to_project_json
    from cortexfs.operations.project import summarize_projects

    found = summarize_projects(run.open_session())
    run.output.print_document(projects=[to_project_json(project) for project in found])
    rows = [
        (p.name, str(sum(p.atoms.values())), str(p.reads), p.latest_date, "archived" * p.archived)
        for p in found
    ]
    run.output.print_table(("Project", "Atoms", "Refs", "Latest", ""), rows)


@app.command()
@read_command
def show(
    run: CommandContext,
    name: Annotated[
        str,
        typer.Argument(help="Name of the project.", autocompletion=completion.complete_projects),
    ],
) -> None:
    """Show the statistics of a project, and its STATUS.md.

    Example: cortexfs project show driftwood
    """
    from cortexfs.interfaces.json.projects import to_project_json
    from cortexfs.operations.project import show_project

    found, status = show_project(run.open_session(), name)
    run.output.print_document(project=to_project_json(found), content=status)
    atoms = ", ".join(format_count(number, kind) for kind, number in sorted(found.atoms.items()))
    run.output.print_lines(
        f"{found.name}: {atoms or 'no atoms yet'}; {format_count(found.reads, 'read')}"
    )
    run.output.print_text(f"\n{status}")


@app.command()
@change_command
def archive(
    run: CommandContext,
    name: Annotated[
        str,
        typer.Argument(help="Name of the project.", autocompletion=completion.complete_projects),
    ],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Reason, in one sentence.")
    ] = "",
) -> None:
    """Mark a project as archived in OVERVIEW.md.

    It gets the lowest priority. Its files stay where they are, and refs to its atoms stay valid.
    `cortexfs status set --phase` makes it active again.

    Example: cortexfs project archive greenhouse --reason "The season is over"
    """
    from cortexfs.interfaces.cli.governance_commands import print_governance_change
    from cortexfs.operations.project import archive_project

    print_governance_change(
        run.output, archive_project(run.open_session(), name, reason, mode=run.mode)
    )


def _require_goal(session: Session, name: str, goal: str) -> str:
    """Return the goal of a new project: the option, or the answer to a prompt."""
    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.errors import Refused
    from cortexfs.operations.project import new_project

    if not goal.strip() and console.is_interactive():
        # refuse an invalid name before asking
        new_project(session, name, goal, mode=ExecutionMode.DRY_RUN)
        goal = questions.ask_question("goal:") or questions.ask_question("goal:")
    if not goal.strip():
        raise Refused("a project needs a goal", hint="add --goal TEXT")
    return goal
