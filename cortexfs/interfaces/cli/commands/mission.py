"""`cortexfs mission`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.governance_text import rewrite
from cortexfs.interfaces.cli.options import Project, TextFile

app = group("Manage the mission of a project: show, edit.")


@app.command()
@reading
def show(run: Run, project: Project = None) -> None:
    """Show mission.md.

    Example: cortexfs mission show -p driftwood
    """
    from cortexfs.interfaces.json.plan import checklist_item
    from cortexfs.operations.mission import show_mission

    session, within = run.within(project)
    text, items = show_mission(session, within)
    run.say.document(project=within, items=[checklist_item(each) for each in items], content=text)
    run.say.data(text)


@app.command()
@changing
def edit(
    run: Run,
    project: Project = None,
    approved: Annotated[
        bool, typer.Option("--approved", help="Confirm that the user approved the change.")
    ] = False,
    body_file: TextFile = None,
) -> None:
    """Replace mission.md, in $EDITOR or from a file; the user has to approve it.

    Example: cortexfs mission edit -p driftwood --approved --body-file projects/driftwood/mission.md
    """
    from cortexfs.operations.mission import edit_mission, refuse_unapproved, show_mission

    refuse_unapproved(approved=approved)
    session, within = run.within(project)
    put = partial(edit_mission, session, within, approved=approved, mode=run.mode)
    rewrite(run.say, body_file, show_mission(session, within)[0], put, "mission.md")
