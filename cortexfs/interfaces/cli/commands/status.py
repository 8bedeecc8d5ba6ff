"""`cortexfs status`."""

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
from cortexfs.interfaces.cli.governance_commands import print_governance_change, replace_file_text
from cortexfs.interfaces.cli.options import Project, StringList, TextFile

app = make_group("Manage the status of a project: show, set, edit.")


@app.command()
@read_command
def show(run: CommandContext, project: Project = None) -> None:
    """Show STATUS.md.

    Example: cortexfs status show -p driftwood
    """
    from cortexfs.operations.status_md import show_status

    session, within = run.open_project(project)
    text, sections = show_status(session, within)
    run.output.print_document(project=within, sections=sections, content=text)
    run.output.print_text(text)


@app.command("set")
@change_command
def set_sections(
    run: CommandContext,
    project: Project = None,
    phase: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Current phase, in one sentence.")
    ] = None,
    progress: Annotated[
        StringList, typer.Option(metavar="TEXT", help="Recent progress; may be repeated.")
    ] = None,
    blocker: Annotated[
        StringList, typer.Option(metavar="TEXT", help="Open blocker; may be repeated.")
    ] = None,
    step: Annotated[
        StringList, typer.Option("--next", metavar="TEXT", help="Next step; may be repeated.")
    ] = None,
) -> None:
    """Replace sections of STATUS.md, and update its date.

    Other sections are not changed; `--blocker ""` means that there are no blockers.

    Example: cortexfs status set -p driftwood --next "Release 0.4" --blocker ""
    """
    from cortexfs.core.governance.project_status import StatusUpdate
    from cortexfs.operations.status_md import set_status

    lists = (None if words is None else tuple(words) for words in (progress, blocker, step))
    print_governance_change(
        run.output,
        set_status(*run.open_project(project), StatusUpdate(phase, *lists), mode=run.mode),
    )


@app.command()
@change_command
def edit(run: CommandContext, project: Project = None, body_file: TextFile = None) -> None:
    """Replace STATUS.md, in your editor or from a file.

    Example: cortexfs status edit -p driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.operations.status_md import edit_status, show_status

    session, within = run.open_project(project)
    put = partial(edit_status, session, within, mode=run.mode)
    replace_file_text(run.output, body_file, show_status(session, within)[0], put, "STATUS.md")
