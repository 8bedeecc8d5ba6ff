"""Routes for maintenance: what a tree needs, proposed merges, and patterns."""

from __future__ import annotations

from cortexfs.interfaces.json.documents import maintenance as documents
from cortexfs.interfaces.json.documents.projects import GovernanceChangeDocument
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint
from cortexfs.interfaces.rest.project_routes import make_changed


def find_maintenance(call: Call, project: given.Names = []) -> Answer:  # noqa: B006
    """Find stale, contradictory and related atoms."""
    from cortexfs.interfaces.json import maintenance as to_json
    from cortexfs.operations.maintain import maintain

    found = maintain(call.session, given.require_projects(call.session, project))
    return make_document(
        maintenance=list(map(to_json.to_maintenance_json, found.reports)),
        **{"status-changes": list(map(to_json.to_suggested_status_json, found.marks))},
        merges=list(map(to_json.to_memory_merge_json, found.merges)),
    )


def run_maintenance(call: Call, body: bodies.ProjectsBody) -> Answer:
    """Make the changes that need no judgement."""
    from cortexfs.interfaces.json.maintenance import to_maintenance_run_json
    from cortexfs.operations.run_maintenance import run_maintenance as run

    done = run(
        call.session, call.mode, given.require_projects(call.session, body.get("projects", []))
    )
    document = to_maintenance_run_json(done)
    return make_result(done.outcome, document, changed=bool(done.report_path))


def list_proposals(
    call: Call,
    project: given.Names = [],  # noqa: B006
    limit: given.LimitQuery = 20,
) -> Answer:
    """List similar memories that may be merged, most similar first."""
    from cortexfs.interfaces.json.maintenance import to_merge_proposal_json
    from cortexfs.operations.list_merge_proposals import list_merge_proposals

    found = list_merge_proposals(call.session, given.require_projects(call.session, project), limit)
    proposals = list(map(to_merge_proposal_json, found.proposals))
    return make_document(proposals=proposals, total=found.total)


def accept_proposal(call: Call, id: given.Ident, body: bodies.AcceptBody) -> Answer:  # noqa: A002
    """Merge the memories of a proposal."""
    from cortexfs.interfaces.json.maintenance import to_memory_merge_json
    from cortexfs.operations.accept_merge_proposal import accept_merge_proposal

    done = accept_merge_proposal(call.session, id, body.get("keep", ""), mode=call.mode)
    return make_result(done.outcome, to_memory_merge_json(done.merge))


def reject_proposal(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Do not propose a merge again."""
    from cortexfs.operations.reject_merge_proposal import reject_merge_proposal

    done = reject_merge_proposal(call.session, id, mode=call.mode)
    return make_result(done.outcome, {"rejected": done.proposal.id})


def find_patterns(call: Call) -> Answer:
    """Find what recurs over sessions; changes nothing."""
    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.interfaces.json.patterns import to_patterns_json
    from cortexfs.operations.detect_patterns import detect_patterns

    found = detect_patterns(call.session, ExecutionMode.DRY_RUN)
    return make_document(patterns=to_patterns_json(found))


def write_patterns(call: Call) -> Answer:
    """Write the patterns as observations, in one commit."""
    from cortexfs.interfaces.json.patterns import to_patterns_json
    from cortexfs.operations.detect_patterns import detect_patterns

    done = detect_patterns(call.session, call.mode)
    return make_result(done.outcome, {"patterns": to_patterns_json(done)})


def accept_pattern(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Add a proposed preference to USER.md."""
    from cortexfs.operations.answer_pattern import accept_proposal as accept

    return make_changed(accept(call.session, id, mode=call.mode))


def reject_pattern(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Never write or propose a pattern again."""
    from cortexfs.operations.answer_pattern import reject_pattern as reject

    return make_changed(reject(call.session, id, mode=call.mode))


_CHANGE, _FILE = Effect.CHANGE, GovernanceChangeDocument
_PROPOSAL, _PATTERN = "/api/v1/proposals/{id}", "/api/v1/patterns/{id}"
ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/maintenance",
        find_maintenance,
        documents.MaintenanceDocument,
        Effect.READ_ALL,
    ),
    Endpoint(
        "POST", "/api/v1/maintenance", run_maintenance, documents.MaintenanceRunDocument, _CHANGE
    ),
    Endpoint("GET", "/api/v1/proposals", list_proposals, documents.ProposalListDocument),
    Endpoint("POST", f"{_PROPOSAL}/accept", accept_proposal, documents.MergedDocument, _CHANGE),
    Endpoint("POST", f"{_PROPOSAL}/reject", reject_proposal, documents.RejectedDocument, _CHANGE),
    Endpoint("GET", "/api/v1/patterns", find_patterns, documents.PatternsDocument),
    Endpoint("POST", "/api/v1/patterns", write_patterns, documents.PatternsDocument, _CHANGE),
    Endpoint("POST", f"{_PATTERN}/accept", accept_pattern, _FILE, _CHANGE),
    Endpoint("POST", f"{_PATTERN}/reject", reject_pattern, _FILE, _CHANGE),
)
