"""`cortexfs project`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import counted
from cortexfs.interfaces.cli import completion, console
from cortexfs.interfaces.cli.command_context import Run, changing, group, reading

if TYPE_CHECKING:
    from cortexfs.operations.project import Project
    from cortexfs.session.session import Session

app = group("Manage projects: new, list, show, archive.")


@app.command()
@changing
def new(
    run: Run,
    name: Annotated[str, typer.Argument(help="Name of the project: a-z, 0-9, `.`, `_` and `-`.")],
    goal: Annotated[
        str, typer.Option("--goal", metavar="TEXT", help="Goal, in one sentence.")
    ] = "",
) -> None:
    """Create a project with its governance files, and list it in OVERVIEW.md.

    Without --goal, the goal is asked for on a terminal.

    Example: cortexfs project new sundial --goal "Know the time without a clock"
    """
    from cortexfs.operations.project import new_project

    session = run.session()
    plan, outcome = new_project(session, name, _goal(session, name, goal), mode=run.mode)
    made = {"project": name, "path": f"projects/{name}"}
    if run.say.done(plan, outcome, {"created": made}):
        run.say.data(f"{name}\tprojects/{name}")


@app.command("list")
@reading
def list_projects(run: Run) -> None:
    """List the projects with their numbers of atoms and reads.

    Example: cortexfs project list
    """
    from cortexfs.operations.project import projects

    found = projects(run.session())
    run.say.document(projects=[_document(project) for project in found])
    rows = [
        (p.name, str(sum(p.atoms.values())), str(p.refs), p.latest, "archived" * p.archived)
        for p in found
    ]
    run.say.table(("Project", "Atoms", "Refs", "Latest", ""), rows)


@app.command()
@reading
def show(
    run: Run,
    name: Annotated[
        str,
        typer.Argument(help="Name of the project.", autocompletion=completion.projects),
    ],
) -> None:
    """Show the figures of a project and its STATUS.md.

    Example: cortexfs project show driftwood
    """
    from cortexfs.operations.project import show_project

    found, status = show_project(run.session(), name)
    run.say.document(project=_document(found), content=status)
    atoms = ", ".join(counted(number, kind) for kind, number in sorted(found.atoms.items()))
    run.say.lines(f"{found.name}: {atoms or 'no atoms yet'}; {counted(found.refs, 'read')}")
    run.say.data(f"\n{status}")


@app.command()
@changing
def archive(
    run: Run,
    name: Annotated[
        str, typer.Argument(help="Name of the project.", autocompletion=completion.projects)
    ],
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="Reason, in one sentence.")
    ] = "",
) -> None:
    """Mark a project as archived in OVERVIEW.md, with the lowest priority.

    Its files stay where they are, and refs to its atoms stay valid. `cortexfs status set
    --phase` makes it active again.

    Example: cortexfs project archive greenhouse --reason "The season is over"
    """
    from cortexfs.interfaces.cli.governance_text import tell
    from cortexfs.operations.project import archive_project

    tell(run.say, archive_project(run.session(), name, reason, mode=run.mode))


def _goal(session: Session, name: str, said: str) -> str:
    """Give the goal of a new project: what was said, or what is answered on a terminal."""
    from cortexfs.core.changes.plan import Mode
    from cortexfs.errors import Refused
    from cortexfs.operations.project import new_project

    if not said.strip() and console.at_a_terminal():
        new_project(session, name, said, mode=Mode.DRY_RUN)  # a name that cannot be is told first
        said = console.ask("goal:") or console.ask("goal:")
    if not said.strip():
        raise Refused("a project needs a goal", hint="add --goal TEXT")
    return said


def _document(project: Project) -> dict[str, object]:
    said: dict[str, object] = {"name": project.name, "atoms": project.atoms, "refs": project.refs}
    said |= {"latest": project.latest} if project.latest else {}
    return said | ({"archived": True} if project.archived else {})
