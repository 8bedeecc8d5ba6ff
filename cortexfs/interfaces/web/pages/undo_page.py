"""Undo one change, from wherever it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import Usage
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.render_page import redirect_after
from cortexfs.operations.undo import undo

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def undo_change(request: PanelRequest) -> Response:
    """Undo a commit, and return to the page; the undo can be undone in turn."""
    if not (commit := request.field("commit")):
        raise Usage("no change is named", hint="undo it where it is listed")
    result = undo(request.session, commit)
    return redirect_after(choose_local_path(request.field("back")), result.outcome)
