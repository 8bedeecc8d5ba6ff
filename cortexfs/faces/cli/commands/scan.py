"""`cortexfs scan`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.governing import BodyFile, kept, tell, written
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def scan() -> None:
    """Reports of looking around: new, list."""


@app.command()
def new(
    scope: Annotated[str, typer.Option(help="What was looked at.")] = "",
    body_file: BodyFile = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Write today's report, in $EDITOR or from a file; a second one goes below the first.

    Example: cortexfs scan new --scope driftwood --body-file projects/driftwood/STATUS.md
    """
    from cortexfs.verbs.scan import new_scan

    say, cortex = Voice(as_json, quiet), voice.cortex(root)
    body, _ = written(body_file, "")
    with kept(body):
        done = new_scan(cortex, scope, body, dry_run=dry_run, commit=not no_commit)
    tell(say, done)


@app.command("list")
def list_all(root: Root = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """List the reports, the latest first: day, what was looked at.

    Example: cortexfs scan list
    """
    from cortexfs.verbs.scan import list_scans

    say = Voice(as_json, quiet)
    found = list_scans(voice.cortex(root))
    documents = [
        {"date": one.day, "path": one.path, **({"scope": one.scope} if one.scope else {})}
        for one in found
    ]
    say.document(scans=documents)
    say.table(("Date", "Scope"), [(one.day, one.scope) for one in found])
