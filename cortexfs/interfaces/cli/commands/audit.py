"""`cortexfs audit`."""

from __future__ import annotations

import os
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.find.atom_filter import split_values
from cortexfs.core.stores.stored_values import StoreFormat
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import redact_secrets, to_one_line
from cortexfs.errors import NoTree, Usage
from cortexfs.interfaces.cli import process_context
from cortexfs.interfaces.cli.command_context import CommandContext, read_command
from cortexfs.interfaces.cli.options import ProjectFilter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.audit.audit_rules import AuditReport

app = typer.Typer(rich_markup_mode=None, add_completion=False)

MAX_SHOWN = 5
"""Maximum number of findings shown of each rule, unless `--all` is given."""


@app.command()
@read_command
def audit(
    run: CommandContext,
    path: Annotated[
        str | None,
        typer.Argument(metavar="[PATH]", help="Store or folder of another program."),
    ] = None,
    project: ProjectFilter = None,
    form: Annotated[
        StoreFormat | None,
        typer.Option("--format", metavar="FORMAT", help="Format of a store (default: recognized)."),
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Print all findings (default: five of each rule).")
    ] = False,
) -> None:
    """Audit memories: duplicates, loops, secrets, stale and unread ones.

    Without PATH, audits the tree. PATH is a store that `cortexfs import` reads, or a folder of
    Markdown such as ~/.claude/projects/NAME/memory; it is not changed. Prints the worst first.
    Exit code 1 if a finding is more than a note.

    Example: cortexfs audit --project greenhouse
    """
    from cortexfs.interfaces.json.stores import to_audit_json

    if path is None:
        report, source = _audit_tree(run, split_values(project or ()), form), ""
    elif project:
        raise Usage("--project is for the tree, not for a store", hint="leave out one of them")
    else:
        source = os.path.join(run.cwd, os.path.expanduser(path))
        report = _audit_path(run, source, form)
    run.output.print_document(audit=to_audit_json(report, source))
    run.output.print_text("\n".join(_format_report(report, every=every)))
    if report.has_problems:
        raise typer.Exit(1)


def _audit_tree(
    run: CommandContext, projects: Sequence[str], form: StoreFormat | None
) -> AuditReport:
    from cortexfs.operations.audit_tree import audit_tree

    if form:
        raise Usage("--format is for a store", hint="name its path")
    session, chosen = run.open_projects(projects)
    return audit_tree(session, chosen, process_context.find_sources(session))


def _audit_path(run: CommandContext, path: str, form: StoreFormat | None) -> AuditReport:
    """Return the findings about a folder of Markdown, a single note, or a store."""
    from cortexfs.core.stores.parse_store import STORE_SUFFIXES, StoreJson, parse_any_store
    from cortexfs.operations.audit_store import audit_store
    from cortexfs.session.read_note_folder import read_note_folder
    from cortexfs.session.read_store_file import read_store_file

    if form is None and not path.lower().endswith(STORE_SUFFIXES):
        notes = read_note_folder(path, _find_root(run), is_loose=lambda _: True, in_tree=".")
        return audit_store(notes)
    return audit_store(parse_any_store(StoreJson(read_store_file(path)), form))


def _find_root(run: CommandContext) -> str | None:
    """Return the root of the tree, which is not part of a folder around it; None without one."""
    try:
        return run.open_session().tree.root
    except NoTree:
        return None


def _format_report(report: AuditReport, *, every: bool) -> Iterator[str]:
    """Yield the findings in groups, worst first, then the totals."""
    from cortexfs.core.audit.audit_rules import AUDIT_RULES

    for name, group in groupby(report.findings, key=lambda finding: finding.rule):
        rule, findings = AUDIT_RULES[name], list(group)
        yield f"{rule.severity}: {name} ({len(findings)}): {rule.description}"
        shown = findings if every else findings[:MAX_SHOWN]
        yield from (
            f"  {redact_secrets(to_one_line(f'{each.place}: {each.message}'))}" for each in shown
        )
        if rest := len(findings) - len(shown):
            yield f"  {rest} more; --all shows all"
        yield f"  hint: {rule.hint}"
    total = format_count(len(report.findings), "finding")
    yield f"{format_count(report.examined, 'text')} examined: {total}"
