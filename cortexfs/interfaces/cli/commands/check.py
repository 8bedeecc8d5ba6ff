"""`cortexfs check`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.command_context import CommandContext, change_command
from cortexfs.interfaces.cli.options import ProjectFilter, Projects

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.check import CheckResult
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class FindingsFormat(StrEnum):
    """Output formats of findings."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"


@app.command()
@change_command
def check(
    run: CommandContext,
    projects: Projects = None,
    project: ProjectFilter = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what is safe to fix, then check.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings too.")] = False,
    form: Annotated[
        FindingsFormat, typer.Option("--format", help="Output format.")
    ] = FindingsFormat.HUMAN,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="Show only numbers without a source.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Run only the Fresh Session Test.")
    ] = False,
    minimum: Annotated[
        int,
        typer.Option(
            "--min", min=0, max=100, help="With --fresh: minimum score; exit with 1 below it."
        ),
    ] = 0,
    every: Annotated[
        bool, typer.Option("--all", help="Print all findings (default: twenty).")
    ] = False,
    reads: Annotated[
        int, typer.Option("--reads", min=1, help="With --fresh: maximum number of files read.")
    ] = 8,
    tokens: Annotated[
        int, typer.Option("--tokens", min=1, help="With --fresh: maximum number of tokens.")
    ] = 8000,
) -> None:
    """Check the tree, and fix what is safe to fix.

    Prints each finding with its file, its line and a hint. Exit code 1 if there are errors.

    Cited lines (`src/store.py:42#9f3a1c`) are looked up in the folder that `sources:` in your
    settings names for the project, else in the repository of the working directory if it has the
    name of the project.

    With --fresh, runs only the Fresh Session Test, which scores from 0 to 100 how much a new
    session learns from the files of a project.

    Example: cortexfs check
    """
    from cortexfs.operations.check import fix_tree, predict_fixed_findings

    run = run._replace(
        output=run.output._replace(as_json=run.output.as_json or form is FindingsFormat.JSON)
    )
    session, chosen = run.open_projects(split_values([*(projects or ()), *(project or ())]))
    _refuse_conflicting_options(fresh=fresh, minimum=minimum, changing=fix or strict)
    if fresh:
        _run_fresh_session_test(run.output, session, chosen, (reads, tokens), minimum)
    elif fix and run.dry_run:
        sources = process_context.find_sources(session)
        run.output.print_plan(fix_tree(session, chosen, sources, mode=run.mode).plan)
        left = predict_fixed_findings(session, chosen, sources)
        _exit_on(left.filter_code("no-provenance") if provenance else left, strict=strict)
    else:
        found = _run_checks(run, session, chosen, fix=fix)
        found = found.filter_code("no-provenance") if provenance else found
        _print_findings(run.output, found, form, every=every)
        _exit_on(found, strict=strict)


def _exit_on(found: CheckResult, *, strict: bool) -> None:
    """Exit with 1 if there are errors; with `strict`, if there are findings."""
    if found.errors or (strict and found.findings):
        raise typer.Exit(1)


def _refuse_conflicting_options(*, fresh: bool, minimum: int, changing: bool) -> None:
    """Refuse options that cannot be combined."""
    if minimum and not fresh:
        raise Usage("--min needs --fresh", hint="`cortexfs check --fresh --min 80`")
    if fresh and changing:
        raise Usage("--fresh cannot be combined with --fix or --strict", hint="leave them out")


def _run_fresh_session_test(
    output: OutputPrinter,
    session: Session,
    chosen: list[str] | None,
    budget: tuple[int, int],
    minimum: int,
) -> None:
    from cortexfs.interfaces.cli.fresh_session_report import print_fresh_session_scores

    if not print_fresh_session_scores(output, session, chosen, budget, minimum):
        raise typer.Exit(1)


def _run_checks(
    run: CommandContext, session: Session, chosen: list[str] | None, *, fix: bool
) -> CheckResult:
    """Run all checks, after the safe fixes if requested."""
    from cortexfs.operations.check import check as check_tree
    from cortexfs.operations.check import fix_tree

    sources = process_context.find_sources(session)
    if not fix:
        return check_tree(session, chosen, sources)
    before = check_tree(session, chosen, sources)
    outcome = fix_tree(session, chosen, sources, mode=run.mode)
    after = check_tree(session, chosen, sources)
    _print_fixed(run.output, outcome, before.subtract_codes(after))
    return after


def _print_fixed(output: OutputPrinter, outcome: Outcome, codes: Mapping[str, int]) -> None:
    """Print the files that were fixed, and how many findings of each rule."""
    from cortexfs.interfaces.cli.findings_text import format_fixed_files

    output.print_outcome(outcome)
    paths = [each.path for each in outcome.plan.writes]
    paths += [index.path for index in outcome.indexes if index.write]
    output.print_notes(*format_fixed_files(paths, codes))


def _print_findings(
    output: OutputPrinter, found: CheckResult, form: FindingsFormat, *, every: bool
) -> None:
    from cortexfs.interfaces.cli.findings_text import format_counts, format_findings
    from cortexfs.interfaces.json.tree_state import to_finding_json

    if output.as_json:
        documents = map(to_finding_json, found.findings)
        output.print_document(findings=documents, errors=found.errors, warnings=found.warnings)
        return
    if form is FindingsFormat.GITHUB:
        output.print_long_text(map(_format_annotation, found.findings))
        return
    output.print_long_text(format_findings(found.findings, every=every))
    output.print_text(format_counts(found.errors, found.warnings))


def _format_annotation(finding: Finding) -> str:
    """Return a finding as a workflow command of GitHub Actions."""
    from cortexfs.core.checks.finding_codes import is_error

    level = "error" if is_error(finding.code) else "notice"
    path = _escape_annotation(finding.path).replace(":", "%3A").replace(",", "%2C")
    place = f"file={path},line={finding.line},col={finding.column}"
    return f"::{level} {place},title={finding.code}::{_escape_annotation(finding.message)}"


def _escape_annotation(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
