"""The tools that search, list and show what the tree knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.core.find.explain_score import format_ref
from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.core.text.minute import format_minute
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line, clean_text, preview
from cortexfs.errors import AmbiguousRef, AtomRemoved, NoSuchAtom, NoSuchProject
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.find import find
from cortexfs.operations.list_atoms import list_atoms
from cortexfs.operations.log import list_atom_commits
from cortexfs.operations.memory.search_memories import search_memories
from cortexfs.operations.shared.filters import parse_filters
from cortexfs.operations.show import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext
    from cortexfs.operations.find import SearchHit
    from cortexfs.operations.log import LogEntry

MAX_LISTED = 50
"""Maximum number of items in one result."""
SNIPPET_CHARS = 200
SHOWN_CHARS = 6000
"""Maximum characters of the text of an atom."""
MAX_HISTORY = 20


def bound_limit(given: Arguments) -> int:
    """Return the argument `limit`, between 1 and `MAX_LISTED`."""
    return min(max(given.integer("limit"), 1), MAX_LISTED)


def cut_list(items: Sequence[str], given: Arguments) -> list[str]:
    """Return the first items, as many as the argument `limit` says, and how many more there are."""
    shown = list(items[: bound_limit(given)])
    more = len(items) - len(shown)
    return [*shown, f"and {more} more"] if more else shown


def make_filter(context: ChatContext, given: Arguments, *names: str) -> AtomFilter:
    """Return the filter of the arguments `project`, `kind` and `since`, as far as `names` says."""
    values = {name: given.text(name) for name in names}
    return parse_filters(
        context.session,
        projects=[values.get("project", "")],
        kinds=[values.get("kind", "")],
        since=values.get("since", ""),
    )


def recall_memories(context: ChatContext, given: Arguments) -> ToolOutput:
    """Search the memories of agents; if there is none, all atoms."""
    query, project = given.text("query"), given.text("project")
    only = MemoryFilter(project, type=given.text("type"))
    found = search_memories(context.session, query, only, bound_limit(given), hybrid=True)
    if not found.hits:
        others = find_atoms(context, given)
        text = f"no memory is about `{clean_line(query)}`; of all atoms: {others.text}"
        return others._replace(text=text)
    lines = [f"{format_count(len(found.hits), 'memory')} about `{clean_line(query)}`:"]
    for hit in found.hits:
        record = hit.record
        lines.append(f"{record.ref}: {clean_line(record.title)} ({record.created[:10]})")
        lines.append(f"    {preview(record.content, SNIPPET_CHARS)}")
    return ToolOutput("\n".join(lines), tuple(hit.record.ref for hit in found.hits))


def find_atoms(context: ChatContext, given: Arguments) -> ToolOutput:
    """Search all atoms and pages."""
    names = [each for each in ("project", "kind") if each in given.values]
    only = make_filter(context, given, *names)
    found = find(context.session, given.text("query"), only, bound_limit(given))
    lines = [line for hit in found.hits for line in _format_hit(hit)]
    lines += (
        f"{clean_line(page.match.path)}: {preview(page.snippet.text, SNIPPET_CHARS)}"
        for page in found.pages
    )
    if not lines:
        return ToolOutput("no matches")
    count = format_count(len(found.hits) + len(found.pages), "match")
    refs = tuple(hit.match.atom.ref for hit in found.hits)
    return ToolOutput("\n".join([f"{count}, best first:", *lines]), refs)


def _format_hit(hit: SearchHit) -> list[str]:
    head = f"{clean_line(format_ref(hit.match))}: {clean_line(hit.match.atom.summary)}"
    snippet = preview(hit.snippet.text, SNIPPET_CHARS)
    return [head, f"    {snippet}"] if snippet else [head]


def list_some_atoms(context: ChatContext, given: Arguments) -> ToolOutput:
    """List atoms: the most read, newest, hot or cold ones."""
    which = given.text("which")
    only = make_filter(context, given, "project", "kind", "since")
    wanted = AtomCriteria(only, hot=which == "hot", cold=which == "cold")
    sort = SortKey.DATE if which == "newest" else SortKey.READS
    found = list(list_atoms(context.session, wanted, sort, limit=bound_limit(given)))
    lines = [_format_entry(entry) for entry in found]
    text = "\n".join(lines) or "no atoms"
    return ToolOutput(text, tuple(entry.atom.ref for entry in found))


def _format_entry(entry: AtomWithReads) -> str:
    atom = entry.atom
    about = f"{entry.status}, {format_count(entry.reads.read_count, 'read')}"
    return clean_line(f"{atom.ref}: {atom.text_field('summary')} ({about})")


def show_atom(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show one atom, with what links to it and its last changes."""
    found = show(context.session, given.text("ref"), context.cwd, context.sources)
    text = clean_text(found.text).strip()
    if len(text) > SHOWN_CHARS:
        text = f"{text[:SHOWN_CHARS].rstrip()}\n… `cortexfs show {found.ref}` shows all"
    lines = [text, "", clean_line(f"{found.ref}: {found.path}")]
    if found.backlinks:
        lines.append(f"linked from {', '.join(found.backlinks[:MAX_LISTED])}")
    lines += (
        clean_line(f"{format_minute(commit.when)} {commit.author}: {commit.subject}")
        for commit in found.commits
    )
    return ToolOutput("\n".join(lines), (found.ref,))


def show_history(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show who changed an atom and when; of words, the history of the best match."""
    typed, limit = given.text("ref"), MAX_HISTORY
    only = make_filter(context, given, "since")
    try:
        ref, found = list_atom_commits(context.session, typed, context.cwd, limit, only)
    except (NoSuchAtom, NoSuchProject, AmbiguousRef) as error:
        best = find(context.session, typed, limit=1, with_pages=False).hits
        if isinstance(error, AtomRemoved | AmbiguousRef) or not best:
            raise
        typed = best[0].match.atom.ref
        ref, found = list_atom_commits(context.session, typed, context.cwd, limit, only)
    return ToolOutput("\n".join(_format_history(ref, found)), (ref,))


def _format_history(ref: Ref, found: list[LogEntry]) -> list[str]:
    lines = [f"{ref}: {format_count(len(found), 'change')}, newest first:"]
    for entry in found:
        details = f" ({' → '.join(entry.status)})" if entry.status else ""
        lines.append(format_commit(entry, details))
    return lines if found else [f"{ref}: no commit changed it"]


def format_commit(entry: LogEntry, details: str = "") -> str:
    """Return a commit on one line."""
    commit = entry.commit
    head = f"{format_minute(commit.when)} {commit.commit[:10]}"
    return clean_line(f"{head} {commit.author}: {commit.subject}{details}")
