"""Run the tools that read atoms, tasks and findings."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.find.explain_score import format_ref
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.core.text.untrusted_text import clean_line, clean_text, preview
from cortexfs.interfaces.mcp.format_search_notes import add_notes
from cortexfs.interfaces.mcp.tool import ToolResult
from cortexfs.interfaces.mcp.tool_hints import to_tool_hint
from cortexfs.interfaces.mcp.tool_profiles import Profile

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext
    from cortexfs.operations.find import FindResult, PageHit, SearchHit
    from cortexfs.operations.show import ShownAtom

MAX_FOUND = 50
"""Maximum number of search results."""
MAX_FINDINGS = 5000
"""Maximum number of findings in an answer, which is divided into pages."""
SNIPPET_CHARS = 300
"""Maximum characters of a snippet."""


def find_atoms(context: ToolContext, given: Arguments) -> ToolResult:
    """Search atoms and pages."""
    from cortexfs.operations.find import find
    from cortexfs.operations.shared.filters import parse_filters

    session, limit = context.session, min(max(given.integer("limit"), 1), MAX_FOUND)
    only = parse_filters(session, kinds=[given.text("kind")], projects=[given.text("project")])
    found = find(session, given.text("query"), only, limit)
    lines = [*map(_format_hit, found.hits), *map(_format_page, found.pages)]
    if not lines:
        text = f'No matches for: "{clean_line(given.text("query"))}"'
        return ToolResult(add_notes(text, found.notes))
    counts = [format_count(len(found.hits), "atom"), format_count(len(found.pages), "page")]
    shown = " and ".join(counts if found.pages else counts[:1])
    header = f"Found {shown} by {found.method}:"
    return ToolResult("\n".join(lines), _list_sources(found), add_notes(header, found.notes))


def show_atom(context: ToolContext, given: Arguments) -> ToolResult:
    """Show one atom."""
    from cortexfs.operations.show import show

    found = show(context.session, given.text("ref"), context.cwd, context.sources)
    return ToolResult(_format_shown(found), found.ref)


def brief_project(context: ToolContext, given: Arguments) -> ToolResult:
    """Show the bulletin of a project; where the default one does not exist, that of the tree."""
    from cortexfs.operations.brief import brief
    from cortexfs.operations.shared.resolve_names import find_current_project

    session, tokens = context.session, given.integer("budget") or None
    named = given.text("project") or find_current_project(session, context.cwd) or ""
    if not named and context.project in session.tree.list_projects():
        named = context.project
    found = brief(session, named, tokens)
    source = f"projects/{named}" if named else "projects"
    return ToolResult(found.text, source)


def check_tree(context: ToolContext, given: Arguments) -> ToolResult:
    """List findings."""
    from cortexfs.operations.check import check
    from cortexfs.operations.shared.resolve_names import require_project

    name = given.text("project")
    chosen = [require_project(context.session, name)] if name else None
    found = check(context.session, chosen, context.sources)
    counts = f"{format_count(found.errors, 'error')}, {format_count(found.warnings, 'warning')}"
    lines = list(map(_format_finding, islice(found.findings, MAX_FINDINGS)))
    if len(lines) < (total := len(found.findings)):
        counts += f"; the first {len(lines):,} of {total:,} are listed"
    return ToolResult("\n".join(lines), "cortexfs check", counts) if lines else ToolResult(counts)


def list_open_tasks(context: ToolContext, given: Arguments) -> ToolResult:
    """List the tasks that are not done."""
    from cortexfs.operations.shared.resolve_names import resolve_scope
    from cortexfs.operations.tasks.list_tasks import list_tasks

    projects = resolve_scope(context.session, given.text("project") or None, context.cwd)
    found = list_tasks(context.session, projects, [])
    lines = [_format_task(task, readiness) for task, readiness in found.tasks]
    lines += [f"unreadable: {each.path}: {clean_line(each.message)}" for each in found.unreadable]
    if not lines:
        return ToolResult("No open tasks.")
    header = f"{format_count(len(found.tasks), 'open task')}:"
    return ToolResult("\n".join(lines), "TASKS.yaml", header)


def _format_hit(hit: SearchHit) -> str:
    """Return a result with its best snippet."""
    line = f"{clean_line(format_ref(hit.match))}  {clean_line(hit.match.atom.summary)}"
    snippet = preview(hit.snippet.text, SNIPPET_CHARS)
    return f"{line}\n    {snippet}" if snippet else line


def _format_page(hit: PageHit) -> str:
    return f"{clean_line(hit.match.path)}  {preview(hit.snippet.text, SNIPPET_CHARS)}"


def _list_sources(found: FindResult) -> str:
    return " ".join([*(h.match.atom.ref for h in found.hits), *(p.match.path for p in found.pages)])


def _format_shown(found: ShownAtom) -> str:
    """Return the text of an atom, then its path, reads, backlinks and history."""
    reads = found.entry.reads.read_count if found.entry else 0
    lines = [clean_text(found.text).rstrip(), "", f"{found.path}, {format_count(reads, 'read')}"]
    if found.backlinks:
        lines.append(f"backlinks: {', '.join(found.backlinks)}")
    lines += [f"line {flaw.line}: {flaw.message}" for flaw in found.changed_citations]
    lines += [f"{each.commit[:10]} {each.when[:10]} {each.subject}" for each in found.commits]
    return "\n".join([lines[0], *map(clean_line, lines[1:])])


def _format_finding(finding: Finding) -> str:
    from cortexfs.core.checks.finding_codes import get_hint, get_severity

    where = f"{finding.path}:{finding.line}: {get_severity(finding.code)}: {finding.code}"
    hint = to_tool_hint(get_hint(finding.code), Profile.TREE, (), tuple)
    message = redact_secrets(f"{finding.message} (hint: {hint})")
    return clean_line(f"{where}: {message}")


def _format_task(task: Task, readiness: Readiness) -> str:
    state = f"{task.project}, {task.priority}, {readiness.state}"
    return clean_line(f"{task.id} [{state}] {task.description}")
