"""Accept or reject what pattern detection found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.checks.size_limits import find_cap
from cortexfs.core.governance.project_status import set_updated_day
from cortexfs.core.governance.trim_hints import require_within_cap
from cortexfs.core.governance.user_preferences import set_preference
from cortexfs.core.patterns.pattern_answers import ANSWERS_PATH, Answer, AnswerLine, add_answer
from cortexfs.errors import Refused
from cortexfs.operations.detect_patterns import detect_patterns
from cortexfs.operations.shared.cortex_md_and_overview import add_derived_writes
from cortexfs.operations.shared.governance_file import (
    GovernanceChangeResult,
    read_present,
    render_template,
)
from cortexfs.operations.user import USER_PATH

if TYPE_CHECKING:
    from cortexfs.core.patterns.proposals import Proposal
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

CATEGORY = "Working style"
"""The section of USER.md for accepted proposals."""


def accept_proposal(
    session: Session, ident: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Add a proposal to USER.md, and remember that; raises `Refused` if there is none."""
    found = detect_patterns(session, ExecutionMode.DRY_RUN).proposals
    proposal = next((each for each in found if each.id == ident), None)
    if proposal is None:
        raise Refused(
            f"there is no proposal {ident}",
            hint="`cortexfs patterns` lists the proposals; patterns are written by --apply",
        )

    def decide(view: View) -> GovernanceChangeResult:
        writes = [
            _plan_preference(view, proposal),
            _plan_answer(view, ident, Answer.ACCEPTED, proposal.wording),
        ]
        plan = Plan(f"user: {proposal.key}", tuple(add_derived_writes(view, writes)))
        return GovernanceChangeResult(USER_PATH, plan)

    return attach_outcome(session.execute(decide, mode))


def reject_pattern(
    session: Session, ident: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Remember that a pattern or proposal is not wanted; raises `Refused` if there is none."""
    report = detect_patterns(session, ExecutionMode.DRY_RUN)
    wordings = {observation.id: observation.text.title for observation in report.observations}
    wordings |= {each.id: each.wording for each in report.proposals}
    if ident not in wordings:
        raise Refused(
            f"there is no pattern or proposal {ident}", hint="`cortexfs patterns` lists them"
        )

    def decide(view: View) -> GovernanceChangeResult:
        write = _plan_answer(view, ident, Answer.REJECTED, wordings[ident])
        plan = Plan(f"patterns: reject {ident}", tuple(add_derived_writes(view, [write])))
        return GovernanceChangeResult(ANSWERS_PATH, plan)

    return attach_outcome(session.execute(decide, mode))


def _plan_preference(view: View, proposal: Proposal) -> Write:
    """Return the write of USER.md; raises `OverCap` if it has no room."""
    before = read_present(view, USER_PATH)
    text = render_template(view, USER_PATH) if before is None else before
    after = set_preference(text, proposal.key, proposal.wording, CATEGORY)
    after = set_updated_day(after, view.clock().date().isoformat(), add_if_missing=False)
    require_within_cap(find_cap(USER_PATH, view.settings.caps), USER_PATH, before, after)
    return Write(USER_PATH, after, before)


def _plan_answer(view: View, ident: str, answer: Answer, wording: str) -> Write:
    before = read_present(view, ANSWERS_PATH)
    line = AnswerLine(ident, answer, view.clock().date().isoformat(), wording)
    return Write(ANSWERS_PATH, add_answer(before or "", line), before)
