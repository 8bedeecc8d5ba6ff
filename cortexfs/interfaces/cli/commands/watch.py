"""`cortexfs watch`."""

from __future__ import annotations

import gc
import logging
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.cli.console import OutputPrinter

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def watch(
    run: CommandContext,
    once: Annotated[bool, typer.Option("--once", help="Exit after the first change.")] = False,
) -> None:
    """Update indexes and check files as they change.

    Runs until it is stopped. With --json, prints one document for each round of changes.

    Example: cortexfs watch --once
    """
    from cortexfs.interfaces.watch import watch as watch_tree

    gc.enable()  # this process lives long
    logging.disable(logging.ERROR)  # watchdog logs events that arrive while it stops
    session = run.open_session()
    run.output.print_message(f"watching {session.tree.root}; Ctrl-C to stop")
    watch_tree(session, partial(_print_round, run.output), rounds=1 if once else None)


def _print_round(output: OutputPrinter, outcome: Outcome, findings: list[Finding]) -> None:
    """Print the indexes rendered in one round, and its findings."""
    from cortexfs.interfaces.json.tree_state import to_finding_json, to_index_json

    written = [index for index in outcome.indexes if index.write]
    output.print_document(
        indexes=[to_index_json(each) for each in written],
        findings=[to_finding_json(each) for each in findings],
        commit=plans.last_commit_id(outcome),
    )
    output.print_outcome(outcome)
    for each in written:
        output.print_lines(f"regenerated {each.path}")
    for found in findings:
        output.print_lines(f"{found.path}:{found.line}: {found.code}: {found.message}")
