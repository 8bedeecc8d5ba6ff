"""Routes about the tree as a whole: checks, figures, bulletins, processes, maintenance."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Query

from cortexfs.core.atoms.atom import Finding
from cortexfs.interfaces.json.documents import maintenance, projects
from cortexfs.interfaces.json.documents import tree_state as documents
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.cursor import make_key_cursor, parse_key
from cortexfs.interfaces.rest.endpoint import (
    Answer,
    Call,
    Effect,
    Endpoint,
    make_document,
    make_result,
)
from cortexfs.interfaces.rest.project_routes import make_changed


def check_tree(
    call: Call,
    project: given.Names = [],  # noqa: B006 - never changed
    limit: given.LimitQuery = 100,
    cursor: given.CursorQuery = "",
) -> Answer:
    """Check the tree, or some projects."""
    from cortexfs.interfaces.json.tree_state import to_finding_json
    from cortexfs.operations.list_findings import list_findings

    after = Finding(*parse_key(cursor, str, str, str, int, int)) if cursor else None
    found = list_findings(call.session, _resolve(call, project), after=after, limit=limit + 1)
    part = found.findings[:limit]
    return make_document(
        findings=list(map(to_finding_json, part)),
        errors=found.errors,
        warnings=found.warnings,
        next=make_key_cursor(part[-1]) if len(found.findings) > limit else None,
    )


def fix_tree(call: Call, body: bodies.ProjectsBody) -> Answer:
    """Fix what is safe to fix."""
    from cortexfs.operations.check import fix_tree as fix

    outcome = fix(call.session, _resolve(call, body.get("projects", [])), mode=call.mode)
    paths = [write.path for write in outcome.plan.writes]
    is_dry_run = call.mode.is_dry_run
    return make_result(outcome.plan, None if is_dry_run else outcome, {"fixed": paths})


def show_statistics(call: Call, filters: given.Filters) -> Answer:
    """Show the figures of the tree; sizes are in bytes."""
    from cortexfs.interfaces.json.tree_state import to_statistics_json
    from cortexfs.operations.stats import stats

    return make_document(stats=to_statistics_json(stats(call.session, filters.parse(call.session))))


def show_brief(
    call: Call,
    project: given.ProjectQuery = "",
    tokens: Annotated[int | None, Query(ge=1, le=100_000)] = None,
) -> Answer:
    """Show what a session should know at its start, of a project or of the whole tree."""
    from cortexfs.interfaces.json.bulletin import to_brief_json
    from cortexfs.operations.brief import brief

    return make_document(brief=to_brief_json(brief(call.session, project, tokens)))


def check_installation(call: Call) -> Answer:
    """Check the installation."""
    from cortexfs.interfaces.json.tree_state import to_installation_check_json
    from cortexfs.operations.doctor import doctor

    found = doctor(call.session, os.environ)
    return make_document(checks=list(map(to_installation_check_json, found)))


def list_processes(call: Call, ended: Annotated[bool, Query()] = False) -> Answer:
    """List what runs: sessions of agents, sub-agents, background tasks."""
    from cortexfs.interfaces.json.processes import to_process_json
    from cortexfs.operations.list_processes import list_processes as find_processes

    found = find_processes(call.session, show_all=ended)
    return make_document(processes=list(map(to_process_json, found)))


def find_maintenance(call: Call, project: given.Names = []) -> Answer:  # noqa: B006
    """Find stale, contradictory and related atoms."""
    from cortexfs.interfaces.json import maintenance as to_json
    from cortexfs.operations.maintain import maintain

    found = maintain(call.session, _resolve(call, project))
    return make_document(
        maintenance=list(map(to_json.to_maintenance_json, found.reports)),
        **{"status-changes": list(map(to_json.to_suggested_status_json, found.marks))},
        merges=list(map(to_json.to_memory_merge_json, found.merges)),
    )


def run_maintenance(call: Call, body: bodies.ProjectsBody) -> Answer:
    """Make the changes that need no judgement."""
    from cortexfs.interfaces.json.maintenance import to_maintenance_run_json
    from cortexfs.operations.run_maintenance import run_maintenance as run

    done = run(call.session, call.mode, _resolve(call, body.get("projects", [])))
    document = to_maintenance_run_json(done)
    return make_result(done.plan, done.outcome, document, changed=bool(done.report_path))


def list_proposals(
    call: Call,
    project: given.Names = [],  # noqa: B006
    limit: given.LimitQuery = 20,
) -> Answer:
    """List similar memories that may be merged, most similar first."""
    from cortexfs.interfaces.json.maintenance import to_merge_proposal_json
    from cortexfs.operations.list_merge_proposals import list_merge_proposals

    found = list_merge_proposals(call.session, _resolve(call, project), limit)
    proposals = list(map(to_merge_proposal_json, found.proposals))
    return make_document(proposals=proposals, total=found.total)


def accept_proposal(call: Call, id: given.Ident, body: bodies.AcceptBody) -> Answer:  # noqa: A002
    """Merge the memories of a proposal."""
    from cortexfs.interfaces.json.maintenance import to_memory_merge_json
    from cortexfs.operations.accept_merge_proposal import accept_merge_proposal

    done = accept_merge_proposal(call.session, id, body.get("keep", ""), mode=call.mode)
    return make_result(done.plan, done.outcome, to_memory_merge_json(done.merge))


def reject_proposal(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Do not propose a merge again."""
    from cortexfs.operations.reject_merge_proposal import reject_merge_proposal

    done = reject_merge_proposal(call.session, id, mode=call.mode)
    return make_result(done.plan, done.outcome, {"rejected": done.proposal.id})


