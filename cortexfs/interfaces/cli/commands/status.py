"""`cortexfs status`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from cortexfs.interfaces.cli.command_context import Run, changing, group, reading
from cortexfs.interfaces.cli.governance_text import rewrite, tell
from cortexfs.interfaces.cli.options import Project, TextFile, Words

app = group("Manage the status of a project: show, set, edit.")


@app.command()
@reading
def show(run: Run, project: Project = None) -> None:
    """Show STATUS.md.

    Example: cortexfs status show -p driftwood
    """
    from cortexfs.operations.status import show_status

    session, within = run.within(project)
    text, sections = show_status(session, within)
    run.say.document(project=within, sections=sections, content=text)
    run.say.data(text)


@app.command("set")
@changing
def set_sections(
    run: Run,
    project: Project = None,
    phase: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Current phase, in one sentence.")
    ] = None,
    progress: Annotated[
        Words, typer.Option(metavar="TEXT", help="Recent progress; may be repeated.")
    ] = None,
    blocker: Annotated[
        Words, typer.Option(metavar="TEXT", help="Open blocker; may be repeated.")
    ] = None,
    step: Annotated[
        Words, typer.Option("--next", metavar="TEXT", help="Next step; may be repeated.")
    ] = None,
) -> None:
    """Replace sections of STATUS.md, and update its date.

    The other sections stay as they are; `--blocker ""` means that there is none.

    Example: cortexfs status set -p driftwood --next "Release 0.4" --blocker ""
    """
    from cortexfs.core.governance.status import Change
    from cortexfs.operations.status import set_status

    lists = (None if words is None else tuple(words) for words in (progress, blocker, step))
    tell(run.say, set_status(*run.within(project), Change(phase, *lists), mode=run.mode))


@app.command()
@changing
def edit(run: Run, project: Project = None, body_file: TextFile = None) -> None:
    """Replace STATUS.md, in $EDITOR or from a file.

    Example: cortexfs status edit -p driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.operations.status import edit_status, show_status

    session, within = run.within(project)
    put = partial(edit_status, session, within, mode=run.mode)
    rewrite(run.say, body_file, show_status(session, within)[0], put, "STATUS.md")
