"""Routes for projects, their governance files, decisions, ideas, preferences, scan reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from cortexfs.interfaces.json.documents import atoms as atom_documents
from cortexfs.interfaces.json.documents import changes, projects, tree_state
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.endpoint import (
    NOWHERE,
    Answer,
    Call,
    Effect,
    Endpoint,
    make_document,
    make_result,
)

if TYPE_CHECKING:
    from cortexfs.operations.decision import SettledDecision
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult


def list_projects(call: Call) -> Answer:
    """List the projects with their numbers of atoms and reads."""
    from cortexfs.interfaces.json.projects import to_project_json
    from cortexfs.operations.project import summarize_projects

    return make_document(projects=list(map(to_project_json, summarize_projects(call.session))))


def create_project(call: Call, body: bodies.NewProjectBody) -> Answer:
    """Create a project with its governance files."""
    from cortexfs.operations.project import new_project

    name = body["name"]
    plan, outcome = new_project(call.session, name, body["goal"], mode=call.mode)
    return make_result(plan, outcome, {"created": {"project": name, "path": f"projects/{name}"}})


def show_project(call: Call, project: given.ProjectName) -> Answer:
    """Show the statistics of a project, and its STATUS.md."""
    from cortexfs.interfaces.json.projects import to_project_json
    from cortexfs.operations.project import show_project as read_project

    found, status = read_project(call.session, project)
    return make_document(project=to_project_json(found), content=status)


def archive_project(call: Call, project: given.ProjectName, body: bodies.ReasonBody) -> Answer:
    """Mark a project as archived; its files stay."""
    from cortexfs.operations.project import archive_project as archive

    return _make_changed(archive(call.session, project, body.get("reason", ""), mode=call.mode))


def rename_project(call: Call, project: given.ProjectName, body: bodies.RenameBody) -> Answer:
    """Rename a project, and update every reference to it."""
    from cortexfs.interfaces.json.projects import to_renamed_json
    from cortexfs.operations.rename_project import rename_project as rename

    done = rename(call.session, project, body["to"], mode=call.mode)
    return make_result(done.plan, done.outcome, to_renamed_json(done))


def show_status(call: Call, project: given.ProjectName) -> Answer:
    """Show STATUS.md, and its sections."""
    from cortexfs.operations.status_md import show_status as read_status

    name = _require(call, project)
    text, sections = read_status(call.session, name)
    return make_document(project=name, sections=sections, content=text)


def set_status(call: Call, project: given.ProjectName, body: bodies.StatusBody) -> Answer:
    """Replace sections of STATUS.md, and update its date; the others stay."""
    from cortexfs.core.governance.project_status import StatusUpdate
    from cortexfs.operations.status_md import set_status as change_status

    update = StatusUpdate(
        body.get("phase"),
        _to_tuple(body.get("progress")),
        _to_tuple(body.get("blockers")),
        _to_tuple(body.get("next")),
    )
    return _make_changed(
        change_status(call.session, _require(call, project), update, mode=call.mode)
    )


def replace_status(call: Call, project: given.ProjectName, body: bodies.FileTextBody) -> Answer:
    """Replace STATUS.md."""
    from cortexfs.operations.status_md import edit_status

    name = _require(call, project)
    return _make_changed(edit_status(call.session, name, body["text"], mode=call.mode))


def show_mission(call: Call, project: given.ProjectName) -> Answer:
    """Show mission.md, and its items."""
    from cortexfs.interfaces.json.tasks import to_checklist_item_json
    from cortexfs.operations.mission import show_mission as read_mission

    name = _require(call, project)
    text, items = read_mission(call.session, name)
    return make_document(project=name, items=list(map(to_checklist_item_json, items)), content=text)


def replace_mission(call: Call, project: given.ProjectName, body: bodies.MissionBody) -> Answer:
    """Replace mission.md, which only the user may approve."""
    from cortexfs.operations.mission import edit_mission

    name, approved = _require(call, project), body["approved"]
    return _make_changed(
        edit_mission(call.session, name, body["text"], approved=approved, mode=call.mode)
    )


def show_roadmap(call: Call, project: given.ProjectName) -> Answer:
    """Show roadmap.md with its numbered items."""
    from cortexfs.interfaces.json.tasks import to_checklist_item_json
    from cortexfs.operations.roadmap import show_roadmap as read_roadmap

    name = _require(call, project)
    text, items = read_roadmap(call.session, name)
    return make_document(project=name, items=list(map(to_checklist_item_json, items)), content=text)


def add_roadmap_items(
    call: Call, project: given.ProjectName, body: bodies.RoadmapItemsBody
) -> Answer:
    """Add items to a milestone of roadmap.md."""
    from cortexfs.operations.roadmap import add_roadmap_items as add

    name, milestone = _require(call, project), body.get("milestone", "")
    return _make_changed(
        add(call.session, name, body["phase"], milestone, body["items"], mode=call.mode)
    )


def tick_roadmap_item(call: Call, project: given.ProjectName, body: bodies.ItemBody) -> Answer:
    """Mark an item of roadmap.md as done."""
    from cortexfs.operations.roadmap import tick_roadmap_item as tick

    name = _require(call, project)
    return _make_changed(tick(call.session, name, body["item"], mode=call.mode))


def list_issues(call: Call, project: given.ProjectName) -> Answer:
    """List the issues of a project."""
    from cortexfs.interfaces.json.projects import to_issues_json
    from cortexfs.operations.issue import list_issues as read_issues

    name = _require(call, project)
    return make_document(project=name, issues=to_issues_json(read_issues(call.session, name)))


def add_issue(call: Call, project: given.ProjectName, body: bodies.NewIssueBody) -> Answer:
    """Add an issue at the end of ISSUES.md."""
    from cortexfs.operations.issue import add_issue as add

    bullets = {
        "Problem": body.get("problem", ""),
        "When": body.get("when", ""),
        "Investigation": body.get("investigation", ""),
    }
    name = _require(call, project)
    return _make_changed(add(call.session, name, body["text"], bullets, mode=call.mode))


def resolve_issue(call: Call, project: given.ProjectName, body: bodies.ItemBody) -> Answer:
    """Delete a resolved issue; it stays in the git history."""
    from cortexfs.operations.issue import resolve_issue as resolve

    name = _require(call, project)
    return _make_changed(resolve(call.session, name, body["item"], mode=call.mode))


def score_project(
    call: Call,
    project: given.ProjectName,
    reads: Annotated[int, Query(ge=1, le=50)] = 8,
    tokens: Annotated[int, Query(ge=100, le=100_000)] = 8000,
) -> Answer:
    """Run the Fresh Session Test: how well a new session finds its way in a project."""
    from cortexfs.core.fresh_session.walk import ReadBudget
    from cortexfs.interfaces.json.tree_state import to_fresh_session_json
    from cortexfs.operations.score_fresh_session import score_fresh_session

    names = [_require(call, project)]
    found = score_fresh_session(call.session, names, ReadBudget(reads, tokens))
    return make_document(fresh=list(map(to_fresh_session_json, found)))


def list_decisions(
    call: Call, filters: given.Filters, system: Annotated[bool, Query()] = False
) -> Answer:
    """List the decisions of the tree and of its projects, by id."""
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.decision import list_decisions as read_decisions

    found = read_decisions(call.session, filters.parse(call.session), system=system)
    return make_document(decisions=list(map(to_atom_json, found)))


def show_decision(call: Call, ref: given.Ref) -> Answer:
    """Show a decision and its alternatives, and whether it was edited after it was accepted."""
    from cortexfs.interfaces.json.atoms import to_shown_decision_json
    from cortexfs.operations.decision import show_decision as read_decision

    return make_document(**to_shown_decision_json(read_decision(call.session, ref, NOWHERE)))


def accept_decision(call: Call, ref: given.Ref, body: bodies.ReasonBody) -> Answer:
    """Accept a decision; its text must not change after that."""
    return _settle(call, ref, "accepted", body)


def reject_decision(call: Call, ref: given.Ref, body: bodies.ReasonBody) -> Answer:
    """Reject a proposed decision; it stays in the tree as a record."""
    return _settle(call, ref, "rejected", body)


def supersede_decision(call: Call, ref: given.Ref, body: bodies.SupersedeBody) -> Answer:
    """Supersede a decision by a later one, which is accepted."""
    from cortexfs.operations.decision import supersede_decision as supersede

    reason = body.get("reason", "")
    return _make_decided(
        supersede(call.session, ref, body["by"], NOWHERE, reason=reason, mode=call.mode)
    )


def _settle(call: Call, ref: str, verdict: str, body: bodies.ReasonBody) -> Answer:
    from cortexfs.operations.decision import settle_decision

    reason = body.get("reason", "")
    return _make_decided(
        settle_decision(call.session, ref, verdict, NOWHERE, reason=reason, mode=call.mode)
    )


def _make_decided(done: SettledDecision) -> Answer:
    from cortexfs.interfaces.json.history_and_status import to_settled_decision_json

    document = to_settled_decision_json(done)
    return make_result(done.plan, done.outcome, document, changed=bool(done.file_changes))


def list_ideas(call: Call, filters: given.Filters) -> Answer:
    """List the ideas by id."""
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.idea import list_ideas as read_ideas

    found = read_ideas(call.session, filters.parse(call.session))
    return make_document(ideas=list(map(to_atom_json, found)))


def promote_idea(call: Call, ref: given.Ref, body: bodies.PromoteBody) -> Answer:
    """Create a project from an idea, and link the two."""
    from cortexfs.operations.idea import promote_idea as promote

    goal = body.get("goal", "")
    done = promote(call.session, ref, body["project"], goal, NOWHERE, mode=call.mode)
    created = {"project": done.project, "path": f"projects/{done.project}"}
    document = {"promoted": {"ref": done.ref, "path": done.path}, "created": created}
    return make_result(done.plan, done.outcome, document)


def show_user(call: Call) -> Answer:
    """Show USER.md, and the preferences in it."""
    from cortexfs.interfaces.json.projects import to_preference_json
    from cortexfs.operations.user import show_user as read_user

    text, known = read_user(call.session)
    return make_document(preferences=list(map(to_preference_json, known)), content=text)


def learn_preference(call: Call, body: bodies.PreferenceBody) -> Answer:
    """Record a preference of the user; it replaces one with the same key."""
    from cortexfs.operations.user import learn_preference as learn

    section = body.get("section", "Working style")
    return _make_changed(learn(call.session, body["key"], body["value"], section, mode=call.mode))


def list_scans(call: Call) -> Answer:
    """List the scan reports, newest first."""
    from cortexfs.interfaces.json.projects import to_scan_report_json
    from cortexfs.operations.scan_reports import list_scans as read_scans

    return make_document(scans=list(map(to_scan_report_json, read_scans(call.session))))


def create_scan(call: Call, body: bodies.ScanBody) -> Answer:
    """Write the scan report of today, or append to it."""
    from cortexfs.operations.scan_reports import new_scan

    return _make_changed(
        new_scan(call.session, body.get("scope", ""), body["text"], mode=call.mode)
    )


def _to_tuple(texts: list[str] | None) -> tuple[str, ...] | None:
    return None if texts is None else tuple(texts)


def _require(call: Call, name: str) -> str:
    from cortexfs.operations.shared.resolve_names import require_project

    return require_project(call.session, name)


def _make_changed(done: GovernanceChangeResult) -> Answer:
    from cortexfs.interfaces.json.projects import to_governance_change_json

    document = to_governance_change_json(done)
    return make_result(done.plan, done.outcome, document, changed=done.changed)


_ATOM, _CHANGE = Effect.CHANGE_ATOM, Effect.CHANGE
_PROJECT, _FILE = "/api/v1/projects/{project}", projects.GovernanceChangeDocument
_DECISION, _DECIDED = "/api/v1/decisions/{ref:path}", changes.DecidedDocument
ENDPOINTS = (
    Endpoint("GET", "/api/v1/projects", list_projects, projects.ProjectListDocument),
    Endpoint(
        "POST", "/api/v1/projects", create_project, projects.CreatedProjectDocument, _CHANGE, 201
    ),
    Endpoint("GET", _PROJECT, show_project, projects.ShownProjectDocument),
    Endpoint("POST", f"{_PROJECT}/archive", archive_project, _FILE, _CHANGE),
    Endpoint("POST", f"{_PROJECT}/rename", rename_project, changes.RenamedDocument, _CHANGE),
    Endpoint("GET", f"{_PROJECT}/status", show_status, projects.StatusFileDocument),
    Endpoint("PATCH", f"{_PROJECT}/status", set_status, _FILE, _CHANGE),
    Endpoint("PUT", f"{_PROJECT}/status", replace_status, _FILE, _CHANGE),
    Endpoint("GET", f"{_PROJECT}/mission", show_mission, projects.ChecklistFileDocument),
    Endpoint("PUT", f"{_PROJECT}/mission", replace_mission, _FILE, _CHANGE),
    Endpoint("GET", f"{_PROJECT}/roadmap", show_roadmap, projects.ChecklistFileDocument),
    Endpoint("POST", f"{_PROJECT}/roadmap", add_roadmap_items, _FILE, _CHANGE),
    Endpoint("POST", f"{_PROJECT}/roadmap/tick", tick_roadmap_item, _FILE, _CHANGE),
    Endpoint("GET", f"{_PROJECT}/issues", list_issues, projects.IssueListDocument),
    Endpoint("POST", f"{_PROJECT}/issues", add_issue, _FILE, _CHANGE),
    Endpoint("POST", f"{_PROJECT}/issues/resolve", resolve_issue, _FILE, _CHANGE),
    Endpoint("GET", f"{_PROJECT}/fresh", score_project, tree_state.FreshSessionDocument),
    Endpoint("GET", "/api/v1/decisions", list_decisions, atom_documents.DecisionListDocument),
    Endpoint("GET", _DECISION, show_decision, atom_documents.ShownDecisionDocument),
    Endpoint("POST", f"{_DECISION}/accept", accept_decision, _DECIDED, _ATOM),
    Endpoint("POST", f"{_DECISION}/reject", reject_decision, _DECIDED, _ATOM),
    Endpoint("POST", f"{_DECISION}/supersede", supersede_decision, _DECIDED, _ATOM),
    Endpoint("GET", "/api/v1/ideas", list_ideas, atom_documents.IdeaListDocument),
    Endpoint(
        "POST",
        "/api/v1/ideas/{ref:path}/promote",
        promote_idea,
        changes.PromotedIdeaDocument,
        _ATOM,
    ),
    Endpoint("GET", "/api/v1/user", show_user, projects.UserDocument),
    Endpoint("POST", "/api/v1/user/preferences", learn_preference, _FILE, _CHANGE),
    Endpoint("GET", "/api/v1/scans", list_scans, projects.ScanListDocument),
    Endpoint("POST", "/api/v1/scans", create_scan, _FILE, _CHANGE),
)
