"""`cortexfs hook`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.core.saying import counted
from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

LONGEST_S = 60
"""Nobody waits longer for more notes."""

app = typer.Typer(rich_markup_mode=None, add_completion=False, no_args_is_help=True)


@app.callback()
def hook() -> None:
    """Notes of hooks: drain, status."""


@app.command()
def drain(
    after: Annotated[float, typer.Option(metavar="SECONDS", help="Wait for more notes.")] = 0,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Turn what hooks have noted into lines of the access logs, in one commit.

    Example: cortexfs hook drain
    """
    import time

    from cortexfs.core.places import project_of
    from cortexfs.errors import Usage
    from cortexfs.verbs.drain import drain as carry_out

    say = Voice(as_json, quiet)
    if not 0 <= after <= LONGEST_S:
        raise Usage(f"--after takes 0 to {LONGEST_S} seconds")
    time.sleep(after)
    cortex = voice.cortex(root)
    if dry_run:
        say.plan(cortex.plan_drain())
        return
    cortex.spool.rest()
    outcome = carry_out(cortex, commit=not no_commit)
    say.outcome(outcome)
    appends = outcome.drained.appends
    said = {
        "notes": len(outcome.drained.notes),
        "events": sum(len(added.lines) for added in appends),
        "projects": sorted({project_of(added.path) for added in appends}),
    }
    say.document(drained=said, commit=voice.last_commit(outcome))
    events = sum(len(added.lines) for added in appends)
    say.data(f"{counted(len(outcome.drained.notes), 'note')}, {counted(events, 'event')}")


@app.command()
def status(root: Root = None, as_json: Json = False, quiet: Quiet = False) -> None:
    """Tell how many notes wait to be understood.

    Example: cortexfs hook status
    """
    say = Voice(as_json, quiet)
    waiting = voice.cortex(root).spool.waiting_count()
    say.document(spool={"waiting": waiting})
    say.data(f"waiting: {counted(waiting, 'note')}")
