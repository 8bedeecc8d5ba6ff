"""The tools that show what is to be decided or maintained, and what recurs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line, preview
from cortexfs.operations.chat.chat_tool import ToolOutput
from cortexfs.operations.chat.recall_tools import (
    SNIPPET_CHARS,
    bound_limit,
    cut_list,
    make_filter,
)
from cortexfs.operations.decision import list_decisions
from cortexfs.operations.detect_patterns import detect_patterns
from cortexfs.operations.list_merge_proposals import list_merge_proposals
from cortexfs.operations.maintain import maintain
from cortexfs.operations.shared.resolve_names import resolve_scope

if TYPE_CHECKING:
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.operations.chat.chat_tool import ChatContext


def list_open_decisions(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the decisions with a status: those that are to be made, unless another is named."""
    status = given.text("status")
    only = make_filter(context, given, "project", "since")
    found = list_decisions(context.session, only._replace(statuses=(status,)), system=False)
    lines = [
        clean_line(f"{each.atom.ref}: {each.atom.text_field('summary')} ({each.status})")
        for each in found
    ]
    head = f"{format_count(len(found), 'decision')} {status}:"
    text = "\n".join([head, *cut_list(lines, given)]) if lines else f"no decision is {status}"
    return ToolOutput(text, tuple(each.atom.ref for each in found))


def list_proposals(context: ChatContext, given: Arguments) -> ToolOutput:
    """List the pairs of similar memories that may be merged."""
    project = given.text("project")
    projects = resolve_scope(context.session, project, context.cwd) if project else None
    found = list_merge_proposals(context.session, projects, bound_limit(given))
    lines, refs = [], []
    for each in found.proposals:
        kept = each.merge.kept.record.ref
        lines.append(f"{each.id}: similarity {each.pair.similarity:.2f}; accepting it keeps {kept}")
        for memory in (each.pair.earlier, each.pair.later):
            refs.append(memory.record.ref)
            text = f"{memory.record.title}: {memory.record.content}"
            lines.append(f"    {memory.record.ref}: {preview(text, SNIPPET_CHARS)}")
    if len(found.proposals) < found.total:
        lines.append(f"and {found.total - len(found.proposals)} more")
    head = f"{format_count(found.total, 'proposal')}, the most similar first:"
    return ToolOutput("\n".join([head, *lines]) if lines else "no proposals", tuple(refs))


def show_maintenance(context: ChatContext, given: Arguments) -> ToolOutput:
    """Show what maintenance would change; nothing is changed."""
    project = given.text("project")
    projects = resolve_scope(context.session, project, context.cwd) if project else None
    found = maintain(context.session, projects, mode=context.mode)
    lines = [f"{each.ref} → {each.status}: {each.why}" for each in found.marks]
    for merge in found.merges:
        merged = ", ".join(each.record.ref for each in merge.merged)
        lines.append(f"{merged} merged into {merge.kept.record.ref}")
    refs = tuple(each.ref for each in found.marks)
    shown = cut_list(list(map(clean_line, lines)), given)
    head = f"maintenance would make {format_count(len(lines), 'change')}; `run maintenance` does:"
    return ToolOutput("\n".join([head, *shown]) if lines else "there is nothing to maintain", refs)


def list_patterns(context: ChatContext, _: Arguments) -> ToolOutput:
    """List what recurs over sessions; nothing is written."""
    found = detect_patterns(context.session, ExecutionMode.DRY_RUN)
    lines = [clean_line(f"{each.ref}: {each.text.title}") for each in found.observations]
    lines += (
        clean_line(f'said in {format_count(len(each.sessions), "session")}: "{each.wording}"')
        for each in found.proposals
    )
    if not found.is_on:
        return ToolOutput("patterns are switched off in cortexfs.yaml")
    count = format_count(found.session_count, "session")
    return ToolOutput("\n".join(lines) or f"nothing recurs in {count} since {found.since_day}")
