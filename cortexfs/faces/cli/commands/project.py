"""`cortexfs project`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.saying import counted
from cortexfs.faces.cli import complete, voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.verbs.project import Project

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def project() -> None:
    """Projects: new, list, show, archive."""


@app.command()
def new(
    name: Annotated[str, typer.Argument(help="Its name: a-z, 0-9, `.`, `_` and `-`.")],
    goal: Annotated[str, typer.Option("--goal", help="What it is for, in a sentence.")] = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Make a project with its governance files, listed above.

    The goal is asked for on a terminal where it is not given.

    Example: cortexfs project new sundial --goal "Know the time without a clock"
    """
    from cortexfs.errors import Usage
    from cortexfs.verbs.project import new_project

    say = Voice(as_json, quiet)
    cortex = voice.cortex(root)
    if not goal.strip() and voice.at_a_terminal():
        new_project(cortex, name, goal, dry_run=True)  # a name that cannot be is told first
        goal = voice.ask("goal:") or voice.ask("goal:")
    if not goal.strip():
        raise Usage("a project needs a goal", hint="add --goal TEXT")
    plan, outcome = new_project(cortex, name, goal, dry_run=dry_run, commit=not no_commit)
    if outcome is None:
        say.plan(plan)
        return
    say.outcome(outcome)
    made = {"project": name, "path": f"projects/{name}"}
    say.document(created=made, commit=voice.last_commit(outcome))
    say.data(f"{name}\tprojects/{name}")


@app.command("list")
def list_projects(root: Root = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """List the projects, with their atoms and looks.

    Example: cortexfs project list
    """
    from cortexfs.verbs.project import projects

    say = Voice(as_json, quiet)
    found = projects(voice.cortex(root))
    say.document(projects=[_document(project) for project in found])
    rows = [
        (p.name, str(sum(p.atoms.values())), str(p.refs), p.latest, "archived" * p.archived)
        for p in found
    ]
    say.table(("Project", "Atoms", "Refs", "Latest", ""), rows)


@app.command()
def show(
    name: Annotated[str, typer.Argument(help="The project.")],
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Show a project in figures, and its STATUS.md.

    Example: cortexfs project show driftwood
    """
    from cortexfs.verbs.project import show_project

    say = Voice(as_json, quiet)
    found, status = show_project(voice.cortex(root), name)
    say.document(project=_document(found), status=status)
    atoms = ", ".join(counted(number, kind) for kind, number in sorted(found.atoms.items()))
    say.lines(f"{found.name}: {atoms or 'no atoms yet'}; {counted(found.refs, 'look')}")
    say.data(f"\n{status}")


@app.command()
def archive(
    name: Annotated[str, typer.Argument(help="The project.", autocompletion=complete.projects)],
    reason: Annotated[str, typer.Option("--reason", help="Why, in a sentence.")] = "",
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Say in OVERVIEW.md that a project rests, with the lowest priority.

    Its files stay where they are, and refs to its atoms hold. `cortexfs status set --phase`
    takes it up again.

    Example: cortexfs project archive greenhouse --reason "The season is over"
    """
    from cortexfs.faces.cli.governing import tell
    from cortexfs.verbs.project import archive_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    tell(say, archive_project(cortex, name, reason, dry_run=dry_run, commit=not no_commit))


def _document(project: Project) -> dict[str, object]:
    said: dict[str, object] = {"name": project.name, "atoms": project.atoms, "refs": project.refs}
    said |= {"latest": project.latest} if project.latest else {}
    return said | ({"archived": True} if project.archived else {})
