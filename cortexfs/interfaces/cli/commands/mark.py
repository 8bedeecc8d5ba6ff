"""`cortexfs mark`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import atom_commands, completion, console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import Reason, Ref, StringList

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.mark import MarkResult

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def mark(
    run: CommandContext,
    ref: Ref,
    status: Annotated[
        str,
        typer.Argument(
            help="New status: valid, challenged, superseded, invalidated, ….",
            autocompletion=completion.complete_statuses,
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option(
            "--by",
            metavar="REF",
            help="Ref of the atom that causes the change.",
            autocompletion=completion.complete_refs,
        ),
    ] = "",
    reviewed: Annotated[
        StringList,
        typer.Option(
            "--reviewed",
            metavar="REF",
            help="Record that it was read again in the light of REF, and still holds.",
            autocompletion=completion.complete_refs,
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
    from cortexfs.operations.mark import MarkRequest
    from cortexfs.operations.mark import mark as carry_out

    asked = MarkRequest(
        ref, status, by, reason, console.working_directory(), atom_commands.split_words(reviewed)
    )
    _print_result(run.output, carry_out(run.open_session(), asked, mode=run.mode))


def _print_result(say: OutputPrinter, done: MarkResult) -> None:
    from cortexfs.interfaces.json.changes import to_status_change_json

    _print_messages(say, done)
    if not say.print_result(
        done.plan, done.outcome, to_status_change_json(done), changed=bool(done.plan.writes)
    ):
        return
    if done.marking.file_changes:
        say.print_table(
            ("Ref", "What"), [(touch.ref, touch.summary) for touch in done.marking.file_changes]
        )
    else:
        say.print_lines(f"{done.ref} is {done.status} already")


def _print_messages(say: OutputPrinter, done: MarkResult) -> None:
    if done.own_changes and done.plan.writes:
        say.print_message(f"{done.path}: your own changes to it come into the commit")
    for path, why in done.marking.left_out.items():
        say.print_message(f"left out: {path}: {why}; fix that, and repeat the command")
