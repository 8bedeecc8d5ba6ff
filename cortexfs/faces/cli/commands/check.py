"""`cortexfs check`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.faces.cli import voice
from cortexfs.faces.cli.options import DryRun, Json, NoCommit, Quiet, Root
from cortexfs.faces.cli.voice import Voice

if TYPE_CHECKING:
    from cortexfs.core.atom import Finding
    from cortexfs.verbs.check import Checked

from cortexfs.core.saying import counted

app = typer.Typer(rich_markup_mode=None, add_completion=False)


class Form(StrEnum):
    """How findings are printed."""

    HUMAN = "human"
    JSON = "json"
    GITHUB = "github"


@app.command()
def check(
    projects: Annotated[list[str] | None, typer.Argument(help="Default: all.")] = None,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what is safe, first.")] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Advice counts too.")] = False,
    form: Annotated[Form, typer.Option("--format", help="How to print.")] = Form.HUMAN,
    root: Root = None,
    as_json: Json = False,
    quiet: Quiet = False,
    dry_run: DryRun = False,
    no_commit: NoCommit = False,
) -> None:
    """Find what is wrong, and mend what is safe.

    Looks at atoms, indexes, logs and settings, and prints each finding with its place and what
    mends it. Exit code 1 where there are errors.

    Example: cortexfs check
    """
    from cortexfs.faces.documents import finding
    from cortexfs.verbs import check as verb
    from cortexfs.verbs.resolve import project_named

    say, cortex = Voice(as_json or form is Form.JSON, quiet), voice.cortex(root)
    chosen = [project_named(cortex, name) for name in projects] if projects else None
    if fix and dry_run:
        cortex.refresh()
        say.plan(verb.plan_fixes(cortex, chosen))
        return
    if fix:
        outcome = verb.fix(cortex, chosen, commit=not no_commit)
        say.outcome(outcome)
        say.talk(f"{counted(len(outcome.plan.writes), 'atom')} mended")
    found = verb.check(cortex, chosen)
    documents = [finding(each) for each in found.findings]
    say.document(findings=documents, errors=found.errors, advice=found.advice)
    _print(say, found, form)
    if found.errors or (strict and found.findings):
        raise typer.Exit(1)


def _print(say: Voice, found: Checked, form: Form) -> None:
    if form is Form.GITHUB:
        say.data("\n".join(map(_annotation, found.findings)))
        return
    for each in found.findings:
        say.data(f"{each.path}:{each.line}:{each.column}: {_said(each)}")
    say.data(f"{counted(found.errors, 'error')}, {found.advice} advice")


def _said(finding: Finding) -> str:
    from cortexfs.core.findings import hint, severity

    message = " ".join(finding.message.split())
    return f"{severity(finding.code)}: {finding.code}: {message} ({hint(finding.code)})"


def _annotation(finding: Finding) -> str:
    """Write a finding as a workflow command of GitHub Actions."""
    from cortexfs.core.findings import ERROR, severity

    level = "error" if severity(finding.code) == ERROR else "notice"
    path = _escaped(finding.path).replace(":", "%3A").replace(",", "%2C")
    place = f"file={path},line={finding.line},col={finding.column}"
    return f"::{level} {place},title={finding.code}::{_escaped(finding.message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
