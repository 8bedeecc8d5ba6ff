"""`cortexfs undo`."""

from __future__ import annotations

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def undo(
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Take back the last change made through cortexfs.

    Only that, and only where its files still read as it left them. To undo an undo is to redo.

    Example: cortexfs undo --dry-run
    """
    from cortexfs.verbs.undo import undo as take_back

    say = Voice(as_json, quiet)
    done = take_back(voice.cortex(root), dry_run=dry_run, commit=not no_commit)
    if done.outcome is None:
        say.preview(done.subject, dict(voice.diffs(done.plan)))
        return
    say.outcome(done.outcome)
    paths = done.plan.paths
    undone = {"commit": done.made.commit, "subject": done.made.subject, "paths": paths}
    say.document(undone=undone, message=done.subject, commit=voice.last_commit(done.outcome))
    say.lines(done.subject, *paths)
