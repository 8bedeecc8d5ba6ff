"""`cortexfs restore`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Ref, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def restore(
    ref: Ref,
    at: Annotated[
        str | None, typer.Option("--at", metavar="COMMIT", help="As it was then; also a day.")
    ] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Bring back a tombstone, or what an atom said earlier.

    Without --at a tombstone gets its old text and its old status back, and an atom that was
    removed is there again. What its fall has challenged stays so: that is for a person to judge.

    Example: cortexfs restore driftwood/EXP-009 --at HEAD
    """
    from cortexfs.faces.documents import restored
    from cortexfs.verbs.restore import restore as carry_out

    say = Voice(as_json, quiet)
    done = carry_out(
        voice.cortex(root), ref, at=at, cwd=voice.cwd(), dry_run=dry_run, commit=not no_commit
    )
    for other in done.challenged:
        say.talk(f"still challenged: {other}; `cortexfs mark {other} valid` if it stands again")
    if done.outcome is None:
        say.plan(done.plan)
        return
    say.outcome(done.outcome)
    commit = voice.last_commit(done.outcome) if done.plan.writes else None
    say.document(**restored(done), commit=commit)
    if done.plan.writes:
        say.table(("Ref", "Status"), [(done.ref, done.status)])
    else:
        say.lines(f"{done.ref} says that already")
