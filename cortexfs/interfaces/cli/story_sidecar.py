"""Ask the language model for `cortexfs story rebuild`: show the cost, confirm it, report."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.errors import Refused
from cortexfs.interfaces.cli import console, questions
from cortexfs.interfaces.cli.progress import make_session_progress

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.stories.estimate_sidecar import SidecarCost
    from cortexfs.operations.stories.rebuild_story import StoryRebuild
    from cortexfs.operations.stories.rebuild_with_sidecar import SidecarReport
    from cortexfs.session.session import Session

RAISE_HINT = "raise `calls-per-day` in the settings of the model, or run this again tomorrow"


def rebuild_alone(run: CommandContext, session: Session, place: tuple[str, str]) -> StoryRebuild:
    """Rebuild a story, given by its project and its name, without a language model."""
    from cortexfs.operations.stories.rebuild_story import rebuild_story

    progress = make_session_progress(session, "making chunks")
    return rebuild_story(session, *place, progress=progress, mode=run.mode)


def rebuild_asking_model(
    run: CommandContext,
    session: Session,
    place: tuple[str, str],
    *,
    sidecar: bool | None,
    yes: bool,
) -> tuple[StoryRebuild, SidecarReport | None]:
    """Rebuild a story, and ask the language model if that is confirmed.

    `sidecar` is None if only the settings want it: then the rebuild is made without a model where
    none can be asked. Raises `Refused` if it is wanted and cannot be asked.
    """
    from cortexfs.operations.stories.estimate_sidecar import estimate_sidecar
    from cortexfs.operations.stories.rebuild_with_sidecar import rebuild_with_sidecar

    cost = estimate_sidecar(session, *place, os.environ)
    if cost.requests:
        _print_cost(run.output, cost)
    if not cost.requests or run.dry_run or not _may_ask(run, cost, sidecar=sidecar, yes=yes):
        return rebuild_alone(run, session, place), None
    progress = make_session_progress(session, "asking the model")
    done = rebuild_with_sidecar(session, *place, os.environ, progress=progress, mode=run.mode)
    return done.rebuild, done.report


def print_report(output: OutputPrinter, report: SidecarReport) -> None:
    """Print what the language model did, and what is left."""
    chunks = format_count(report.chunks, "chunk")
    summaries = format_count(report.summaries, "summary")
    output.print_message(f"sidecar: {chunks} analysed, {summaries} written")
    if report.invalid:
        answers = format_count(report.invalid, "answer")
        output.print_message(f"sidecar: {answers} not valid; these stay as they are without it")
    if report.failure:
        output.print_message(f"sidecar: {report.failure}; what was said is kept: {RAISE_HINT}")


def _may_ask(run: CommandContext, cost: SidecarCost, *, sidecar: bool | None, yes: bool) -> bool:
    """Return whether the model may be asked now; raise `Refused` if it cannot, but is to be."""
    obstacle, hint = _find_obstacle(cost)
    if not obstacle and not yes:
        if not run.output.as_json and console.is_interactive():
            return questions.ask_yes_no("Ask the model?")
        obstacle, hint = "nobody can confirm the requests", "add --yes to ask without confirmation"
    if obstacle and sidecar:
        raise Refused(f"the language model was not asked: {obstacle}", hint=hint)
    if obstacle:
        run.output.print_message(f"the language model is not asked: {obstacle} ({hint})")
    return not obstacle


def _find_obstacle(cost: SidecarCost) -> tuple[str, str]:
    """Return why the model cannot be asked, and what to do; both empty if it can."""
    if cost.model is None:
        return "none is configured", "docs/language-model.md says how"
    if cost.model.problem:
        return cost.model.problem, f"see {cost.model.settings_path}"
    return ("all calls of the day are used", RAISE_HINT) if not cost.calls_left else ("", "")


def _print_cost(output: OutputPrinter, cost: SidecarCost) -> None:
    parts = f"{format_count(cost.chunks, 'chunk')}, {format_count(cost.summaries, 'summary')}"
    requests = format_count(cost.requests, "request")
    output.print_message(f"sidecar: at most {requests} ({parts}), about {cost.tokens:,} tokens")
    if cost.model and not cost.model.problem:
        left = f"{cost.calls_left} of {format_count(cost.model.calls_per_day, 'call')} left today"
        output.print_message(f"sidecar: {cost.model.label}: {left}")
        if 0 < cost.calls_left < cost.requests:
            output.print_message(f"sidecar: the rest stays for later: {RAISE_HINT}")
