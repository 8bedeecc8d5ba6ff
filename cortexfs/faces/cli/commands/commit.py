"""`cortexfs commit`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, Quiet, Root
from cortexfs.faces.cli.voice import Voice

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def commit(
    paths: Annotated[list[str] | None, typer.Argument(help="Default: all of the tree.")] = None,
    message: Annotated[str | None, typer.Option("--message", "-m", help="What to say.")] = None,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
) -> None:
    """Commit what was written by hand or by an agent.

    It is checked first, and the indexes come along. What cannot be read, or holds conflict
    markers, a key or a token, is held back, and the exit code is 1.

    Example: cortexfs commit -m "what the night's runs showed"
    """
    from cortexfs.core.findings import severity
    from cortexfs.faces.documents import finding
    from cortexfs.verbs.commit import commit as carry_out

    say = Voice(as_json, quiet)
    done = carry_out(voice.cortex(root), paths or [], message, voice.cwd(), dry_run=dry_run)
    waiting = done.outcome.waiting if done.outcome else ""
    say.outcome(done.outcome)
    say.document(
        committed=[] if dry_run or waiting else done.paths,
        pending=done.paths if dry_run or waiting else None,
        waiting=waiting or None,
        held_back=done.held_back,
        message=done.message if done.paths else None,
        findings=[finding(each) for each in done.findings],
        commit=voice.last_commit(done.outcome),
    )
    for each in done.findings:
        say.talk(f"{each.path}:{each.line}: {severity(each.code)}: {each.code}: {each.message}")
    for path in done.held_back:
        say.talk(f"held back: {path}")
    said = f"waiting: {done.message}" if waiting else done.message
    say.data(said if done.paths else "nothing to commit")
    if done.paths:
        say.lines(*done.paths)
    if done.held_back:
        raise typer.Exit(1)
