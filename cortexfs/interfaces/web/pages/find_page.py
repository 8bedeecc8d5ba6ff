"""Find: search as you type, with facets, marked snippets, and why each result ranks there."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.browse_atoms import read_origins
from cortexfs.operations.find import find
from cortexfs.operations.shared.filters import parse_filters

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

LIMIT = 30
"""Number of results."""
FACETS = ("kind", "project", "status")


def show_find(request: PanelRequest) -> Response:
    """Return the results of a query, or only the field for it."""
    typed = request.get("q").strip()
    found = None
    if typed:
        only = parse_filters(
            request.session,
            kinds=request.list_values("kind"),
            projects=request.list_values("project"),
            statuses=request.list_values("status"),
        )
        found = find(request.session, typed, only, LIMIT, require_known=False)
    facets = {
        name: Counter(getattr(hit.match.atom, name) for hit in found.hits).most_common()
        for name in FACETS
        if found
    }
    paths = [hit.match.atom.path for hit in found.hits] if found else []
    active = [name for name in FACETS if request.list_values(name)]
    return render(
        request,
        "find.html",
        typed=typed,
        found=found,
        origins=read_origins(request.session, paths) if paths else {},
        facets=facets,
        active=active,
        limit=LIMIT,
    )
