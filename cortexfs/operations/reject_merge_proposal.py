"""Reject the merge of two memories: it is not proposed again until a text changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.reviewed_field import REVIEWED_KEY
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.maintain.merge_proposals import make_rejection
from cortexfs.core.memory.memory_text import change_memory_text
from cortexfs.errors import Refused
from cortexfs.operations.list_merge_proposals import needed_contents, require_proposal
from cortexfs.operations.shared.load_memories import read_memory_text

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class RejectedProposal(NamedTuple):
    """A rejected proposal."""

    proposal: MergeProposal
    plan: Plan
    outcome: Outcome | None = None


def reject_merge_proposal(
    session: Session, proposal_id: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> RejectedProposal:
    """Note in the later memory of a proposal that it was reviewed beside the earlier one.

    Raises `Refused` if there is no such proposal, or the memory has uncommitted changes.
    """
    executed = session.execute(
        lambda view: _plan(view, proposal_id), mode, ingest=needed_contents(session)
    )
    return attach_outcome(executed)


def _plan(view: View, proposal_id: str) -> RejectedProposal:
    proposal = require_proposal(view, proposal_id)
    earlier, later = proposal.pair.earlier.record, proposal.pair.later.record
    user_changes = view.repository.find_user_changes([later.path])
    if later.path in user_changes.changed | user_changes.untracked:
        raise Refused(f"{later.path} has uncommitted changes", hint=f"cortexfs commit {later.path}")
    text = read_memory_text(view, later.path)
    items = make_rejection(proposal, view.clock().date().isoformat())
    write = Write(later.path, change_memory_text(text, {REVIEWED_KEY: items}), text)
    plan = Plan(f"reject the merge of {later.ref} and {earlier.ref}", (write,))
    return RejectedProposal(proposal, plan)
