"""The commands of `cortexfs story` that make files of what was said: rebuild, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    report_command,
)
from cortexfs.interfaces.cli.options import Project
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.stories.plan_chunk_files import Progress
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.session.session import Session

StoryName = Annotated[str, typer.Argument(metavar="NAME", help="Name of the story.")]


@report_command
def rebuild(run: CommandContext, name: StoryName, project: Project = None) -> None:
    """Make the files of a story anew from its record, with the present settings.

    Only files that differ are written, in one commit; a file that a person has changed is kept. A
    run that was interrupted goes on where it was.

    Example: cortexfs story rebuild road -p driftwood
    """
    from cortexfs.operations.stories.rebuild_story import rebuild_story

    session, within = run.open_project(project)
    done = rebuild_story(
        session, within, name, progress=make_chunk_progress(session), mode=run.mode
    )
    run.output.print_outcome(done.outcome)
    summaries = done.files.summaries
    made, gone = list_summary_paths(summaries)
    written = len(done.files.chunks.writes) + len(made)
    removed = len(done.files.chunks.removes) + len(gone)
    run.output.print_document(
        rebuilt={
            "story": name,
            "messages": done.messages,
            "chunks": done.chunk_count,
            "outdated": done.outdated,
            "written": written,
            "removed": removed,
            "edited": [*done.files.chunks.edited, *summaries.edited],
            "scenes": summaries.scenes,
            "arcs": summaries.arcs,
        },
        commit=plans.last_commit_id(done.outcome),
    )
    if done.outdated:
        chunks = format_count(done.outdated, "chunk")
        run.output.print_message(f"settings have changed: {chunks} made with others")
    _print_edited(run.output, (*done.files.chunks.edited, *summaries.edited))
    counts = f"{written} written, {removed} removed"
    chunks = format_count(done.chunk_count, "chunk")
    parts = f"{chunks}, {format_summaries(summaries)}" if summaries.scenes else chunks
    shown = f"{parts}: {counts}"
    run.output.print_message(f"dry run: {shown}" if run.dry_run else shown)


@report_command
def consolidate(run: CommandContext, name: StoryName, project: Project = None) -> None:
    """Make the scenes and arcs of a story that are due.

    With `stories: consolidation:` in the settings, imports and new messages do the same. One that
    a person has edited is kept; one that a person has removed is not made again.

    Example: cortexfs story consolidate road -p driftwood --dry-run
    """
    from cortexfs.operations.stories.consolidate_story import consolidate_story

    session, within = run.open_project(project)
    done = consolidate_story(session, within, name, mode=run.mode)
    run.output.print_outcome(done.outcome)
    made = done.summaries
    written, removed = list_summary_paths(made)
    run.output.print_document(
        consolidated={
            "story": name,
            "scenes": made.scenes,
            "arcs": made.arcs,
            "written": written,
            "removed": removed,
            "edited": list(made.edited),
        },
        commit=plans.last_commit_id(done.outcome),
    )
    for path in written:
        run.output.print_text(path)
    _print_edited(run.output, made.edited)
    counts = f"{len(written)} written, {len(removed)} removed"
    shown = f"{format_summaries(made)}: {counts}"
    run.output.print_message(f"dry run: {shown}" if run.dry_run else shown)


def register_commands(app: typer.Typer) -> None:
    """Add the commands to the group `story`."""
    for function in (rebuild, consolidate):
        app.command()(function)


def list_summary_paths(made: SummaryPlan) -> tuple[list[str], list[str]]:
    """Return the paths of the scenes and arcs that are written, and of those that are removed."""
    written = [write.path for write in made.writes if write.path.endswith(".md")]
    return written, [remove.path for remove in made.removes]


def format_summaries(made: SummaryPlan) -> str:
    """Return how many scenes and arcs a story has: `2 scenes, 1 arc`."""
    return f"{format_count(made.scenes, 'scene')}, {format_count(made.arcs, 'arc')}"


def make_chunk_progress(session: Session) -> Progress | None:
    """Return what shows the progress of making chunks on a terminal; None elsewhere."""
    from cortexfs.interfaces.cli.progress import make_progress_bar

    return make_progress_bar("making chunks") if session.reader.progress else None


def _print_edited(output: OutputPrinter, paths: Iterable[str]) -> None:
    for path in paths:
        output.print_message(f"kept, because it was edited: {path}")
