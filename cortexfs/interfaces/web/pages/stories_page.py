"""Stories: the list of the stories of all projects, with the button that rebuilds one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.stories.browse_stories import (
    STORIES_PER_PAGE,
    STORY_SORTS,
    StoryFilter,
    list_all_stories,
    select_stories,
)
from cortexfs.operations.stories.rebuild_story import rebuild_story

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.core.changes.plan import Plan
    from cortexfs.interfaces.web.make_change import MadeChange
    from cortexfs.interfaces.web.panel_request import PanelRequest

DEFAULT_SORT = "last"
MAX_SHOWN_WRITES = 20
"""Maximum number of files of a plan that are shown with their differences."""


class ListOrder(NamedTuple):
    """The order of a list, as the heads of its columns need it."""

    sort: str
    descending: bool


def read_order(request: PanelRequest, sorts: dict[str, bool], default: str) -> ListOrder:
    """Return the order that an address asks for; the default for an unknown one."""
    sort, order = request.get("sort", default), request.get("order")
    sort = sort if sort in sorts else default
    return ListOrder(sort, order == "down" if order in {"up", "down"} else sorts[sort])


def show_stories(request: PanelRequest) -> Response:
    """Return the stories that match."""
    every = request.results.get(
        "stories", lambda: list_all_stories(request.session), of_files_alone=True
    )
    asked = read_order(request, STORY_SORTS, DEFAULT_SORT)
    page = max(1, request.number("page"))
    wanted = StoryFilter(
        request.get("q").strip(), request.get("project"), request.get("state"), *asked, page
    )
    found = select_stories(every, wanted)
    return render(
        request,
        "stories.html",
        found=found,
        total=len(every),
        asked=asked,
        page=page,
        last_page=max(1, -(-found.total // STORIES_PER_PAGE)),
    )


def rebuild(request: PanelRequest) -> Response:
    """Rebuild a story, or show what that would change."""
    project, name = request.parts["project"], request.parts["name"]
    made = make_change(
        request, lambda session, mode: rebuild_story(session, project, name, mode=mode)
    )
    back = choose_local_path(request.field("back"), "/stories")
    if made.is_preview:
        return show_story_plan(request, made, made.result.plan, f"Rebuild {name}", back)
    return redirect_after(back, made.result.outcome)


def show_story_plan(
    request: PanelRequest, made: MadeChange[object], plan: Plan, title: str, back: str
) -> Response:
    """Return a plan with the form that makes the change."""
    kept = {
        name: value
        for name, values in request.form.items()
        if name not in {"csrf", "back", "step", "digest"}
        for value in values[-1:]
    }
    return render(
        request,
        "story_plan.html",
        made.status,
        made=made,
        plan=plan._replace(writes=plan.writes[:MAX_SHOWN_WRITES]),
        omitted=len(plan.writes[MAX_SHOWN_WRITES:]),
        fields=kept,
        title=title,
        back=back,
    )
