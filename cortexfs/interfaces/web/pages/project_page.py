"""Projects: the list, and one with status, mission, roadmap, atoms and its fresh-session score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.fresh_session.walk import ReadBudget
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.interfaces.web.pages.all_page import browse, make_list_values, parse_browse_request
from cortexfs.interfaces.web.render_markdown import render_markdown
from cortexfs.interfaces.web.render_page import render
from cortexfs.operations.browse_atoms import read_origins
from cortexfs.operations.describe_project import describe_project, list_described_projects
from cortexfs.operations.score_fresh_session import score_fresh_session
from cortexfs.operations.summarize_open_work import summarize_open_work

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

SORTS = ("name", "atoms", "updated")
PARTS = ("phase", "progress", "blockers", "next")


def list_projects(request: PanelRequest) -> Response:
    """Return all projects."""
    every = list_described_projects(request.session)
    text = request.get("q").strip().casefold()
    shown = [each for each in every if text in f"{each.name} {each.phase}".casefold()]
    sort = request.get("sort", SORTS[0])
    if sort in SORTS[1:]:
        shown.sort(key=lambda each: getattr(each, sort), reverse=True)
    return render(request, "projects.html", projects=shown, total=len(every), sorts=SORTS)


def show_project(request: PanelRequest) -> Response:
    """Return one project; its atoms are filtered and sorted like those of All."""
    name = request.parts["name"]
    found = describe_project(request.session, name)
    own = request._replace(query={**request.query, "project": [name]})
    asked = parse_browse_request(own)
    folder = f"projects/{name}"
    work = summarize_open_work(request.session, asked.only._replace(kinds=(), statuses=()))
    return render(
        request,
        "project.html",
        found=found,
        **make_list_values(asked, browse(request, asked)),
        status=[
            (part, render_markdown(found.status[part], f"{folder}/STATUS.md", frozenset()))
            for part in PARTS
            if part in found.status
        ],
        mission=render_markdown(
            split_front_and_body(found.mission)[1], f"{folder}/mission.md", frozenset()
        ),
        work=work,
        origins=read_origins(request.session, [row.path for row in work.decisions]),
    )


def show_score(request: PanelRequest) -> Response:
    """Return the fresh-session score of a project, and what would raise it."""
    name = request.parts["name"]
    describe_project(request.session, name)
    (score,) = request.results.get(
        ("score", name), lambda: score_fresh_session(request.session, [name], ReadBudget())
    )
    return render(request, "score.html", score=score)
