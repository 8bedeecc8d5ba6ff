"""What `cortexfs maintain` prints of proposals to merge memories."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import redact_secrets, to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.maintain.equal_memories import WeighedMemory
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.interfaces.cli.command_context import CommandContext
    from cortexfs.session.session import Session

MAX_TEXT_CHARS = 1_000
"""Maximum characters of a memory that are printed; JSON has the whole text."""
_WIDTH = 100


def print_proposals(
    run: CommandContext, session: Session, projects: Sequence[str] | None, limit: int
) -> None:
    """Print the proposals, the most similar first, at most `limit`."""
    from cortexfs.interfaces.json.maintenance import to_merge_proposal_json
    from cortexfs.operations.list_merge_proposals import list_merge_proposals

    output, found = run.output, list_merge_proposals(session, projects)
    output.print_document(
        proposals=list(map(to_merge_proposal_json, found.proposals)), total=found.total
    )
    if not found.proposals:
        output.print_message("no proposals")
        return
    shown = found.proposals[:limit]
    output.print_text("\n".join(line for each in shown for line in _format_proposal(each)))
    if found.total > len(shown):
        output.print_message(f"{found.total - len(shown)} more; -n N shows more")


def print_accepted(run: CommandContext, session: Session, proposal_id: str, keep: str) -> None:
    """Accept a proposal, and print what was merged."""
    from cortexfs.interfaces.json.maintenance import to_memory_merge_json
    from cortexfs.operations.accept_merge_proposal import accept_merge_proposal

    done = accept_merge_proposal(session, proposal_id, keep, mode=run.mode)
    document = to_memory_merge_json(done.merge)
    if run.output.print_result(done.plan, done.outcome, document):
        run.output.print_lines(done.plan.message)


def print_rejected(run: CommandContext, session: Session, proposal_id: str) -> None:
    """Reject a proposal, and print the memories that stay as they are."""
    from cortexfs.operations.reject_merge_proposal import reject_merge_proposal

    done = reject_merge_proposal(session, proposal_id, mode=run.mode)
    if run.output.print_result(done.plan, done.outcome, {"rejected": done.proposal.id}):
        run.output.print_lines(done.plan.message)


def _format_proposal(found: MergeProposal) -> Iterator[str]:
    pair = found.pair
    yield f"{found.id} {found.kind}: similarity {pair.similarity:.2f} by {pair.found_by}"
    yield from _format_memory(pair.earlier)
    yield from _format_memory(pair.later)
    if found.differences:
        yield f"  differs: {'; '.join(found.differences)}"
    yield f"  cortexfs maintain --accept {found.id}  # keeps {found.merge.kept.record.ref}"
    yield f"  cortexfs maintain --reject {found.id}"


def _format_memory(memory: WeighedMemory) -> Iterator[str]:
    record = memory.record
    about = f"{record.type}, importance {memory.importance:.2f}"
    head = f"{record.ref}, {record.created[:10]}, {about}: "
    text = to_one_line(f"{head}{record.title}: {record.content[:MAX_TEXT_CHARS]}")
    yield from textwrap.wrap(
        redact_secrets(text), _WIDTH, initial_indent="  ", subsequent_indent="    "
    )
