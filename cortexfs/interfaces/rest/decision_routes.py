"""Routes for decisions, ideas, the preferences of the user, and scan reports."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import Query

from cortexfs.interfaces.json.documents import atoms as atom_documents
from cortexfs.interfaces.json.documents import changes, projects
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint
from cortexfs.interfaces.rest.project_routes import make_changed

if TYPE_CHECKING:
    from cortexfs.operations.decision import SettledDecision


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
    return make_result(done.outcome, document, changed=bool(done.file_changes))


def list_ideas(call: Call, filters: given.Filters) -> Answer:
    """List the ideas by id."""
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.idea import list_ideas as read_ideas

    found = read_ideas(call.session, filters.parse(call.session))
    return make_document(ideas=list(map(to_atom_json, found)))


def show_idea(call: Call, ref: given.Ref) -> Answer:
    """Show an idea with its backlinks and history."""
    from cortexfs.interfaces.json.atoms import to_shown_atom_json
    from cortexfs.operations.idea import show_idea as read_idea

    return make_document(**to_shown_atom_json(read_idea(call.session, ref, NOWHERE)))


def promote_idea(call: Call, ref: given.Ref, body: bodies.PromoteBody) -> Answer:
    """Create a project from an idea, and link the two."""
    from cortexfs.operations.idea import promote_idea as promote

    goal = body.get("goal", "")
    done = promote(call.session, ref, body["project"], goal, NOWHERE, mode=call.mode)
    created = {"project": done.project, "path": f"projects/{done.project}"}
    document = {"promoted": {"ref": done.ref, "path": done.path}, "created": created}
    return make_result(done.outcome, document)


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
    return make_changed(learn(call.session, body["key"], body["value"], section, mode=call.mode))


def list_scans(call: Call) -> Answer:
    """List the scan reports, newest first."""
    from cortexfs.interfaces.json.projects import to_scan_report_json
    from cortexfs.operations.scan_reports import list_scans as read_scans

    return make_document(scans=list(map(to_scan_report_json, read_scans(call.session))))


def create_scan(call: Call, body: bodies.ScanBody) -> Answer:
    """Write the scan report of today, or append to it."""
    from cortexfs.operations.scan_reports import new_scan

    return make_changed(new_scan(call.session, body.get("scope", ""), body["text"], mode=call.mode))


_ATOM, _CHANGE = Effect.CHANGE_ATOM, Effect.CHANGE
_DECISION, _DECIDED = "/api/v1/decisions/{ref:path}", changes.DecidedDocument
_FILE = projects.GovernanceChangeDocument
ENDPOINTS = (
    Endpoint(
        "GET",
        "/api/v1/decisions",
        list_decisions,
        atom_documents.DecisionListDocument,
        Effect.READ_ALL,
    ),
    Endpoint("GET", _DECISION, show_decision, atom_documents.ShownDecisionDocument),
    Endpoint("POST", f"{_DECISION}/accept", accept_decision, _DECIDED, _ATOM),
    Endpoint("POST", f"{_DECISION}/reject", reject_decision, _DECIDED, _ATOM),
    Endpoint("POST", f"{_DECISION}/supersede", supersede_decision, _DECIDED, _ATOM),
    Endpoint("GET", "/api/v1/ideas", list_ideas, atom_documents.IdeaListDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/ideas/{ref:path}", show_idea, atom_documents.ShownAtomDocument),
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
