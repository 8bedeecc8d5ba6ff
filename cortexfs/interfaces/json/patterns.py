"""Patterns and proposals as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.patterns.proposals import Proposal
    from cortexfs.interfaces.json.documents import maintenance as documents
    from cortexfs.operations.detect_patterns import PatternReport
    from cortexfs.operations.shared.plan_pattern_observations import PatternObservation


def to_patterns_json(report: PatternReport) -> documents.PatternFields:
    """Return what pattern detection found in the window."""
    return {
        "enabled": report.is_on,
        "since": report.since_day,
        "sessions": report.session_count,
        "candidates": report.candidate_count,
        "observations": list(map(_to_observation_json, report.observations)),
        "proposals": list(map(_to_proposal_json, report.proposals)),
    }


def _to_observation_json(observation: PatternObservation) -> documents.PatternObservationDocument:
    return {
        "id": observation.id,
        "ref": observation.ref,
        "action": str(observation.action),
        "title": observation.text.title,
        "content": observation.text.content,
    }


def _to_proposal_json(proposal: Proposal) -> documents.PreferenceProposalDocument:
    return {
        "id": proposal.id,
        "key": proposal.key,
        "value": proposal.wording,
        "sessions": len(proposal.sessions),
        "projects": list(proposal.projects),
    }
