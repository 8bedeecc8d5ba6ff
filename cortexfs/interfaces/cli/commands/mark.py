"""`cortexfs mark`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import completion, console, prompts
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import Reason, Ref, Words

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.mark import Marked

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@changing
def mark(
    run: Run,
    ref: Ref,
    status: Annotated[
        str,
        typer.Argument(
            help="New status: valid, challenged, superseded, invalidated, ….",
            autocompletion=completion.statuses,
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="REF",
            help="Ref of the atom that causes the change.",
            autocompletion=completion.refs,
        ),
    ] = "",
    reviewed: Annotated[
        Words,
        typer.Option(
            "--reviewed",
            metavar="REF",
            help="Record that it was read again in the light of REF, and still holds.",
            autocompletion=completion.refs,
        ),
    ] = None,
    reason: Reason = "",
) -> None:
    """Change the status of an atom, and what follows from it.

    The successor links back, the refuting experiment lists who cites the old atom, knowledge
    and patterns that depend on it are challenged, and an invalidated atom becomes a tombstone:
    in one commit. docs/format.md lists which status may follow which.

    A challenged atom that is marked active, valid or partial again is recorded as reviewed in the
    light of its challenger; --reviewed records more. `check` and `maintain` are silent about that
    until the ground changes again.

    Example: cortexfs mark driftwood/EXP-012 superseded --by driftwood/EXP-014
    """
    from cortexfs.operations.mark import Asked
    from cortexfs.operations.mark import mark as carry_out

    asked = Asked(ref, status, by, reason, console.cwd(), prompts.split(reviewed))
    _tell(run.say, carry_out(run.session(), asked, mode=run.mode))


def _tell(say: Voice, done: Marked) -> None:
    from cortexfs.interfaces.json.changes import marked

    _say_beside(say, done)
    if not say.done(done.plan, done.outcome, marked(done), changed=bool(done.plan.writes)):
        return
    if done.marking.touches:
        say.table(("Ref", "What"), [(touch.ref, touch.what) for touch in done.marking.touches])
    else:
        say.lines(f"{done.ref} is {done.status} already")


def _say_beside(say: Voice, done: Marked) -> None:
    if done.own_changes and done.plan.writes:
        say.talk(f"{done.path}: your own changes to it come into the commit")
    for path, why in done.marking.left_out.items():
        say.talk(f"left out: {path}: {why}; mend that, and repeat the command")
