"""`cortexfs status`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import BodyFile, Words, kept, tell, written
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Project, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def status() -> None:
    """Where a project stands: show, set, edit."""


@app.command()
def show(
    project: Project = None, root: Root = None, as_json: Json = False, quiet: Quiet = False
) -> None:
    """Show STATUS.md.

    Example: cortexfs status show -p driftwood
    """
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.status import show_status

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    text, sections = show_status(cortex, within)
    say.document(project=within, status=sections, text=text)
    say.data(text)


@app.command("set")
def set_sections(
    project: Project = None,
    phase: Annotated[str | None, typer.Option(help="The current phase, in a sentence.")] = None,
    progress: Annotated[Words, typer.Option(help="Recent progress; may be repeated.")] = None,
    blocker: Annotated[Words, typer.Option(help="An open blocker; may be repeated.")] = None,
    step: Annotated[Words, typer.Option("--next", help="A next step; may be repeated.")] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Overwrite sections of STATUS.md, and the day that it bears.

    A section that is not named stays; `--blocker ""` says that there is none.

    Example: cortexfs status set -p driftwood --next "Release 0.4" --blocker ""
    """
    from cortexfs.core.governance.status import Change
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.status import set_status

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    lists = [None if words is None else tuple(words) for words in (progress, blocker, step)]
    change = Change(phase, *lists)
    tell(say, set_status(cortex, within, change, dry_run=dry_run, commit=not no_commit))


@app.command()
def edit(
    project: Project = None,
    body_file: BodyFile = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Write STATUS.md anew, in $EDITOR or from a file.

    Example: cortexfs status edit -p driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.verbs.resolve import one_project
    from cortexfs.verbs.status import edit_status, show_status

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    within = one_project(cortex, project, voice.cwd())
    text, seen = written(body_file, show_status(cortex, within)[0])
    with kept(text):
        done = edit_status(cortex, within, text, seen, dry_run=dry_run, commit=not no_commit)
    tell(say, done)
