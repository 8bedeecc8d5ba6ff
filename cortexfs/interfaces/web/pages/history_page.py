"""One change of an atom as a diff, with the way back to the text before or after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.web.render_page import atom_path, redirect_after, render
from cortexfs.operations.read_atom_change import read_atom_change
from cortexfs.operations.restore import restore

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_change(request: PanelRequest) -> Response:
    """Return what a commit changed in an atom."""
    found = read_atom_change(request.session, request.parts["ref"], request.get("commit"))
    return render(request, "history.html", found=found)


def restore_version(request: PanelRequest) -> Response:
    """Restore the text of an atom as a commit left it."""
    ref, commit = request.parts["ref"], request.field("commit")
    result = restore(request.session, ref, at=commit, cwd="/", mode=ExecutionMode.COMMIT)
    return redirect_after(atom_path(result.ref), result.outcome if result.plan.writes else None)
