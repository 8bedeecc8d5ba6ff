"""`cortexfs mark`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli import atom_input_and_output, completion
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
            help="Record that the atom was reviewed against REF and is still valid.",
            autocompletion=completion.complete_refs,
        ),
    ] = None,
    reason: Reason = "",
) -> None:
    """Change the status of an atom, and of the atoms that depend on it.

    All of this is one commit: a successor gets a link back; the experiment that overturns the atom
    lists every file that cites it; knowledge and patterns that depend on it are challenged; an
    invalidated atom becomes a tombstone. docs/format.md lists which status may follow which.

    If you mark a challenged atom active, valid or partial again, it is recorded as reviewed against
    the atom that challenged it; --reviewed records further atoms. `check` and `maintain` then
    ignore this evidence until it changes again.

    Example: cortexfs mark driftwood/EXP-012 superseded --by driftwood/EXP-014
    """
    from cortexfs.operations.mark import MarkRequest
    from cortexfs.operations.mark import mark as mark_atom

    request = MarkRequest(
        ref,
        status,
        by,
        reason,
        run.cwd,
        atom_input_and_output.split_words(reviewed),
    )
    _print_result(run.output, mark_atom(run.open_session(), request, mode=run.mode))


def _print_result(output: OutputPrinter, done: MarkResult) -> None:
    from cortexfs.interfaces.json.history_and_status import to_status_change_json

    _print_messages(output, done)
    if not output.print_result(
        done.plan, done.outcome, to_status_change_json(done), changed=bool(done.plan.writes)
    ):
        return
    if done.changes.file_changes:
        output.print_table(
            ("Ref", "Change"), [(touch.ref, touch.summary) for touch in done.changes.file_changes]
        )
    else:
        output.print_lines(f"{done.ref} is already {done.status}")


def _print_messages(output: OutputPrinter, done: MarkResult) -> None:
    output.print_own_changes([done.path] if done.own_changes and done.plan.writes else [])
    for path, why in done.changes.left_out.items():
        output.print_message(f"skipped: {path}: {why}; fix that, then repeat the command")
