"""Run the tools that list proposals to merge memories, and decide them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.untrusted_text import clean_line
from cortexfs.interfaces.mcp.tool import CHANGE_MODE, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext

ACCEPT, REJECT = "accept", "reject"
MAX_LISTED = 20
"""Maximum number of proposals in one answer."""


def list_proposals(context: ToolContext, given: Arguments) -> ToolResult:
    """List the most similar memories that may be merged."""
    from cortexfs.operations.list_merge_proposals import list_merge_proposals
    from cortexfs.operations.shared.resolve_names import require_project

    project = given.text("project").strip()
    projects = [require_project(context.session, project)] if project else None
    found = list_merge_proposals(context.session, projects, MAX_LISTED)
    if not found.proposals:
        return ToolResult("No proposals")
    header = f"{len(found.proposals)} of {found.total} proposals, the most similar first"
    lines = [line for each in found.proposals for line in _format_proposal(each)]
    pairs = [(each.pair.earlier, each.pair.later) for each in found.proposals]
    refs = dict.fromkeys(memory.record.ref for pair in pairs for memory in pair)
    return ToolResult("\n".join(map(clean_line, lines)), ", ".join(refs), header)


def decide_proposal(context: ToolContext, given: Arguments) -> ToolResult:
    """Merge the memories of a proposal, or keep both."""
    from cortexfs.operations.accept_merge_proposal import accept_merge_proposal
    from cortexfs.operations.reject_merge_proposal import reject_merge_proposal

    proposal_id = given.text("id")
    if given.text("decision") == REJECT:
        rejected = reject_merge_proposal(context.session, proposal_id, mode=CHANGE_MODE)
        return ToolResult(clean_line(f"Done: {rejected.plan.message}"))
    keep = given.text("keep")
    accepted = accept_merge_proposal(context.session, proposal_id, keep, mode=CHANGE_MODE)
    return ToolResult(clean_line(f"Done: {accepted.plan.message}"))


def _format_proposal(found: MergeProposal) -> Iterator[str]:
    pair, kept = found.pair, found.merge.kept.record.ref
    yield f"{found.id}: {found.kind}, similarity {pair.similarity:.2f}; accept keeps {kept}"
    for memory in (pair.earlier, pair.later):
        record = memory.record
        head = f"- {record.ref} ({record.created[:10]}, {record.type})"
        yield f"{head} {record.title}: {record.content}"
    if found.differences:
        yield f"- differs: {'; '.join(found.differences)}"
