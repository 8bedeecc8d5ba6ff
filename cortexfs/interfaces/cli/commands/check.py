"""`cortexfs check`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.atoms.tree_paths import is_list
from cortexfs.core.find.filters import split_values
from cortexfs.core.text.plural import counted
from cortexfs.errors import Usage
from cortexfs.interfaces.cli import console
from cortexfs.interfaces.cli.command_context import Run, changing
from cortexfs.interfaces.cli.options import InProjects, Projects

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.check import Checked
    from cortexfs.session.session import Session

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Form(StrEnum):
    """How findings are printed."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"


@app.command()
@changing
def check(
    run: Run,
    projects: Projects = None,
    project: InProjects = None,
    fix: Annotated[
        bool, typer.Option("--fix", help="Fix what is safe to fix, then check.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 on warnings too.")] = False,
    form: Annotated[Form, typer.Option("--format", help="Output format.")] = Form.HUMAN,
    provenance: Annotated[
        bool, typer.Option("--provenance", help="Show only numbers without a source.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Run the fresh session test.")] = False,
    minimum: Annotated[
        int,
        typer.Option(
            "--min", min=0, max=100, help="With --fresh: minimum score; exit with 1 below it."
        ),
    ] = 0,
    every: Annotated[bool, typer.Option("--all", help="Print all findings, not twenty.")] = False,
    reads: Annotated[
        int, typer.Option("--reads", min=1, help="With --fresh: maximum number of files read.")
    ] = 8,
    tokens: Annotated[
        int, typer.Option("--tokens", min=1, help="With --fresh: maximum number of tokens.")
    ] = 8000,
) -> None:
    """Check the tree, and fix what is safe to fix.

    Checks every file, and prints each finding with its place and its fix. Cited lines
    (`src/store.py:42#9f3a1c`) are checked in the repository of the working directory, if it
    has the name of the project, or in the folder that `sources:` of your settings names. Exit
    code 1 if there are errors.

    With --fresh, only the fresh session test runs: it scores, out of 100, how much a new
    session learns from the CORTEX.md of a project.

    Example: cortexfs check
    """
    from cortexfs.operations import check as verb

    run = run._replace(say=run.say._replace(as_json=run.say.as_json or form is Form.JSON))
    session, chosen = run.named(split_values([*(projects or ()), *(project or ())]))
    _refuse_mixed(fresh=fresh, minimum=minimum, changing=fix or strict)
    if fresh:
        _test_fresh(run.say, session, chosen, (reads, tokens), minimum)
    elif fix and run.dry_run:
        run.say.plan(verb.fix(session, chosen, console.sources(session), mode=run.mode).plan)
    else:
        found = _checked(run, session, chosen, fix=fix)
        found = found.only("no-provenance") if provenance else found
        _print(run.say, found, form, every=every)
        if found.errors or (strict and found.findings):
            raise typer.Exit(1)


def _refuse_mixed(*, fresh: bool, minimum: int, changing: bool) -> None:
    """Refuse options that do not go together."""
    if minimum and not fresh:
        raise Usage("--min goes with --fresh", hint="`cortexfs check --fresh --min 80`")
    if fresh and changing:
        raise Usage("--fresh only reads", hint="leave out --fix and --strict")


def _test_fresh(
    say: Voice, session: Session, chosen: list[str] | None, budget: tuple[int, int], minimum: int
) -> None:
    from cortexfs.interfaces.cli.fresh_session_report import show_fresh

    if not show_fresh(say, session, chosen, budget, minimum):
        raise typer.Exit(1)


def _checked(run: Run, session: Session, chosen: list[str] | None, *, fix: bool) -> Checked:
    """Look at everything, once what is safe is fixed."""
    from cortexfs.operations import check as verb

    sources = console.sources(session)
    if fix:
        _say_fixed(run.say, verb.fix(session, chosen, sources, mode=run.mode))
    return verb.check(session, chosen, sources)


def _say_fixed(say: Voice, outcome: Outcome) -> None:
    say.outcome(outcome)
    lists = sum(is_list(write.path) for write in outcome.plan.writes)
    fixed = [counted(len(outcome.plan.writes) - lists, "atom")]
    fixed += [counted(lists, "list")] if lists else []
    say.talk(f"{' and '.join(fixed)} fixed")


def _print(say: Voice, found: Checked, form: Form, *, every: bool) -> None:
    from cortexfs.interfaces.cli.findings import report, tally
    from cortexfs.interfaces.json.upkeep import finding

    documents = [finding(each) for each in found.findings]
    say.document(findings=documents, errors=found.errors, warnings=found.advice)
    if form is Form.GITHUB:
        if found.findings:
            say.data("\n".join(map(_annotation, found.findings)))
        return
    shown = list(report(found.findings, every=every))
    say.data("\n".join([*shown, tally(found.errors, found.advice)]))


def _annotation(finding: Finding) -> str:
    """Write a finding as a workflow command of GitHub Actions."""
    from cortexfs.core.checks.finding_codes import ERROR, severity

    level = "error" if severity(finding.code) == ERROR else "notice"
    path = _escaped(finding.path).replace(":", "%3A").replace(",", "%2C")
    place = f"file={path},line={finding.line},col={finding.column}"
    return f"::{level} {place},title={finding.code}::{_escaped(finding.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
