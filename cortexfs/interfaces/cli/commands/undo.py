"""`cortexfs undo`."""

from __future__ import annotations

import typer

from cortexfs.interfaces.cli.command_context import Run, changing

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@changing
def undo(run: Run) -> None:
    """Undo the last change made through cortexfs.

    Refused if one of its files has changed since. To undo an undo is to redo.

    Example: cortexfs undo --dry-run
    """
    from cortexfs.operations.undo import undo as take_back

    done = take_back(run.session(), mode=run.mode)
    made, paths = done.made, done.plan.paths
    undone = {"commit": made.commit, "subject": made.subject, "paths": paths}
    said = {"undone": undone, "message": done.subject}
    if run.say.done(done.plan._replace(summary=done.subject), done.outcome, said):
        run.say.lines(done.subject, *paths)
