"""`cortexfs init`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def init(
    path: Annotated[str | None, typer.Argument(help="Where; default is the root.")] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Make a tree, or add to one what it lacks.

    Makes the git repository too, where there is none. What is there already stays as it is.

    Example: cortexfs init ~/.cortex/context
    """
    from cortexfs.core.saying import counted
    from cortexfs.verbs.init import init

    say = Voice(as_json, quiet)
    where = voice.root(path or root)
    plan, outcome = init(where, voice.clock, dry_run=dry_run, commit=not no_commit)
    if outcome is None:
        say.plan(plan)
        return
    added = [write.path for write in plan.writes]
    say.outcome(outcome)
    say.document(tree=where, added=added, commit=voice.last_commit(outcome))
    said = f"{counted(len(added), 'file')} added" if added else "nothing was missing"
    say.data(f"{where}: {said}")
