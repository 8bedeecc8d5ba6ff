"""Routes for projects and their governance files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from cortexfs.interfaces.json.documents import changes, projects, tree_state
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint

if TYPE_CHECKING:
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
    _, outcome = new_project(call.session, name, body["goal"], mode=call.mode)
    return make_result(outcome, {"created": {"project": name, "path": f"projects/{name}"}})


def show_project(call: Call, project: given.ProjectName) -> Answer:
    """Show the statistics of a project, and its STATUS.md."""
    from cortexfs.interfaces.json.projects import to_project_json
    from cortexfs.operations.project import show_project as read_project

    found, status = read_project(call.session, project)
    return make_document(project=to_project_json(found), content=status)


def archive_project(call: Call, project: given.ProjectName, body: bodies.ReasonBody) -> Answer:
    """Mark a project as archived; its files stay."""
    from cortexfs.operations.project import archive_project as archive

    return make_changed(archive(call.session, project, body.get("reason", ""), mode=call.mode))


def rename_project(call: Call, project: given.ProjectName, body: bodies.RenameBody) -> Answer:
    """Rename a project, and update every reference to it."""
    from cortexfs.interfaces.json.projects import to_renamed_json
    from cortexfs.operations.rename_project import rename_project as rename

    done = rename(call.session, project, body["to"], mode=call.mode)
    return make_result(done.outcome, to_renamed_json(done))


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
    return make_changed(
        change_status(call.session, _require(call, project), update, mode=call.mode)
    )


def replace_status(call: Call, project: given.ProjectName, body: bodies.FileTextBody) -> Answer:
    """Replace STATUS.md."""
    from cortexfs.operations.status_md import edit_status

    name = _require(call, project)
    return make_changed(edit_status(call.session, name, body["text"], mode=call.mode))


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
    return make_changed(
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
    return make_changed(
        add(call.session, name, body["phase"], milestone, body["items"], mode=call.mode)
    )


def tick_roadmap_item(call: Call, project: given.ProjectName, body: bodies.ItemBody) -> Answer:
    """Mark an item of roadmap.md as done."""
    from cortexfs.operations.roadmap import tick_roadmap_item as tick

    name = _require(call, project)
    return make_changed(tick(call.session, name, body["item"], mode=call.mode))


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
    return make_changed(add(call.session, name, body["text"], bullets, mode=call.mode))


def resolve_issue(call: Call, project: given.ProjectName, body: bodies.ItemBody) -> Answer:
    """Delete a resolved issue; it stays in the git history."""
    from cortexfs.operations.issue import resolve_issue as resolve

    name = _require(call, project)
    return make_changed(resolve(call.session, name, body["item"], mode=call.mode))


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


def _to_tuple(texts: list[str] | None) -> tuple[str, ...] | None:
    return None if texts is None else tuple(texts)


def _require(call: Call, name: str) -> str:
    from cortexfs.operations.shared.resolve_names import require_project

    return require_project(call.session, name)


def make_changed(done: GovernanceChangeResult) -> Answer:
    """Return what changed in a governance file."""
    from cortexfs.interfaces.json.projects import to_governance_change_json

    document = to_governance_change_json(done)
    return make_result(done.outcome, document, changed=done.changed)


_CHANGE = Effect.CHANGE
_PROJECT, _FILE = "/api/v1/projects/{project}", projects.GovernanceChangeDocument
ENDPOINTS = (
    Endpoint(
        "GET", "/api/v1/projects", list_projects, projects.ProjectListDocument, Effect.READ_ALL
    ),
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
)
