"""Injections: each text that hooks and tools gave to an agent, with its cost and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.list_given_texts import (
    FACETS,
    PAGE_SIZE,
    SORTS,
    GivenRequest,
    read_given_texts,
    select_given_texts,
)
from cortexfs.operations.read_tree_state import read_activity_state

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_injections(request: PanelRequest) -> Response:
    """Return the texts that match."""
    session = request.session
    key = ("given", read_activity_state(session).given)
    known = request.results.get(key, lambda: read_given_texts(session))
    sort = request.get("sort", SORTS[0])
    wanted = {name: request.get(name) for name in FACETS}
    asked = GivenRequest(
        **wanted, text=request.get("q").strip(), sort=sort, page=max(1, request.number("page"))
    )
    found = select_given_texts(known, asked)
    last_page = max(1, -(-found.total // PAGE_SIZE))
    return render(
        request,
        "injections.html",
        found=found,
        asked=asked,
        sorts=SORTS,
        last_page=last_page,
        is_filtered=any((*wanted.values(), asked.text)),
    )
