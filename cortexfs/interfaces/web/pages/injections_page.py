"""Injections: each text that hooks gave to a session, with its cost and sources."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.list_given_texts import list_given_texts

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest


def show_injections(request: PanelRequest) -> Response:
    """Return the texts of all sessions, or of one."""
    chosen = request.get("session")
    found = list_given_texts(request.session, chosen)
    tokens = sum(each.tokens for each in found.texts)
    return render(request, "injections.html", found=found, chosen=chosen, tokens=tokens)
