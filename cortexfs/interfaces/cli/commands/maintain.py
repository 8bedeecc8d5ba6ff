"""`cortexfs maintain`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.core.text.plural import format_count
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import merge_proposals
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import ProjectFilter, Projects
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.maintain.equal_memories import MemoryMerge
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport, ProposedStatus
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
        bool, typer.Option("--apply", help="Make the changes that need no judgement.")
    ] = False,
    proposals: Annotated[
        bool, typer.Option("--proposals", help="List similar memories that may be merged.")
    ] = False,
    accept: Annotated[
        str, typer.Option("--accept", metavar="ID", help="Merge the memories of a proposal.")
    ] = "",
    reject: Annotated[
        str, typer.Option("--reject", metavar="ID", help="Do not propose this merge again.")
    ] = "",
    keep: Annotated[
        str,
        typer.Option("--keep", metavar="REF", help="With --accept, the memory that stays."),
    ] = "",
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
    and old atoms without reads and links as stale, archives old memories of low importance, and
    merges memories with the same text. Similar memories are only proposed: --proposals lists them,
    and --accept or --reject decides.

    Example: cortexfs maintain driftwood
    """
    session, chosen = run.open_projects(split_values([*(projects or ()), *(project or ())]))
    if sum(map(bool, (apply, proposals, accept, reject))) > 1 or (keep and not accept):
        raise Usage("use one of --apply, --proposals, --accept [--keep REF] and --reject")
    if proposals:
        merge_proposals.print_proposals(run, session, chosen, limit)
    elif accept:
        merge_proposals.print_accepted(run, session, accept, keep)
    elif reject:
        merge_proposals.print_rejected(run, session, reject)
    elif apply:
        _apply_changes(run, session, chosen)
    else:
        _print_reports(run, session, chosen, limit)


def _print_reports(
    run: CommandContext, session: Session, chosen: list[str] | None, limit: int
) -> None:
    """Print the needs of each project, and the changes that follow from rules alone."""
    from cortexfs.interfaces.json.maintenance import (
        to_maintenance_json,
        to_memory_merge_json,
        to_suggested_status_json,
    )
    from cortexfs.operations.maintain import maintain as find_maintenance

    output, found = run.output, find_maintenance(session, chosen, mode=run.mode)
    if output.as_json:
        output.print_document(
            maintenance=[to_maintenance_json(report) for report in found.reports],
            **{"status-changes": list(map(to_suggested_status_json, found.marks))},
            merges=list(map(to_memory_merge_json, found.merges)),
        )
        return
    for report in found.reports:
        _print_project(output, report, limit)
    if found.merges:
        _print_merges(output, found.merges, limit)
    if all(report.is_empty for report in found.reports) and not found.merges:
        output.print_message("nothing to do")
    _print_restored(output, found.restored_paths)
    if parts := _count_changes(found.marks, found.merges):
        output.print_message(f"--apply would {' and '.join(parts)}")


def _print_merges(output: OutputPrinter, merges: Sequence[MemoryMerge], limit: int) -> None:
    """Print the merges, at most `limit`."""
    for merge in merges[:limit]:
        refs = ", ".join(each.record.ref for each in merge.merged)
        output.print_lines(f"merge: {refs} into {merge.kept.record.ref}, with the same text")
    if len(merges) > limit:
        output.print_lines(f"merge: {len(merges) - limit} more; -n {len(merges)} shows all")


def _count_changes(marks: Sequence[ProposedStatus], merges: Sequence[MemoryMerge]) -> list[str]:

    merged = sum(len(merge.merged) for merge in merges)
    parts = [f"mark {format_count(len(marks), 'atom')}"] if marks else []
    return [*parts, f"merge {format_count(merged, 'memory')}"] if merged else parts


def _print_restored(output: OutputPrinter, paths: Sequence[str]) -> None:
    for path in paths:
        output.print_message(f"{path}: skipped: an undo or `restore` brought it back")


def _apply_changes(run: CommandContext, session: Session, chosen: list[str] | None) -> None:
    """Make the changes, and print what was changed and what was skipped."""
    from cortexfs.interfaces.json.maintenance import to_maintenance_run_json
    from cortexfs.operations.run_maintenance import run_maintenance

    output, done = run.output, run_maintenance(session, run.mode, chosen)
    if run.dry_run:
        output.print_plan(done.plan)
        return
    output.print_outcome(done.outcome)
    output.print_document(
        **to_maintenance_run_json(done),
        commit=plans.last_commit_id(done.outcome) if done.report_path else None,
    )
    rows = [(mark.ref, mark.status, mark.why) for mark in done.marks]
    rows += (
        (merged.record.ref, f"superseded:{merge.kept.record.ref}", "merged: the same text")
        for merge in done.merges
        for merged in merge.merged
    )
    output.print_table(("Ref", "Status", "Why"), rows)
    for path in done.skipped_paths:
        output.print_message(f"{path}: skipped: it has uncommitted changes")
    _print_restored(output, done.restored_paths)
    if done.report_path:
        output.print_message(f"report: {done.report_path}")
    else:
        output.print_message("no changes to make")


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
