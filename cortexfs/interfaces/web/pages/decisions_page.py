"""Decisions: what was decided, what waits, and what led to what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import DECISION_KIND
from cortexfs.core.atoms.lifecycle import list_next_statuses
from cortexfs.interfaces.web.pages.all_page import browse, make_list_values, parse_browse_request
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.list_decision_links import list_decision_links

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_decisions(request: PanelRequest) -> Response:
    """Return the decisions, each with what it rests on and what replaced it."""
    asked = parse_browse_request(request._replace(query={**request.query, "kind": [DECISION_KIND]}))
    page = browse(request, asked)
    links = list_decision_links(request.session, [row.ref for row in page.rows])
    return render(
        request,
        "decisions.html",
        links=links,
        verdicts={row.ref: list_next_statuses(row.status, is_decision=True) for row in page.rows},
        **make_list_values(asked, page),
    )
