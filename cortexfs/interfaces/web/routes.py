"""The routes of the panel; each page is a function that runs in a thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import CapacityLimiter, to_thread
from starlette.routing import Match, Route

from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug
from cortexfs.interfaces.web.live_state import LiveState
from cortexfs.interfaces.web.older_results import OlderResults
from cortexfs.interfaces.web.pages import (
    all_page,
    atom_page,
    chat_page,
    cortex_page,
    decisions_page,
    edit_page,
    entities_page,
    find_page,
    graph_page,
    health_page,
    history_page,
    home_page,
    injections_page,
    memory_page,
    new_page,
    other_pages,
    project_page,
    stories_page,
    story_entities_page,
    story_page,
    story_recall_page,
    tasks_page,
    undo_page,
    wiring_page,
)
from cortexfs.interfaces.web.panel_request import read_panel_request
from cortexfs.interfaces.web.render_page import render
from cortexfs.interfaces.web.result_cache import ResultCache
from cortexfs.interfaces.web.static_files import answer_static
from cortexfs.operations.read_tree_state import TreeState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.requests import Request
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest
    from cortexfs.session.session import Session

    Page = Callable[[PanelRequest], Response]
    Endpoint = Callable[[Request], Awaitable[Response]]

READ_THREADS, CHANGE_THREADS = 4, 4
"""Number of pages and of changes that are made at the same time: a change may wait for a lock."""
PARTIAL_HEADER = "x-partial"
"""The header with which a script of ours asks for a page: it knows the state."""
ALL_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
PAGES: tuple[tuple[str, str, Page], ...] = (
    ("GET", "/", home_page.show_home),
    ("GET", "/all", all_page.show_all),
    ("POST", "/all/change", all_page.change_selected),
    ("GET", "/new", new_page.show_new),
    ("POST", "/new", new_page.create),
    ("POST", "/new/check", new_page.check_typed_atom),
    ("GET", "/find", find_page.show_find),
    ("GET", "/atom/{ref:path}", atom_page.show_atom),
    ("POST", "/atom/{ref:path}", atom_page.change_atom),
    ("GET", "/edit/{ref:path}", edit_page.show_editor),
    ("POST", "/edit/{ref:path}", edit_page.change_text),
    ("POST", "/check/{ref:path}", edit_page.check_typed_text),
    ("GET", "/history/{ref:path}", history_page.show_change),
    ("POST", "/history/{ref:path}", history_page.restore_version),
    ("GET", "/files/{path:path}", other_pages.show_file),
    ("GET", "/projects", project_page.list_projects),
    ("GET", "/projects/{name}", project_page.show_project),
    ("GET", "/projects/{name}/score", project_page.show_score),
    ("GET", "/tasks", tasks_page.show_tasks),
    ("POST", "/tasks/change", tasks_page.change_tasks),
    ("POST", "/tasks/new", tasks_page.create_task),
    ("GET", "/decisions", decisions_page.show_decisions),
    ("GET", "/memory", memory_page.show_memory),
    ("GET", "/memory/score/{ref:path}", memory_page.show_score),
    ("GET", "/graph", graph_page.show_graph),
    ("GET", "/graph/map", graph_page.send_map),
    ("GET", "/graph/picture", graph_page.send_picture),
    ("GET", "/entities", entities_page.show_entities),
    ("GET", "/stories", stories_page.show_stories),
    ("GET", "/stories/entities", story_entities_page.show_entities),
    ("POST", "/stories/entities", story_entities_page.correct),
    ("GET", "/stories/relations", story_entities_page.show_relations),
    ("GET", "/stories/colours", story_entities_page.show_colours),
    ("GET", "/stories/{project}/{name}", story_page.show_story),
    ("POST", "/stories/{project}/{name}", stories_page.rebuild),
    ("GET", "/stories/{project}/{name}/chat", story_page.show_chat),
    ("GET", "/stories/{project}/{name}/chunks", story_page.show_chunks),
    ("GET", "/stories/{project}/{name}/recall", story_recall_page.show_recall),
    ("GET", "/salience/{ref:path}", story_recall_page.show_salience),
    ("GET", "/cortex", cortex_page.show_cortex),
    ("GET", "/cortex/bulletin", cortex_page.show_bulletin),
    ("GET", "/cortex/proposals", cortex_page.show_proposals),
    ("GET", "/cortex/proposals/count", cortex_page.show_proposal_counts),
    ("POST", "/cortex/merge", cortex_page.decide_merge),
    ("POST", "/cortex/preference", cortex_page.decide_preference),
    ("POST", "/cortex/maintenance", cortex_page.run),
    ("GET", "/injections", injections_page.show_injections),
    ("GET", "/wiring", wiring_page.show_wiring),
    ("GET", "/wiring/background/{name}", wiring_page.preview_background),
    ("POST", "/wiring/background/{name}", wiring_page.change_background),
    ("GET", "/wiring/{client}", wiring_page.preview),
    ("POST", "/wiring/{client}", wiring_page.change),
    ("GET", "/chat", chat_page.show_chat),
    ("POST", "/chat", chat_page.send),
    ("POST", "/chat/events", chat_page.send_events),
    ("POST", "/chat/delete", chat_page.delete),
    ("GET", "/findings", health_page.show_health),
    ("POST", "/findings", health_page.fix_findings),
    ("POST", "/findings/renumber", health_page.renumber_atom),
    ("GET", "/findings/doctor", health_page.show_doctor),
    ("GET", "/findings/summary", health_page.show_summary),
    ("GET", "/changes", other_pages.describe_state),
    ("GET", "/changes/events", other_pages.stream_states),
    ("GET", "/help", other_pages.show_help),
    ("POST", "/preferences", other_pages.set_preference),
    ("POST", "/undo", undo_page.undo_change),
)


def make_web_routes(session: Session) -> list[Route]:
    """Return the routes of the panel for a tree."""
    tree = TreeState(session)
    results, live = ResultCache(session, tree), LiveState(session, tree)
    older = OlderResults(results)
    reads, changes = CapacityLimiter(READ_THREADS), CapacityLimiter(CHANGE_THREADS)

    def make_endpoint(page: Page) -> Endpoint:
        async def answer(request: Request) -> Response:
            asked = await read_panel_request(request, session, results, older, live)
            limiter = reads if request.method == "GET" else changes
            return await to_thread.run_sync(_answer, page, asked, limiter=limiter)

        return answer

    return [
        Route("/static/{version}/{name}", answer_static),
        *(Route(path, make_endpoint(page), methods=[method]) for method, path, page in PAGES),
        Route("/{path:path}", _make_fallback(make_endpoint), methods=ALL_METHODS),
    ]


def _make_fallback(make_endpoint: Callable[[Page], Endpoint]) -> Endpoint:
    """Return what answers where no route fits: another method does, or there is no such page."""
    show_missing = make_endpoint(other_pages.show_missing)
    refuse_method = make_endpoint(other_pages.refuse_method)

    async def answer(request: Request) -> Response:
        if not (methods := _list_methods(request)):
            return await show_missing(request)
        refused = await refuse_method(request)
        refused.headers["allow"] = ", ".join(methods)
        return refused

    return answer


def _list_methods(request: Request) -> list[str]:
    """Return the methods that routes have for the path of a request; of the last one, none."""
    *routes, _ = request.app.routes
    fitting = (each for each in routes if each.matches(request.scope)[0] != Match.NONE)
    return sorted({name for each in fitting for name in getattr(each, "methods", None) or ()})


def _answer(page: Page, request: PanelRequest) -> Response:
    """Return a page, or why it was refused or failed: never an empty page in place of an error."""
    try:
        if request.method == "GET" and PARTIAL_HEADER not in request.headers:
            request = request._replace(state=request.live.read_if_possible())
        request = request._replace(has_stories=request.live.has_stories())
        return page(request)
    except Exception as error:  # noqa: BLE001 - the outermost frame of the panel
        failure = describe_failure(error) or report_bug(request.session, error)
        return render(request, "error.html", failure.status, failure=failure)
