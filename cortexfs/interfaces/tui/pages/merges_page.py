"""Proposals to merge two similar memories, for somebody to accept or reject."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.maintain.merge_proposals import ProposalKind
from cortexfs.interfaces.tui.shown_content import Column, Row, Subject, TableContent, Target, Tone
from cortexfs.interfaces.tui.shown_text import cell, make_note

if TYPE_CHECKING:
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.interfaces.tui.page import PanelContext, Request

COLUMNS = (
    Column("Why", 20),
    Column("Similar", 7, is_right=True),
    Column("Merged into", 0),
    Column("Title of what stays", 40, 120),
)
NO_PROPOSALS = "No memories to merge: pairs of similar ones are proposed here."


def load_merges(context: PanelContext, request: Request) -> TableContent:
    """Return the proposals, the most similar first."""
    from cortexfs.operations.list_merge_proposals import list_merge_proposals

    found = list_merge_proposals(context.session, limit=request.limit)
    rows = tuple(map(_make_row, found.proposals))
    return TableContent(COLUMNS, rows, found.total, NO_PROPOSALS)


def _make_row(proposal: MergeProposal) -> Row:
    kept, merged = proposal.merge.kept.record, proposal.merge.merged[0].record
    is_warning = proposal.kind is ProposalKind.CONTRADICTS
    differences = "; ".join(proposal.differences)
    found_by = f"similar by {proposal.pair.found_by}"
    about = (found_by, f"differs: {differences}" if differences else "", proposal.id)
    return Row(
        (
            cell(proposal.kind, Tone.WARNING if is_warning else Tone.PLAIN),
            cell(f"{proposal.pair.similarity:.2f}", Tone.MUTED),
            cell(f"{merged.ref} → {kept.ref}", Tone.ACCENT),
            cell(kept.title),
        ),
        proposal.id,
        Subject.MERGE,
        Target("atom", kept.ref),
        make_note(f"{merged.title} → {kept.title}", *about),
    )
