"""New: a form for an atom of any kind that a person creates; findings live, preview of the plan."""

from __future__ import annotations

from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.create_atom import AtomDraft, MissingFields, list_asked_fields
from cortexfs.core.atoms.evidence_refs import split_ref_items
from cortexfs.errors import CortexError
from cortexfs.interfaces.http.describe_failure import describe_failure
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.pages.edit_page import read_text
from cortexfs.interfaces.web.render_page import atom_path, redirect_after, render
from cortexfs.operations.check_new_atom import check_new_atom
from cortexfs.operations.new_atom import REF_FIELDS, check_draft, new_atom, render_starting_text
from cortexfs.operations.shared.resolve_names import require_kind, resolve_atom_project

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.interfaces.http.describe_failure import Failure
    from cortexfs.interfaces.web.panel_request import PanelRequest

LABELS = {
    "evidence": "Evidence: refs, an address, or a citation in words",
    "source-experiments": "Source experiments: refs, with commas",
    "links": "Links: refs, with commas",
}
NOWHERE = "/"
"""The working directory of a browser: it belongs to no project."""


class Place(NamedTuple):
    """What is created, and where: an empty project is the root of the tree."""

    kind: Kind
    project: str


def show_new(request: PanelRequest) -> Response:
    """Return the form for a kind, or only the choice of one."""
    if not request.get("kind"):
        return _render_choice(request)
    try:
        place = _find_place(request, request.get("kind"), request.get("project"))
        draft = _make_draft(request, place)
        with suppress(MissingFields):
            check_draft(request.session, draft)
    except CortexError as error:
        return _render_choice(request, describe_failure(error))
    return _render_form(request, draft)


def create(request: PanelRequest) -> Response:
    """Create the atom, or show what that would change; what was typed stays if it is refused."""
    draft = _read_draft(request)
    try:
        made = make_change(request, lambda session, mode: new_atom(session, draft, mode=mode))
    except (CortexError, OSError) as error:
        return _render_form(request, draft, failure=describe_failure(error))
    if made.is_preview:
        return _render_form(request, draft, made.status, made=made)
    return redirect_after(atom_path(made.result.ref), made.result.outcome)


def check_typed_atom(request: PanelRequest) -> Response:
    """Return the findings about what is typed, as a part of the form."""
    try:
        flaws = check_new_atom(request.session, _read_draft(request))
    except CortexError as error:
        return render(request, "new_missing.html", missing=describe_failure(error))
    return render(request, "flaws.html", flaws=flaws)


def _find_place(request: PanelRequest, kind_name: str, project: str) -> Place:
    kind = require_kind(request.session, kind_name)
    return Place(kind, resolve_atom_project(request.session, kind, project or None, NOWHERE))


def _read_draft(request: PanelRequest) -> AtomDraft:
    """Return the draft in a form; raises as `_find_place` does."""
    place = _find_place(request, request.field("kind"), request.field("project"))
    return _make_draft(request, place, read_text(request, "text"))


def _make_draft(request: PanelRequest, place: Place, body: str | None = None) -> AtomDraft:
    typed = {key: request.field(f"field-{key}") for key in _list_fields(place.kind)}
    return AtomDraft(
        kind=place.kind,
        project=place.project,
        summary=request.field("summary"),
        tags=tuple(split_ref_items("tags", [request.field("tags")])),
        fields={
            key: split_ref_items(key, [value]) if key in REF_FIELDS else value.strip()
            for key, value in typed.items()
            if value.strip()
        },
        body=body,
        has_placeholders=True,
    )


def _list_fields(kind: Kind) -> tuple[str, ...]:
    """Return the fields of the form beside summary and tags."""
    return tuple(dict.fromkeys((*list_asked_fields(kind), "links")))


def _render_choice(request: PanelRequest, failure: Failure | None = None) -> Response:
    """Return the choice of a kind and a project."""
    kinds = [kind for kind in request.session.kinds if not kind.is_memory]
    projects = request.session.tree.list_projects()
    code = failure.status if failure else HTTPStatus.OK
    return render(request, "new_choice.html", code, kinds=kinds, projects=projects, failure=failure)


def _render_form(
    request: PanelRequest, draft: AtomDraft, code: int = HTTPStatus.OK, **values: object
) -> Response:
    shown = {"failure": None, "made": None, **values}
    failure = shown["failure"]
    template = render_starting_text(request.session, draft)
    names = ("summary", "tags", *(f"field-{key}" for key in _list_fields(draft.kind)))
    return render(
        request,
        "new.html",
        getattr(failure, "status", code),
        draft=draft,
        typed={name: request.field(name) for name in names},
        fields=[(key, LABELS.get(key, key)) for key in _list_fields(draft.kind)],
        required=frozenset(list_asked_fields(draft.kind)),
        template=template,
        text=template if draft.body is None else draft.body,
        **shown,
    )
