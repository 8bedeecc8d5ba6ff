"""`cortexfs mission`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.governance_commands import replace_file_text
from cortexfs.interfaces.cli.options import Project, TextFile

app = make_group("Manage the mission of a project: show, edit.")


@app.command()
@read_command
def show(run: CommandContext, project: Project = None) -> None:
    """Show mission.md.

    Example: cortexfs mission show -p driftwood
    """
    from cortexfs.interfaces.json.tasks import to_checklist_item_json
    from cortexfs.operations.mission import show_mission

    session, within = run.open_project(project)
    text, items = show_mission(session, within)
    run.output.print_document(
        project=within, items=[to_checklist_item_json(each) for each in items], content=text
    )
    run.output.print_text(text)


@app.command()
@change_command
def edit(
    run: CommandContext,
    project: Project = None,
    approved: Annotated[
        bool, typer.Option("--approved", help="Confirm that the user approved the change.")
    ] = False,
    body_file: TextFile = None,
) -> None:
    """Replace mission.md, in your editor or from a file.

    Only with the approval of the user, which --approved confirms.

    Example: cortexfs mission edit -p driftwood --approved --body-file projects/driftwood/mission.md
    """
    from cortexfs.operations.mission import edit_mission, refuse_unapproved, show_mission

    refuse_unapproved(approved=approved)
    session, within = run.open_project(project)
    put = partial(edit_mission, session, within, approved=approved, mode=run.mode)
    replace_file_text(run.output, body_file, show_mission(session, within)[0], put, "mission.md")