def find_patterns(call: Call) -> Answer:
    """Find what recurs over sessions; changes nothing."""
    from cortexfs.core.changes.plan import ExecutionMode
    from cortexfs.interfaces.json.patterns import to_patterns_json
    from cortexfs.operations.detect_patterns import detect_patterns

    found = detect_patterns(call.session, ExecutionMode.DRY_RUN)
    return make_document(patterns=to_patterns_json(found))


def write_patterns(call: Call) -> Answer:
    """Write the patterns as observations, in one commit."""
    from cortexfs.interfaces.json.patterns import to_patterns_json
    from cortexfs.operations.detect_patterns import detect_patterns

    done = detect_patterns(call.session, call.mode)
    document = {"patterns": to_patterns_json(done)}
    outcome = None if call.mode.is_dry_run else done.outcome
    if outcome is None and not call.mode.is_dry_run:
        return make_document(**document)
    return make_result(done.plan, outcome, document)


def accept_pattern(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Add a proposed preference to USER.md."""
    from cortexfs.operations.answer_pattern import accept_proposal as accept

    return make_changed(accept(call.session, id, mode=call.mode))


def reject_pattern(call: Call, id: given.Ident) -> Answer:  # noqa: A002
    """Never write or propose a pattern again."""
    from cortexfs.operations.answer_pattern import reject_pattern as reject

    return make_changed(reject(call.session, id, mode=call.mode))


def regenerate_indexes(call: Call, body: bodies.ProjectsBody) -> Answer:
    """Update the index.md files, the read counts in atoms, and the lists in CORTEX.md."""
    from cortexfs.interfaces.json.tree_state import to_index_json
    from cortexfs.operations.regenerate_indexes import (
        preview_regeneration,
    )
    from cortexfs.operations.regenerate_indexes import (
        regenerate_indexes as regenerate,
    )

    chosen = _resolve(call, body.get("projects", []))
    if call.mode.is_dry_run:
        return make_result(preview_regeneration(call.session, chosen), None, {})
    outcome = regenerate(call.session, chosen, mode=call.mode)
    document = {"indexes": list(map(to_index_json, outcome.indexes))}
    return make_result(outcome.plan, outcome, document)


def _resolve(call: Call, names: list[str]) -> list[str] | None:
    """Return these projects, which must exist; None for all."""
    from cortexfs.operations.shared.resolve_names import require_project

    return [require_project(call.session, name) for name in names] or None


_CHANGE, _FILE = Effect.CHANGE, projects.GovernanceChangeDocument
_PROPOSAL, _PATTERN = "/api/v1/proposals/{id}", "/api/v1/patterns/{id}"
ENDPOINTS = (
    Endpoint("GET", "/api/v1/findings", check_tree, documents.CheckDocument, Effect.READ_ALL),
    Endpoint("POST", "/api/v1/findings/fix", fix_tree, documents.FixedDocument, _CHANGE),
    Endpoint(
        "GET", "/api/v1/stats", show_statistics, documents.StatisticsDocument, Effect.READ_ALL
    ),
    Endpoint("GET", "/api/v1/brief", show_brief, documents.BriefDocument),
    Endpoint("GET", "/api/v1/doctor", check_installation, documents.DoctorDocument),
    Endpoint("GET", "/api/v1/processes", list_processes, documents.ProcessListDocument),
    Endpoint(
        "GET",
        "/api/v1/maintenance",
        find_maintenance,
        maintenance.MaintenanceDocument,
        Effect.READ_ALL,
    ),
    Endpoint(
        "POST", "/api/v1/maintenance", run_maintenance, maintenance.MaintenanceRunDocument, _CHANGE
    ),
    Endpoint("GET", "/api/v1/proposals", list_proposals, maintenance.ProposalListDocument),
    Endpoint("POST", f"{_PROPOSAL}/accept", accept_proposal, maintenance.MergedDocument, _CHANGE),
    Endpoint("POST", f"{_PROPOSAL}/reject", reject_proposal, maintenance.RejectedDocument, _CHANGE),
    Endpoint("GET", "/api/v1/patterns", find_patterns, maintenance.PatternsDocument),
    Endpoint("POST", "/api/v1/patterns", write_patterns, maintenance.PatternsDocument, _CHANGE),
    Endpoint("POST", f"{_PATTERN}/accept", accept_pattern, _FILE, _CHANGE),
    Endpoint("POST", f"{_PATTERN}/reject", reject_pattern, _FILE, _CHANGE),
    Endpoint("POST", "/api/v1/indexes", regenerate_indexes, documents.IndexesDocument, _CHANGE),
)
