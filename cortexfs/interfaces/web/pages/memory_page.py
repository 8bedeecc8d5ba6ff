"""Memory: the latest sessions, prompts and observations of agents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.memory.read_context import read_context

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

LIMIT = 50


def show_memory(request: PanelRequest) -> Response:
    """Return the latest memories of a project, or of all."""
    found = read_context(request.session, request.get("project"), request.get("scope"), LIMIT)
    return render(request, "memory.html", found=found, chosen=request.get("project"))
