"""Edit an atom as text: live findings, a preview of the plan, and both texts of a conflict."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from cortexfs.core.atoms.edit_atom import AtomEdit
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.text.line_ends import keep_line_ends
from cortexfs.errors import AtomChanged, CortexError
from cortexfs.interfaces.http.describe_failure import describe_failure
from cortexfs.interfaces.web.render_page import atom_path, redirect_after, render
from cortexfs.operations.check_text import check_text
from cortexfs.operations.edit import edit, read_atom_source

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.http.describe_failure import Failure
    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_editor(request: PanelRequest) -> Response:
    """Return the form with the text of an atom."""
    ref, source = read_atom_source(request.session, request.parts["ref"], "/")
    flaws = check_text(request.session, source.path, source.text)
    return _render_editor(request, ref, source.text, source.text, flaws=flaws)


def change_text(request: PanelRequest) -> Response:
    """Save the typed text, or show what saving it would change."""
    ref, source = read_atom_source(request.session, request.parts["ref"], "/")
    typed, seen = read_text(request, "text"), read_text(request, "before")
    text = keep_line_ends(source.text, typed)
    is_preview = request.field("step") == "preview"
    mode = ExecutionMode.DRY_RUN if is_preview else ExecutionMode.COMMIT
    flaws = check_text(request.session, source.path, text)
    try:
        if seen != _to_line_feeds(source.text):
            raise AtomChanged(source.path)  # noqa: TRY301 - as the operation does for a later change
        changes = AtomEdit(text=text, expected_text=source.text, is_whole_file=True)
        result = edit(request.session, ref, "/", changes, mode=mode)
    except AtomChanged as error:
        return render(
            request,
            "conflict.html",
            HTTPStatus.CONFLICT,
            ref=ref,
            error=error,
            theirs=source.text,
            typed=typed,
            seen=seen,
        )
    except (CortexError, OSError) as error:
        failure = describe_failure(error)
        return _render_editor(request, ref, typed, seen, flaws=flaws, failure=failure)
    if is_preview:
        return _render_editor(request, ref, typed, seen, flaws=flaws, plan=result.plan)
    return redirect_after(atom_path(ref), result.outcome if result.changed else None)


def check_typed_text(request: PanelRequest) -> Response:
    """Return the findings about a typed text, as a part of the editor."""
    _, source = read_atom_source(request.session, request.parts["ref"], "/")
    text = keep_line_ends(source.text, read_text(request, "text"))
    flaws = check_text(request.session, source.path, text)
    return render(request, "flaws.html", flaws=flaws)


def _render_editor(
    request: PanelRequest,
    ref: str,
    text: str,
    before: str,
    *,
    failure: Failure | None = None,
    **values: object,
) -> Response:
    """Return the form; a text that was not saved stays in it."""
    shown = {"flaws": (), "plan": None, "failure": failure, **values}
    code = failure.status if failure else HTTPStatus.OK
    return render(request, "edit.html", code, ref=ref, text=text, before=before, **shown)


def read_text(request: PanelRequest, key: str) -> str:
    """Return a text of the form: browsers send every line end as CR LF."""
    return _to_line_feeds(request.field(key))


def _to_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
