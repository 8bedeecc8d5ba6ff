"""Files that are not atoms, help, preferences, the state of the tree, and pages that are none."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import JSONResponse, StreamingResponse

from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.interfaces.http.describe_failure import describe_refused_request
from cortexfs.interfaces.web.live_state import MAX_STREAMS
from cortexfs.interfaces.web.panel_request import (
    KEYS_COOKIE,
    THEME_COOKIE,
    THEMES,
    choose_local_path,
)
from cortexfs.interfaces.web.render_markdown import render_markdown
from cortexfs.interfaces.web.render_page import atom_path, redirect, render
from cortexfs.operations.read_page import read_page

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

COOKIE_S = 365 * 24 * 3600


def show_file(request: PanelRequest) -> Response:
    """Return a governance file or another page of the tree; an atom has its own page."""
    found = read_page(request.session, request.parts["path"])
    if found.ref:
        return redirect(atom_path(found.ref))
    html = None
    if found.path.endswith(".md"):
        body = split_front_and_body(found.text)[1]
        html = render_markdown(body, found.path, frozenset(found.refs))
    return render(request, "file.html", found=found, html=html)


def describe_state(request: PanelRequest) -> Response:
    """Return a text that changes with all that pages show."""
    return JSONResponse({"state": request.live.read()})


def stream_states(request: PanelRequest) -> Response:
    """Return server-sent events about other states than the one that the page shows."""
    if request.live.stream_count >= MAX_STREAMS:
        return JSONResponse({"error": "too many streams"}, HTTPStatus.SERVICE_UNAVAILABLE)
    shown = request.headers.get("last-event-id") or request.get("state")
    return StreamingResponse(request.live.stream(shown), media_type="text/event-stream")


def show_help(request: PanelRequest) -> Response:
    """Return the keys, and what the pages are for."""
    return render(request, "help.html")


def set_preference(request: PanelRequest) -> Response:
    """Choose the theme, or switch the shortcuts."""
    answer = redirect(choose_local_path(request.field("back")))
    theme, keys = request.field("theme"), request.field("keys")
    if theme in THEMES:
        answer.set_cookie(THEME_COOKIE, theme, COOKIE_S, httponly=True, samesite="strict")
    if keys in {"on", "off"}:
        answer.set_cookie(KEYS_COOKIE, keys, COOKIE_S, httponly=True, samesite="strict")
    return answer


def show_missing(request: PanelRequest) -> Response:
    """Return that there is no such page."""
    return render(request, "error.html", HTTPStatus.NOT_FOUND, failure=None)


def refuse_method(request: PanelRequest) -> Response:
    """Return that there is such a page, and not with this method."""
    failure = describe_refused_request(HTTPStatus.METHOD_NOT_ALLOWED)
    return render(request, "error.html", failure.status, failure=failure)
