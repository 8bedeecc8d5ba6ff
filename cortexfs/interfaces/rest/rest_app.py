"""The application of the REST interface, and its OpenAPI document."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING

from anyio import CapacityLimiter
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Match, Route

from cortexfs.interfaces.http.describe_failure import (
    TOO_MANY_STREAMS,
    describe_failure,
    describe_invalid_request,
    describe_refused_request,
    report_bug,
)
from cortexfs.interfaces.rest.change_feed import ChangeFeed
from cortexfs.interfaces.rest.endpoint_table import ENDPOINTS
from cortexfs.interfaces.rest.handle_request import (
    ServerState,
    encode,
    make_failure_response,
    make_handler,
)
from cortexfs.interfaces.rest.openapi import (
    EVENTS_PATH,
    METRICS_PATH,
    OPENAPI_PATH,
    make_openapi,
)
from cortexfs.interfaces.rest.server_metrics import ServerMetrics
from cortexfs.interfaces.rest.shared_answers import SharedAnswers
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from fastapi import Request

READ_THREADS, CHANGE_THREADS = 3, 2
"""Number of reads and of changes that run at the same time: a change may wait for a lock."""
MAX_STREAMS = 50
"""Maximum number of open streams of events."""


def make_rest_app(session: Session) -> FastAPI:
    """Return the application with all routes of the table."""
    state, feed = _make_state(session), ChangeFeed(session)
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    _add_own_routes(app, state, feed)
    _add_routes(app, state)
    rows = {(row.path, row.method): row for row in ENDPOINTS}

    async def answer_invalid(request: Request, error: Exception) -> Response:
        route = request.scope.get("route")
        row = rows.get((getattr(route, "path", ""), request.method))
        details = error.errors() if isinstance(error, RequestValidationError) else []
        return make_failure_response(row, describe_invalid_request(details))

    app.add_exception_handler(RequestValidationError, answer_invalid)
    app.add_exception_handler(HTTPException, _answer_refused)
    app.add_middleware(state.metrics.count_statuses)
    return app


def make_openapi_document() -> dict[str, object]:
    """Return the OpenAPI document without a server, and without a tree."""
    unused = Session.open_unchecked(os.sep, lambda: datetime.now(UTC))
    app = FastAPI()
    _add_routes(app, _make_state(unused))
    return make_openapi(app, ENDPOINTS)


def _make_state(session: Session) -> ServerState:
    return ServerState(session, ServerMetrics(), SharedAnswers(session))


def _add_own_routes(app: FastAPI, state: ServerState, feed: ChangeFeed) -> None:
    """Add the routes that answer with something else than a document."""

    def show_metrics(_: Request) -> Response:
        try:
            return PlainTextResponse(state.metrics.render(state.session, feed.stream_count))
        except Exception as error:  # noqa: BLE001 - the outermost frame of the route
            failure = describe_failure(error) or report_bug(state.session, error)
            return make_failure_response(None, failure)

    async def stream_changes(request: Request) -> Response:
        if feed.stream_count >= MAX_STREAMS:
            return make_failure_response(None, TOO_MANY_STREAMS)
        events = feed.stream(request.headers.get("last-event-id", ""))
        return StreamingResponse(events, media_type="text/event-stream")

    app.add_route(METRICS_PATH, show_metrics)
    app.add_route(EVENTS_PATH, stream_changes)
    describe = cache(lambda: encode(make_openapi(app, ENDPOINTS)))
    app.add_route(OPENAPI_PATH, lambda _: Response(describe(), media_type="application/json"))


def _add_routes(app: FastAPI, state: ServerState) -> None:
    """Add the routes of the table."""
    reads, changes = CapacityLimiter(READ_THREADS), CapacityLimiter(CHANGE_THREADS)
    for row in ENDPOINTS:
        limiter = reads if row.method == "GET" else changes
        app.add_api_route(
            row.path,
            make_handler(row, state, limiter),
            methods=[row.method],
            status_code=row.status,
            response_model=None,
        )


async def _answer_refused(request: Request, error: Exception) -> Response:
    failure = describe_refused_request(getattr(error, "status_code", HTTPStatus.NOT_FOUND))
    is_original = not request.scope["path"].startswith("/api/v1/")
    answer = make_failure_response(ENDPOINTS[0] if is_original else None, failure)
    if failure.status == HTTPStatus.METHOD_NOT_ALLOWED:
        answer.headers["allow"] = ", ".join(_list_methods(request))
    return answer


def _list_methods(request: Request) -> list[str]:
    """Return the methods of the path of a request; `/atoms/{ref}/mark` is more than a ref."""
    routes = [each for each in request.app.routes if isinstance(each, Route)]
    fitting = [each for each in routes if each.matches(request.scope)[0] != Match.NONE]
    longest = max((each.path for each in fitting), key=len, default="")
    return sorted({name for each in fitting if each.path == longest for name in each.methods or ()})
