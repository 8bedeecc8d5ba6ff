"""`cortexfs diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.core.changes.format_plan_diffs import format_diff
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import AtCommit, Ref

if TYPE_CHECKING:
    from cortexfs.operations.diff import AtomDiff
    from cortexfs.session.annotation_types import CommitSummary

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@read_command
def diff(run: CommandContext, ref: Ref, at: AtCommit = None) -> None:
    """Show what changed in an atom.

    Shows the last change (uncommitted edits, if there are any), or with --at all changes since a
    commit. Exit code 1 if nothing changed.

    Example: cortexfs diff driftwood/EXP-009
    """
    from cortexfs.interfaces.json.history_and_status import to_diff_json
    from cortexfs.operations.diff import diff as diff_atom

    found = diff_atom(run.open_session(), ref, run.cwd, at)
    text = format_diff(found.path, found.old_text, found.new_text)
    run.output.print_document(**to_diff_json(found, text))
    if found.old_path != found.path:
        run.output.print_text(f"{found.old_path} is now {found.path}")
    if text:
        run.output.print_text(text)
    run.output.print_message(_describe_sides(found, text))
    if found.old_text == found.new_text:
        raise typer.Exit(1)


def _describe_sides(found: AtomDiff, text: str) -> str:
    """Return a line that names both sides of the diff."""
    if found.by:
        return f"changed in {_format_commit(found.by)}"
    if found.since:
        since = _format_commit(found.since)
        return f"changed since {since}" if text else f"no changes since {since}"
    return "never committed"


def _format_commit(commit: CommitSummary) -> str:
    return f"{commit.commit[:10]} {commit.when[:10]} {commit.subject}"
