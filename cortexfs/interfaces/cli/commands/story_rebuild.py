"""The commands of `cortexfs story` that make files of what was said: rebuild, consolidate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    report_command,
)
from cortexfs.interfaces.cli.commands.story_files import StoryName
from cortexfs.interfaces.cli.options import Project
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.operations.stories.rebuild_story import StoryRebuild
    from cortexfs.operations.stories.rebuild_with_sidecar import SidecarReport


Sidecar = Annotated[
    bool | None,
    typer.Option(
        "--sidecar/--no-sidecar",
        help="Ask the language model about what is new to it (default: by the settings).",
    ),
]
Confirmed = Annotated[
    bool, typer.Option("--yes", "-y", help="Ask the language model without a confirmation.")
]


@report_command
def rebuild(
    run: CommandContext,
    name: StoryName,
    project: Project = None,
    sidecar: Sidecar = None,
    yes: Confirmed = False,
) -> None:
    """Make the files of a story anew, with the present settings.

    They are made from its record. Only files that differ are written, in one commit; a file that a
    person has changed is kept. A run that was interrupted goes on where it was. What a language
    model has said of unchanged chunks stays; before it is asked, the number of requests is shown
    and confirmed.

    Example: cortexfs story rebuild road -p driftwood
    """
    from cortexfs.interfaces.cli.story_sidecar import (
        print_report,
        rebuild_alone,
        rebuild_asking_model,
    )

    session, within = run.open_project(project)
    report = None
    if session.settings.stories.sidecar.enabled if sidecar is None else sidecar:
        done, report = rebuild_asking_model(run, session, (within, name), sidecar=sidecar, yes=yes)
    else:
        done = rebuild_alone(run, session, (within, name))
    run.output.print_outcome(done.outcome)
    print_rebuild(run, done, report)
    if report:
        print_report(run.output, report)


def print_rebuild(run: CommandContext, done: StoryRebuild, report: SidecarReport | None) -> None:
    """Print what a rebuild has done; `report` is what the language model did."""
    from cortexfs.interfaces.json.stories import to_rebuild_json

    document = to_rebuild_json(done, report)
    run.output.print_document(rebuilt=document, commit=plans.last_commit_id(done.outcome))
    if done.outdated:
        chunks = format_count(done.outdated, "chunk")
        run.output.print_message(f"settings have changed: {chunks} made with others")
    _print_edited(run.output, document["edited"])
    counts = f"{document['written']} written, {document['removed']} removed"
    chunks, summaries = format_count(done.chunk_count, "chunk"), done.files.summaries
    parts = f"{chunks}, {format_summaries(summaries)}" if summaries.scenes else chunks
    run.output.print_message(f"{'dry run: ' if run.dry_run else ''}{parts}: {counts}")


@report_command
def consolidate(run: CommandContext, name: StoryName, project: Project = None) -> None:
    """Make the scenes and arcs of a story that are due.

    With `stories: consolidation:` in the settings, imports and new messages do the same. One that
    a person has edited is kept; one that a person has removed is not made again.

    Example: cortexfs story consolidate road -p driftwood --dry-run
    """
    from cortexfs.interfaces.json.stories import to_consolidation_json
    from cortexfs.operations.stories.consolidate_story import consolidate_story

    session, within = run.open_project(project)
    done = consolidate_story(session, within, name, mode=run.mode)
    run.output.print_outcome(done.outcome)
    document, made = to_consolidation_json(done), done.summaries
    run.output.print_document(consolidated=document, commit=plans.last_commit_id(done.outcome))
    for path in document["written"]:
        run.output.print_text(path)
    _print_edited(run.output, made.edited)
    counts = f"{len(document['written'])} written, {len(document['removed'])} removed"
    shown = f"{format_summaries(made)}: {counts}"
    run.output.print_message(f"dry run: {shown}" if run.dry_run else shown)


def register_commands(app: typer.Typer) -> None:
    """Add the commands to the group `story`."""
    for function in (rebuild, consolidate):
        app.command()(function)


def format_summaries(made: SummaryPlan) -> str:
    """Return how many scenes and arcs a story has: `2 scenes, 1 arc`."""
    return f"{format_count(made.scenes, 'scene')}, {format_count(made.arcs, 'arc')}"


def _print_edited(output: OutputPrinter, paths: Iterable[str]) -> None:
    for path in paths:
        output.print_message(f"kept, because it was edited: {path}")
