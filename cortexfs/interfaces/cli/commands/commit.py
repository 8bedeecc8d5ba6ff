"""`cortexfs commit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, trying

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.commit import Committed

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@trying
def commit(
    run: Run,
    paths: Annotated[
        list[str] | None, typer.Argument(help="Paths to commit (default: the whole tree).")
    ] = None,
    message: Annotated[
        str | None, typer.Option("--message", "-m", metavar="TEXT", help="Commit message.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Print all findings, not twenty.")] = False,
) -> None:
    """Commit changes made by hand or by an agent.

    The changes are checked first, and the indexes are updated with them. Files that cannot be
    read, or contain conflict markers or secrets, are held back; the exit code is then 1.

    Example: cortexfs commit -m "what the night's runs showed"
    """
    from cortexfs.operations.commit import commit as carry_out

    done = carry_out(run.session(), paths or [], message, console.cwd(), mode=run.mode)
    waiting = done.outcome.waiting if done.outcome else ""
    run.say.outcome(done.outcome)
    _document(run, done, waiting)
    _tell(run.say, done, waiting, every=every)
    if done.held_back:
        raise typer.Exit(1)


def _document(run: Run, done: Committed, waiting: str) -> None:
    from cortexfs.interfaces.json.upkeep import finding

    pending = run.dry_run or waiting
    run.say.document(
        committed=[] if pending else done.paths,
        pending=done.paths if pending else None,
        waiting=waiting or None,
        **{"held-back": done.held_back},
        skipped=done.skipped or None,
        message=done.message if done.paths else None,
        findings=[finding(each) for each in done.findings],
        commit=console.last_commit(done.outcome),
    )


def _tell(say: Voice, done: Committed, waiting: str, *, every: bool) -> None:
    from cortexfs.interfaces.cli.findings import report

    say.aside(*report(done.findings, every=every))
    if done.skipped:
        say.talk(f"skipped, left behind by other programs: {', '.join(done.skipped)}")
    for path in done.held_back:
        say.talk(f"held back: {path}")
    said = f"waiting: {done.message}" if waiting else done.message
    say.data(said if done.paths else "nothing to commit")
    if done.paths:
        say.lines(*done.paths)
