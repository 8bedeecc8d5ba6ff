"""`cortexfs mission`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import BodyFile, kept, tell, written
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def mission() -> None:
    """What a project is for: show, edit."""


@app.command()
def show(
    project: Project = None, root: Root = None, as_json: Json = False, quiet: Quiet = False
) -> None:
    """Show mission.md.

    Example: cortexfs mission show -p driftwood
    """
    from cortexfs.faces.documents import item
    from cortexfs.verbs.mission import show_mission
    from cortexfs.verbs.resolve import one_project

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    text, items = show_mission(cortex, within)
    say.document(project=within, items=[item(each) for each in items], text=text)
    say.data(text)


@app.command()
def edit(
    project: Project = None,
    approved: Annotated[
        bool, typer.Option("--approved", help="The user has said that it may be changed.")
    ] = False,
    body_file: BodyFile = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Write mission.md anew, in $EDITOR or from a file, once the user has approved it.

    Example: cortexfs mission edit -p driftwood --approved --body-file projects/driftwood/mission.md
    """
    from cortexfs.verbs.mission import edit_mission, refuse_unapproved, show_mission
    from cortexfs.verbs.resolve import one_project

    refuse_unapproved(approved=approved)
    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    text, seen = written(body_file, show_mission(cortex, within)[0])
    keeping = {"dry_run": dry_run, "commit": not no_commit}
    with kept(text):
        done = edit_mission(cortex, within, text, seen, approved=approved, **keeping)
    tell(say, done)
