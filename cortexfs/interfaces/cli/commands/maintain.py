"""`cortexfs maintain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import ProjectFilter, Projects

if TYPE_CHECKING:
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def maintain(
    run: CommandContext,
    projects: Projects = None,
    project: ProjectFilter = None,
    apply: Annotated[
        bool, typer.Option("--apply", help="Apply the status changes that need no judgement.")
    ] = False,
    limit: Annotated[
        int,
        typer.Option(
            "--limit",
            "-n",
            metavar="N",
            min=1,
            help="Maximum number of results of each type in a project.",
        ),
    ] = 5,
) -> None:
    """Find stale, contradictory and related atoms.

    Prints what each project needs, most urgent first, each with the command for it. Changes
    nothing without --apply, which marks claims as challenged if all of their evidence is refuted,
    and old atoms without reads and links as stale, and archives old memories of low importance.

    Example: cortexfs maintain driftwood
    """
    session, chosen = run.open_projects(split_values([*(projects or ()), *(project or ())]))
    if apply:
        _apply_changes(run, session, chosen)
    else:
        _print_reports(run, session, chosen, limit)


def _print_reports(
    run: CommandContext, session: Session, chosen: list[str] | None, limit: int
) -> None:
    """Print the needs of each project, and the status changes that follow from rules alone."""
    from cortexfs.interfaces.json.tree_state import to_maintenance_json, to_suggested_status_json
    from cortexfs.operations.maintain import maintain as find_maintenance

    output, found = run.output, find_maintenance(session, chosen, mode=run.mode)
    if output.as_json:
        changes = [to_suggested_status_json(mark) for mark in found.marks]
        output.print_document(
            maintenance=[to_maintenance_json(report) for report in found.reports],
            **{"status-changes": changes},
        )
        return
    for report in found.reports:
        _print_project(output, report, limit)
    if all(report.is_empty for report in found.reports):
        output.print_message("nothing to do")
    if found.marks:
        output.print_message(f"--apply would mark {format_count(len(found.marks), 'atom')}")


def _apply_changes(run: CommandContext, session: Session, chosen: list[str] | None) -> None:
    """Apply the status changes, and print what was changed and what was skipped."""
    from cortexfs.operations.maintain import apply_marks

    output = run.output
    if run.dry_run:
        output.print_plan(apply_marks(session, chosen, mode=run.mode).plan)
        return
    done = apply_marks(session, chosen, mode=run.mode)
    output.print_outcome(done.outcome)
    from cortexfs.interfaces.json.tree_state import to_suggested_status_json

    marked = [to_suggested_status_json(mark) for mark in done.applied]
    skipped = list(done.skipped_paths) or None
    output.print_document(
        marked=marked, skipped=skipped, commit=console.last_commit_id(done.outcome)
    )
    rows = [(mark.ref, mark.status, mark.why) for mark in done.applied]
    output.print_table(("Ref", "Status", "Why"), rows)
    for path in done.skipped_paths:
        output.print_message(f"{path}: skipped: it has uncommitted changes")
    if not done.applied:
        output.print_message("no status changes to apply")


def _print_project(output: OutputPrinter, found: MaintenanceReport, limit: int) -> None:
    """Print a project's lines, at most `limit` of each type."""
    from collections import Counter

    from cortexfs.core.maintain.suggestions import list_suggestions
    from cortexfs.core.text.sanitize import to_one_line

    if found.is_empty:
        return
    counts: Counter[str] = Counter()
    texts = [found.project]
    for line in list_suggestions(found):
        counts[line.category] += 1
        if counts[line.category] <= limit:
            texts += [f"  {line.category}: {to_one_line(line.subject)}", f"    {line.command}"]
    texts += [
        f"  {sort}: {count - limit} more; -n {count} shows all"
        for sort, count in counts.items()
        if count > limit
    ]
    output.print_text("\n".join(texts))
