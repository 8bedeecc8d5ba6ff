"""Decisions: what was decided, what waits, and what led to the chosen one and followed from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.atoms.lifecycle import list_next_statuses
from cortexfs.interfaces.web.pages.all_page import browse, make_list_values, parse_browse_request
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.read_decision_chain import read_decision_chain

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_decisions(request: PanelRequest) -> Response:
    """Return the decisions, and of the chosen or first one what it rests on and leads to."""
    asked = parse_browse_request(request._replace(query={**request.query, "kind": [DECISION_KIND]}))
    page = browse(request, asked)
    wanted = request.get("chosen")
    chosen = next((row for row in page.rows if row.ref == wanted), None)
    chosen = chosen or next(iter(page.rows), None)
    return render(
        request,
        "decisions.html",
        chosen=chosen,
        chain=read_decision_chain(request.session, chosen.ref) if chosen else None,
        verdicts=list_next_statuses(chosen.status, is_decision=True) if chosen else (),
        **make_list_values(asked, page),
    )
