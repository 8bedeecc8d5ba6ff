"""Routes about the tree as a whole: checks, commits, figures, bulletins, processes, the daemon."""

from __future__ import annotations

import os
from typing import Annotated

from fastapi import Query

from cortexfs.core.atoms.atom import Finding
from cortexfs.interfaces.json.documents import tree_state as documents
from cortexfs.interfaces.json.documents.changes import CommittedDocument
from cortexfs.interfaces.json.documents.daemon import DaemonDocument
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.cursor import make_key_cursor, parse_key
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint
from cortexfs.operations.brief import MAX_TOKENS, MIN_TOKENS


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
    found = list_findings(
        call.session, given.require_projects(call.session, project), after=after, limit=limit + 1
    )
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

    outcome = fix(
        call.session, given.require_projects(call.session, body.get("projects", [])), mode=call.mode
    )
    return make_result(outcome, {"fixed": [write.path for write in outcome.plan.writes]})


def show_statistics(call: Call, filters: given.Filters) -> Answer:
    """Show the figures of the tree; sizes are in bytes."""
    from cortexfs.interfaces.json.tree_state import to_statistics_json
    from cortexfs.operations.stats import stats

    return make_document(stats=to_statistics_json(stats(call.session, filters.parse(call.session))))


def show_brief(
    call: Call,
    project: given.ProjectQuery = "",
    tokens: Annotated[int | None, Query(ge=MIN_TOKENS, le=MAX_TOKENS)] = None,
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


def regenerate_indexes(call: Call, body: bodies.ProjectsBody) -> Answer:
    """Update the index.md files, the read counts in atoms, and the lists in CORTEX.md."""
    from cortexfs.interfaces.json.tree_state import to_index_json
    from cortexfs.operations import regenerate_indexes as regeneration

    chosen = given.require_projects(call.session, body.get("projects", []))
    if call.mode.is_dry_run:
        plan = regeneration.preview_regeneration(call.session, chosen)
        return make_document(indexes=[])._replace(plan=plan)
    outcome = regeneration.regenerate_indexes(call.session, chosen, mode=call.mode)
    document = {"indexes": list(map(to_index_json, outcome.indexes))}
    return make_result(outcome, document)


def commit_files(call: Call, body: bodies.CommitBody) -> Answer:
    """Commit changes made by hand or by an agent; what has a secret or is broken is held back."""
    from cortexfs.interfaces.json.commit import to_commit_report_json
    from cortexfs.operations.commit import commit

    paths, message = body.get("paths", []), body.get("message") or None
    done = commit(call.session, paths, message, call.session.tree.root, mode=call.mode)
    return make_result(done.outcome, to_commit_report_json(done))


def rotate_access_logs(call: Call, body: bodies.ProjectBody) -> Answer:
    """Move past months of the access logs to separate files; the reads in them still count."""
    from cortexfs.operations.access_log_reports import rotate_access_logs as rotate

    project = body.get("project")
    names = given.require_projects(call.session, [project] if project else [])
    plan, outcome = rotate(call.session, names[0] if names else None, mode=call.mode)
    return make_result(outcome, {"rotated": [write.path for write in plan.writes]})


def show_daemon(call: Call) -> Answer:
    """Show whether the daemon runs, what is prepared, and its jobs."""
    from cortexfs.interfaces.json.daemon import to_daemon_json
    from cortexfs.operations.daemon_status import load_daemon_status

    return make_document(daemon=to_daemon_json(load_daemon_status(call.session)))


_CHANGE = Effect.CHANGE
ENDPOINTS = (
    Endpoint("GET", "/api/v1/findings", check_tree, documents.CheckDocument, Effect.READ_ALL),
    Endpoint("POST", "/api/v1/findings/fix", fix_tree, documents.FixedDocument, _CHANGE),
    Endpoint(
        "GET", "/api/v1/stats", show_statistics, documents.StatisticsDocument, Effect.READ_ALL
    ),
    Endpoint("GET", "/api/v1/brief", show_brief, documents.BriefDocument),
    Endpoint("GET", "/api/v1/doctor", check_installation, documents.DoctorDocument),
    Endpoint("GET", "/api/v1/processes", list_processes, documents.ProcessListDocument),
    Endpoint("POST", "/api/v1/indexes", regenerate_indexes, documents.IndexesDocument, _CHANGE),
    Endpoint("POST", "/api/v1/commit", commit_files, CommittedDocument, _CHANGE),
    Endpoint(
        "POST", "/api/v1/reads/rotate", rotate_access_logs, documents.RotatedDocument, _CHANGE
    ),
    Endpoint("GET", "/api/v1/daemon", show_daemon, DaemonDocument),
)
