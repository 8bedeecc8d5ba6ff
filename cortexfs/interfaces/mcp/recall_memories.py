"""Run the tools that search, read and score memories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_record import number_from_id
from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.errors import CortexError, NoSuchAtom, Refused, Usage
from cortexfs.interfaces.mcp.format_memories import (
    format_context,
    format_hybrid_hit,
    format_memory,
    format_related,
    format_score_parts,
    format_search_hit,
    format_time,
    format_timeline,
    join_refs,
)
from cortexfs.interfaces.mcp.format_search_notes import add_notes
from cortexfs.interfaces.mcp.tool import ToolResult
from cortexfs.interfaces.mcp.tool_hints import format_projects

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext

MAX_FOUND, MAX_FOUND_HYBRID = 20, 50
"""Maximum numbers of search results."""
DEFAULT_FOUND = 10
MAX_CONTEXT, DEFAULT_CONTEXT = 100, 20
"""Maximum and usual number of observations in a context."""
MAX_TIMELINE, DEFAULT_TIMELINE = 50, 5
"""Maximum and usual number of observations before and after one."""
MAX_DEPTH = 10
"""Maximum number of relations from one observation to another."""


def search(context: ToolContext, given: Arguments) -> ToolResult:
    """Search observations by words."""
    from cortexfs.core.memory.memory_filter import MemoryFilter
    from cortexfs.operations.memory.search_memories import search_memories

    query, limit = given.text("query"), _bound(given, "limit", DEFAULT_FOUND, MAX_FOUND)
    filters = MemoryFilter(
        type=given.text("type"), project=given.text("project"), scope=given.text("scope")
    )
    try:
        found = search_memories(context.session, query, filters, limit)
    except CortexError as error:
        message = f"Search error: {error}. Try simpler keywords."
        raise Refused(message, hint=error.hint) from None
    if not found.hits:
        missing = _describe_missing_project(context, filters.project)
        text = f'No memories found for: "{clean_line(query)}"{missing}'
        return ToolResult(add_notes(text, found.notes))
    lines = [format_search_hit(at, hit.record) for at, hit in enumerate(found.hits, 1)]
    source = join_refs(hit.record for hit in found.hits)
    header = add_notes(f"Found {len(found.hits)} memories:\n", found.notes)
    return ToolResult("\n".join(lines), source, header)


def search_hybrid(context: ToolContext, given: Arguments) -> ToolResult:
    """Search observations by words and by similarity."""
    from cortexfs.core.memory.memory_filter import MemoryFilter
    from cortexfs.operations.memory.search_memories import search_memories

    query = given.text("query")
    limit = _bound(given, "limit", DEFAULT_FOUND, MAX_FOUND_HYBRID)
    filters = MemoryFilter(type="", project=given.text("project"), scope=given.text("scope"))
    found = search_memories(context.session, query, filters, limit, hybrid=True)
    method = "FTS5" if found.found_by == "words" else "hybrid (FTS5 + vector)"
    header = f'Search results for "{clean_line(query)}" [{method}] ({len(found.hits)} found):'
    hits = enumerate(found.hits, 1)
    lines = [format_hybrid_hit(at, hit.record, hit.rank) for at, hit in hits]
    if not lines:
        missing = _describe_missing_project(context, filters.project)
        return ToolResult(add_notes(f"{header.removesuffix(':')}{missing}", found.notes))
    source = join_refs(hit.record for hit in found.hits)
    return ToolResult("\n".join(lines), source, add_notes(f"{header}\n", found.notes))


def recall_context(context: ToolContext, given: Arguments) -> ToolResult:
    """Show what recent sessions left."""
    from cortexfs.operations.memory.read_context import read_context

    limit = _bound(given, "limit", DEFAULT_CONTEXT, MAX_CONTEXT)
    project, scope = given.text("project"), given.text("scope")
    found = read_context(context.session, project, scope, limit)
    text = format_context(found.sessions, found.prompts, found.memories)
    if not text:
        missing = _describe_missing_project(context, project)
        return ToolResult(f"No previous session memories found.{missing}")
    stats = found.stats
    counts = f"{stats.sessions} sessions, {stats.memories} observations"
    end = f"Memory stats: {counts} across projects: {_list_projects(stats.projects)}"
    header = "## Memory from Previous Sessions\n"
    source = join_refs(found.memories) or "sessions"
    return ToolResult(f"{text}\n\n---\n{end}", source, header)


def get_observation(context: ToolContext, given: Arguments) -> ToolResult:
    """Show a whole observation, which counts as a read."""
    from cortexfs.operations.memory.read_memory import read_memory

    typed = given.text("id")
    try:
        record = read_memory(context.session, typed)
    except NoSuchAtom as error:
        raise Refused(f"Observation #{clean_line(typed)} not found", hint=error.hint) from None
    return ToolResult(format_memory(record), record.ref)


def timeline(context: ToolContext, given: Arguments) -> ToolResult:
    """Show the observations before and after one in its session."""
    from cortexfs.operations.memory.read_timeline import read_timeline

    before, after = (
        _bound(given, name, DEFAULT_TIMELINE, MAX_TIMELINE) for name in ("before", "after")
    )
    found = read_timeline(context.session, given.text("observation_id"), before, after)
    text = format_timeline(found.session, found.total, found.before, found.focus, found.after)
    return ToolResult(text, join_refs([*found.before, found.focus, *found.after]))


def graph(context: ToolContext, given: Arguments) -> ToolResult:
    """Show the observations related to one, the closest first."""
    from cortexfs.operations.memory.related_memories import related_memories

    typed, depth = given.text("observation_id"), given.integer("depth")
    if not 1 <= depth <= MAX_DEPTH:
        raise Usage("depth must be between 1 and 10")
    found = related_memories(context.session, typed, depth)
    shown = _format_id(typed)
    if not found:
        return ToolResult(f"No related observations found for ID {shown} (depth: {depth})")
    header = f"Related observations for ID {shown} (depth: {depth}, found: {len(found)}):\n"
    text = "\n".join(format_related(each.record) for each in found)
    return ToolResult(text, join_refs(each.record for each in found), header)


def score(context: ToolContext, given: Arguments) -> ToolResult:
    """Show the importance of an observation, and its parts."""
    from cortexfs.operations.memory.score_memory import score_memory

    found = score_memory(context.session, given.text("observation_id"))
    parts = format_score_parts(found)
    if given.flag("recalculate"):
        head = f"Score recalculated for observation {found.number}: {found.total:.2f}"
        return ToolResult(f"{head}\n{parts}")
    last = format_time(found.last_read) or "never"
    about = f"score: {found.total:.2f}, access_count: {found.reads}, last_accessed: {last}"
    return ToolResult(f"Observation {found.number} — {about}\n{parts}")


def stats(context: ToolContext, _: Arguments) -> ToolResult:
    """Count sessions, observations and prompts."""
    from cortexfs.operations.memory.memory_stats import memory_stats

    found = memory_stats(context.session)
    lines = [
        "Memory System Stats:",
        f"- Sessions: {found.sessions}",
        f"- Observations: {found.memories}",
        f"- Prompts: {found.prompts}",
        f"- Projects: {_list_projects(found.projects) or 'none yet'}",
    ]
    return ToolResult("\n".join(lines))


def _describe_missing_project(context: ToolContext, typed: str) -> str:
    """Return a line for a project that the tree does not have; nothing for one that it has."""
    from cortexfs.core.memory.memory_text import normalize_project

    project, known = normalize_project(typed), context.session.tree.list_projects()
    if not typed.strip() or project in known:
        return ""
    return f"\nno project named `{clean_line(project)}`; {format_projects(known)}"


def _bound(given: Arguments, name: str, default: int, highest: int) -> int:
    """Return a number from 1 to `highest`; the default for 0 and below."""
    typed = given.integer(name)
    return min(typed, highest) if typed > 0 else default


def _list_projects(names: Iterable[str]) -> str:
    return ", ".join(map(clean_line, names))


def _format_id(typed: str) -> str:
    """Return `117` for `flywheel/OBS-117`."""
    return str(number_from_id(typed.rpartition("/")[2]) or clean_line(typed))
