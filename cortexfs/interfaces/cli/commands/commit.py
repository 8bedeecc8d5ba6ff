"""`cortexfs commit`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, dry_run_command
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.commit import CommitReport

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@dry_run_command
def commit(
    run: CommandContext,
    paths: Annotated[
        list[str] | None, typer.Argument(help="Paths to commit (default: the whole tree).")
    ] = None,
    message: Annotated[
        str | None, typer.Option("--message", "-m", metavar="TEXT", help="Commit message.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print all findings (default: twenty).")
    ] = False,
) -> None:
    """Commit changes made by hand or by an agent.

    The changes are checked first, and the indexes are updated in the same commit. Files that are
    unreadable or over 32 MiB, or contain conflict markers or secrets, are not committed; the exit
    code is then 1.

    Example: cortexfs commit -m "what the night's runs showed"
    """
    from cortexfs.interfaces.json.commit import to_commit_report_json
    from cortexfs.operations.commit import commit as commit_changes

    done = commit_changes(run.open_session(), paths or [], message, run.cwd, mode=run.mode)
    waiting = done.outcome.uncommitted_reason if done.outcome else ""
    run.output.print_outcome(done.outcome)
    commit_id = plans.last_commit_id(done.outcome)
    run.output.print_document(**to_commit_report_json(done), commit=commit_id)
    _print_report(run.output, done, waiting, every=every)
    if done.held_back:
        raise typer.Exit(1)


def _print_report(output: OutputPrinter, done: CommitReport, waiting: str, *, every: bool) -> None:
    from cortexfs.interfaces.cli.findings_text import format_findings

    findings = sorted(done.findings, key=lambda found: (found.path, found.line))
    output.print_notes(*format_findings(findings, every=every))
    if done.leftovers:
        output.print_message(f"skipped backup files: {', '.join(done.leftovers)}")
    for path in done.held_back:
        output.print_message(f"held back: {path}")
    message = f"waiting: {done.message}" if waiting else done.message
    output.print_text(message if done.paths else "nothing to commit")
    if done.paths:
        output.print_lines(*done.paths)
