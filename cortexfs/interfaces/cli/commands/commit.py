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
    paths: Annotated[list[str] | None, typer.Argument(help="Default: all of the tree.")] = None,
    message: Annotated[str | None, typer.Option("--message", "-m", help="What to say.")] = None,
) -> None:
    """Commit what was written by hand or by an agent.

    It is checked first, and the indexes come along. What cannot be read, or holds conflict
    markers, a key or a token, is held back, and the exit code is 1.

    Example: cortexfs commit -m "what the night's runs showed"
    """
    from cortexfs.operations.commit import commit as carry_out

    done = carry_out(run.session(), paths or [], message, console.cwd(), mode=run.mode)
    waiting = done.outcome.waiting if done.outcome else ""
    run.say.outcome(done.outcome)
    _document(run, done, waiting)
    _tell(run.say, done, waiting)
    if done.held_back:
        raise typer.Exit(1)


def _document(run: Run, done: Committed, waiting: str) -> None:
    from cortexfs.interfaces.json_documents import finding

    pending = run.dry_run or waiting
    run.say.document(
        committed=[] if pending else done.paths,
        pending=done.paths if pending else None,
        waiting=waiting or None,
        held_back=done.held_back,
        message=done.message if done.paths else None,
        findings=[finding(each) for each in done.findings],
        commit=console.last_commit(done.outcome),
    )


def _tell(say: Voice, done: Committed, waiting: str) -> None:
    from cortexfs.core.checks.finding_codes import severity

    for each in done.findings:
        say.talk(f"{each.path}:{each.line}: {severity(each.code)}: {each.code}: {each.message}")
    for path in done.held_back:
        say.talk(f"held back: {path}")
    said = f"waiting: {done.message}" if waiting else done.message
    say.data(said if done.paths else "nothing to commit")
    if done.paths:
        say.lines(*done.paths)
