"""Merge two memories, as a proposal says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, attach_outcome
from cortexfs.errors import Refused
from cortexfs.operations.list_merge_proposals import needed_contents, require_proposal
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.load_memories import resolve_memory
from cortexfs.operations.shared.load_weighed_memories import iter_weighed_memories
from cortexfs.operations.shared.plan_memory_merges import plan_memory_merges

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.core.maintain.equal_memories import MemoryMerge
    from cortexfs.core.maintain.merge_proposals import MergeProposal
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class AcceptedProposal(NamedTuple):
    """An accepted proposal, and the merge that was made."""

    proposal: MergeProposal
    merge: MemoryMerge
    plan: Plan
    outcome: Outcome | None = None


def accept_merge_proposal(
    session: Session,
    proposal_id: str,
    keep: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> AcceptedProposal:
    """Merge the memories of a proposal; `keep` names the one that stays.

    Raises `Refused` if there is no such proposal, if `keep` is neither of the two, or if one has
    uncommitted changes.
    """
    executed = session.execute(
        lambda view: _plan(view, proposal_id, keep), mode, ingest=needed_contents(session)
    )
    return attach_outcome(executed)


def _plan(view: View, proposal_id: str, keep: str) -> AcceptedProposal:
    proposal = require_proposal(view, proposal_id)
    wanted = _choose_kept(view, proposal, keep)
    merges, writes = plan_memory_merges(view, [wanted], iter_weighed_memories(view, None))
    if not merges:
        both = " or ".join(each.record.ref for each in wanted.memories)
        raise Refused(
            f"{both} has uncommitted changes, or frontmatter that cannot be edited",
            hint="`cortexfs commit` commits your changes",
        )
    (merge,) = merges
    message = f"merge {merge.merged[0].record.ref} into {merge.kept.record.ref}"
    plan = Plan(f"{message}: {proposal.kind}", tuple(add_derived_writes(view, writes)))
    return AcceptedProposal(proposal, merge, plan)


def _choose_kept(view: View, proposal: MergeProposal, keep: str) -> MemoryMerge:
    """Return the merge with the named memory as the one that stays."""
    merge = proposal.merge
    if not keep:
        return merge
    number = resolve_memory(view, keep).number
    kept = [each for each in merge.memories if each.record.number == number]
    if not kept:
        both = " or ".join(each.record.ref for each in merge.memories)
        raise Refused(f"`{keep}` is not a part of this proposal", hint=f"--keep {both}")
    others = tuple(each for each in merge.memories if each.record.number != number)
    return merge._replace(kept=kept[0], merged=others)
