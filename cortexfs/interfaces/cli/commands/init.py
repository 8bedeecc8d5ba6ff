"""`cortexfs init`."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def init(
    run: CommandContext,
    path: Annotated[
        str | None, typer.Argument(help="Folder of the tree (default: the root).")
    ] = None,
) -> None:
    """Create a tree, or add what is missing to an existing one.

    Also creates a git repository if there is none. Existing files are not changed.

    Example: cortexfs init ~/.cortex/context
    """
    from cortexfs.operations.init import init as init_tree
    from cortexfs.operations.list_init_warnings import list_init_warnings

    where = process_context.find_root(path or run.root)
    plan, outcome = init_tree(where, process_context.read_clock, mode=run.mode)
    added = [write.path for write in plan.writes]
    loose = _count_loose_notes(where) if outcome else 0
    session = Session.open_unchecked(where, process_context.read_clock)
    warnings = list_init_warnings(session, os.environ, run.cwd)
    document: dict[str, object] = {"tree": where, "added": added}
    if loose:
        document["loose-notes"] = loose
    if warnings:
        document["warnings"] = [{"message": each.message, "hint": each.hint} for each in warnings]
    if run.output.print_result(plan, outcome, document) and not run.output.is_quiet:
        result = f"{format_count(len(added), 'file')} added" if added else "nothing was missing"
        run.output.print_text(f"{where}: {result}")
    for warning in warnings:
        run.output.print_message(f"warning: {warning.message}")
        run.output.print_message(f"   hint: {warning.hint}")
    if outcome:
        _print_next_steps(run, where, loose)


def _print_next_steps(run: CommandContext, where: str, loose: int) -> None:
    """Print how to go on: with the notes that are there, and with the first project."""
    if loose:
        folder = "." if where == run.cwd else where
        run.output.print_message(
            f"{format_count(loose, 'Markdown file')} not imported;"
            f" `cortexfs import {folder}` creates atoms from notes"
        )
    if not Session.open(where, process_context.read_clock).tree.list_projects():
        run.output.print_message("next: `cortexfs project new NAME --goal TEXT`")


def _count_loose_notes(root: str) -> int:
    """Return the number of Markdown files in a new tree that are not part of it."""
    from cortexfs.operations.find_loose_paths import find_loose_paths

    with Session.open(root, process_context.read_clock).read() as view:
        return len(find_loose_paths(view, view.tree.list_page_paths(view.kinds)))
