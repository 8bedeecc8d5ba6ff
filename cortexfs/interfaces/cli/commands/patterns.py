"""`cortexfs patterns`."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.text.plural import format_count
from cortexfs.errors import Usage
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.json import plans

if TYPE_CHECKING:
    from cortexfs.core.patterns.proposals import Proposal
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.detect_patterns import PatternReport
    from cortexfs.operations.shared.plan_pattern_observations import PatternObservation

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@change_command
def patterns(
    run: CommandContext,
    apply: Annotated[
        bool, typer.Option("--apply", help="Write the patterns as observations, in one commit.")
    ] = False,
    accept: Annotated[
        str, typer.Option("--accept", metavar="ID", help="Add a proposal to USER.md.")
    ] = "",
    reject: Annotated[
        str, typer.Option("--reject", metavar="ID", help="Never write or propose this again.")
    ] = "",
) -> None:
    """Find what recurs over sessions, and propose preferences.

    Prints what would be written, with its evidence. Changes nothing without --apply, --accept or
    --reject.

    Example: cortexfs patterns
    """
    if sum(map(bool, (apply, accept, reject))) > 1:
        raise Usage("--apply, --accept and --reject exclude each other", hint="give one of them")
    if accept or reject:
        _answer(run, accept, reject)
        return
    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.operations.detect_patterns import detect_patterns

    report = detect_patterns(run.open_session(), run.mode if apply else ExecutionMode.DRY_RUN)
    if apply and run.dry_run:
        run.output.print_plan(report.plan)
        return
    _print_report(run.output, report, is_applied=apply)


def _answer(run: CommandContext, accept: str, reject: str) -> None:
    from cortexfs.interfaces.cli.governance_commands import print_governance_change
    from cortexfs.operations.answer_pattern import accept_proposal, reject_pattern

    session = run.open_session()
    if accept:
        done = accept_proposal(session, accept, mode=run.mode)
    else:
        done = reject_pattern(session, reject, mode=run.mode)
    print_governance_change(run.output, done)


def _wrap(evidence: str) -> list[str]:
    """Return lines of a readable width: the ids of sessions are long."""
    import textwrap

    return textwrap.wrap(evidence, 100, initial_indent="    ", subsequent_indent="      ")


def _print_report(output: OutputPrinter, report: PatternReport, *, is_applied: bool) -> None:
    """Print the patterns and proposals, and what --apply would do or has done."""
    from cortexfs.interfaces.json.patterns import to_patterns_json

    output.print_outcome(report.outcome)
    output.print_document(
        patterns=to_patterns_json(report), commit=plans.last_commit_id(report.outcome)
    )
    if not report.is_on:
        output.print_message("patterns are switched off in cortexfs.yaml")
        return
    lines = [
        line for observation in report.observations for line in _format_observation(observation)
    ]
    lines += [line for proposal in report.proposals for line in _format_proposal(proposal)]
    if lines:
        output.print_text("\n".join(lines))
    examined = f"{format_count(report.session_count, 'session')} since {report.since_day}"
    output.print_message(f"{examined}, {format_count(report.candidate_count, 'candidate')}")
    pending = sum(observation.write is not None for observation in report.observations)
    if pending:
        verb = "wrote" if is_applied else "--apply writes"
        output.print_message(f"{verb} {format_count(pending, 'observation')}")


def _format_observation(observation: PatternObservation) -> list[str]:
    """Return the lines of an observation: its ref, its title, and the counts in it."""
    evidence = (line for line in observation.text.content.split("\n") if line.startswith("- "))
    return [
        f"{observation.ref}  {observation.action}  {observation.id}",
        f"  {observation.text.title}",
        *chain(*map(_wrap, evidence)),
    ]


def _format_proposal(proposal: Proposal) -> list[str]:
    count = format_count(len(proposal.sessions), "session")
    return [
        f'proposal  {proposal.id}  "{proposal.wording}"',
        f"  said in {count} of {', '.join(proposal.projects)}",
        f"    cortexfs patterns --accept {proposal.id}",
    ]
