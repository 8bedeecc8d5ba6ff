"""Memory: the observations, sessions and prompts of agents; score and timeline of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND, PROMPT_KIND, SESSION_KIND
from cortexfs.interfaces.web.pages.all_page import browse, make_list_values, parse_browse_request
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.memory.memory_stats import memory_stats
from cortexfs.operations.memory.read_timeline import read_timeline
from cortexfs.operations.memory.score_memory import score_memory

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

TABS = (
    ("Observations", OBSERVATION_KIND),
    ("Sessions", SESSION_KIND),
    ("Prompts", PROMPT_KIND),
)
NEIGHBOURS = 5


def show_memory(request: PanelRequest) -> Response:
    """Return the memories of one kind; they are filtered and sorted like the atoms of All."""
    chosen = request.get("kind", OBSERVATION_KIND)
    kind = chosen if chosen in dict(TABS).values() else OBSERVATION_KIND
    asked = parse_browse_request(request._replace(query={**request.query, "kind": [kind]}))
    return render(
        request,
        "memory.html",
        kind=kind,
        tabs=TABS,
        stats=memory_stats(request.session),
        **make_list_values(asked, browse(request, asked)),
    )


def show_score(request: PanelRequest) -> Response:
    """Return how important a memory is and why, and what its session saved around it."""
    ref = request.parts["ref"]
    return render(
        request,
        "memory_score.html",
        ref=ref,
        score=score_memory(request.session, ref),
        timeline=read_timeline(request.session, ref, NEIGHBOURS, NEIGHBOURS),
    )
