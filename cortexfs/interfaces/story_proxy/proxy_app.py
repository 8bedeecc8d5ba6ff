"""The application of the proxy: who asks, what is sent to the server, and what is recorded."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio
from anyio import CapacityLimiter, to_thread
from starlette.responses import JSONResponse, Response

from cortexfs.core.stories.chat_api.chat_request import read_chat_request
from cortexfs.core.stories.chat_api.place_memories import apply_changes, remove_story_of_model
from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug
from cortexfs.interfaces.http.protect import protect
from cortexfs.interfaces.http.refusal import Refusal
from cortexfs.interfaces.http.request_head import read_head
from cortexfs.interfaces.story_proxy.chat_route import ChatRoute, read_route
from cortexfs.interfaces.story_proxy.exchange_recorder import Exchange
from cortexfs.interfaces.story_proxy.proxy_access import make_error_response
from cortexfs.interfaces.story_proxy.relay_answer import RelayedAnswer, relay_answer
from cortexfs.interfaces.story_proxy.relayed_headers import make_page_headers, make_request_headers
from cortexfs.interfaces.story_proxy.upstream_connection import UpstreamFailed, UpstreamRequest
from cortexfs.operations.stories.find_story_of_chat import ChatPlace
from cortexfs.operations.stories.prepare_chat import PreparedChat, prepare_chat
from cortexfs.operations.stories.warm_up_story import warm_up_newest_story, warm_up_story

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.types import ASGIApp, Receive, Scope, Send

    from cortexfs.core.stories.chat_api.chat_request import ChatRequest
    from cortexfs.interfaces.http.request_head import RequestHead
    from cortexfs.interfaces.story_proxy.exchange_recorder import ExchangeRecorder
    from cortexfs.interfaces.story_proxy.proxy_access import ProxyAccess
    from cortexfs.interfaces.story_proxy.proxy_settings import ProxySettings
    from cortexfs.interfaces.story_proxy.upstream_connection import UpstreamConnection
    from cortexfs.interfaces.story_proxy.upstream_pool import UpstreamPool
    from cortexfs.session.session import Session

    Report = Callable[[str], object]

PREPARING_THREADS = 4
"""Number of requests that are prepared at the same time."""
PREPARING_S = 2.0
"""Seconds after which a request goes on without memories."""


class StoryProxy:
    """The proxy in front of one server, for the stories of one project."""

    def __init__(
        self,
        session: Session,
        settings: ProxySettings,
        access: ProxyAccess,
        pool: UpstreamPool,
        recorder: ExchangeRecorder,
        report: Report,
    ) -> None:
        self._session, self._settings, self._access = session, settings, access
        self._pool, self._recorder, self._report = pool, recorder, report
        self._limiter = CapacityLimiter(PREPARING_THREADS)
        self._free = threading.Semaphore(PREPARING_THREADS)
        self._warming: asyncio.Task[None] | None = None

    def make_app(self) -> ASGIApp:
        """Return the application behind its checks."""
        return protect(self, self._access.server, self._access.make_rules())

    async def warm_up(self) -> None:
        """Read what the first chat would wait for; later, what the next one of a story would."""
        loop = asyncio.get_running_loop()

        def warm_up_again(project: str, story: str) -> None:
            with suppress(RuntimeError):  # the server ends
                loop.call_soon_threadsafe(self._start_to_warm_up, project, story)

        self._recorder.on_recorded = warm_up_again
        await self._warm_up(self._settings.project, self._settings.story)

    def _start_to_warm_up(self, project: str, story: str) -> None:
        if self._warming is None or self._warming.done():
            self._warming = asyncio.create_task(self._warm_up(project, story))

    async def _warm_up(self, project: str, story: str) -> None:
        """Do it in the thread that will prepare a request: each has caches of its own."""
        await to_thread.run_sync(self._warm_up_in_thread, project, story, limiter=self._limiter)

    def _warm_up_in_thread(self, project: str, story: str) -> None:
        try:
            if story:
                warm_up_story(self._session, project, story)
            else:
                warm_up_newest_story(self._session, project)
        except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
            if describe_failure(error) is None:  # else the next chat says what is wrong
                report_bug(self._session, error)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        head = read_head(scope)
        origin = head.get("origin")
        if head.path == "/health":
            await JSONResponse({"status": "ok"})(scope, receive, send)
            return
        if head.method == "OPTIONS" and origin:
            await _answer_question_of_page(head, origin)(scope, receive, send)
            return
        route = read_route(head, scope.get("raw_path", b"").decode("latin-1"))
        if isinstance(route, Refusal):
            await make_error_response(head, route)(scope, receive, send)
            return
        body = (await receive()).get("body", b"")
        try:
            await self._answer(scope, route, body, (receive, send))
        except UpstreamFailed as error:
            failed = Refusal(502, str(error), error.hint, "upstream-failed")
            await make_error_response(head, failed)(scope, receive, send)

    async def _answer(
        self, scope: Scope, route: ChatRoute, body: bytes, client: tuple[Receive, Send]
    ) -> None:
        """Pass a request on, and its answer; what was said is recorded later."""
        request = read_chat_request(body) if route.is_chat and scope["method"] == "POST" else None
        connecting = asyncio.create_task(self._pool.acquire())
        try:
            sent = await self._prepare(route, request) if request else PreparedChat(body)
            connection = await connecting
        except BaseException:
            await _give_up(connecting)
            raise
        is_recorded = request is not None and route.is_recorded and not request.is_task
        answer = RelayedAnswer(is_recorded)
        try:
            await relay_answer(
                self._pool,
                connection,
                self._make_request(scope, route, sent.body, is_read=request is not None),
                client,
                answer,
                read_head(scope).get("origin"),
            )
        finally:
            if request and answer.is_success:
                self._record(route, request, answer, sent.recalled)

    async def _prepare(self, route: ChatRoute, request: ChatRequest) -> PreparedChat:
        """Return what is sent; without memories if they cannot be found in time."""
        plain = PreparedChat(apply_changes(request, remove_story_of_model(request)))
        if request.is_task:
            return plain
        with anyio.move_on_after(PREPARING_S):
            return (
                await to_thread.run_sync(
                    self._prepare_in_thread,
                    self._place(route, request),
                    request,
                    limiter=self._limiter,
                    abandon_on_cancel=True,
                )
                or plain
            )
        self._report(f"no memories: they were not found within {PREPARING_S:g} seconds")
        return plain

    def _prepare_in_thread(self, place: ChatPlace, request: ChatRequest) -> PreparedChat | None:
        if not self._free.acquire(blocking=False):  # those that were not waited for still run
            self._report("no memories: those of earlier requests are still being sought")
            return None
        try:
            return prepare_chat(self._session, place, request, self._settings.memory_place)
        except Exception as error:  # noqa: BLE001 - the outermost frame of the thread
            failure = describe_failure(error) or report_bug(self._session, error)
            self._report(f"no memories: {failure.detail}")
            return None
        finally:
            self._free.release()

    def _make_request(
        self, scope: Scope, route: ChatRoute, body: bytes, *, is_read: bool
    ) -> UpstreamRequest:
        settings = self._settings
        query = scope.get("query_string", b"").decode("latin-1")
        target = f"{settings.upstream.path}{route.path}{query and '?'}{query}"
        given = scope["headers"]
        if self._access.has_token_as_key(read_head(scope)):
            given = [each for each in given if each[0] != b"authorization"]
        headers = make_request_headers(
            settings.upstream,
            scope["method"],
            given,
            len(body),
            key=settings.key,
            is_read=is_read,
        )
        return UpstreamRequest(scope["method"], target, headers, body)

    def _record(
        self,
        route: ChatRoute,
        request: ChatRequest,
        answer: RelayedAnswer,
        recalled: tuple[str, ...],
    ) -> None:
        place, said = self._place(route, request), b"".join(answer.parts)
        self._recorder.add(Exchange(place, request, said, answer.media_type, recalled))

    def _place(self, route: ChatRoute, request: ChatRequest) -> ChatPlace:
        story = route.story or request.story or self._settings.story
        return ChatPlace(self._settings.project, story, route.chat_id)


def _answer_question_of_page(head: RequestHead, origin: str) -> Response:
    """Return what a browser wants to know before a page of this machine may ask."""
    answer = Response(status_code=204)
    asked = head.get("access-control-request-headers")
    answer.raw_headers += [
        *make_page_headers(origin),
        (b"access-control-allow-methods", b"GET, POST, DELETE"),
        (b"access-control-allow-headers", asked.encode("latin-1")),
        (b"access-control-max-age", b"600"),
    ]
    return answer


async def _give_up(connecting: asyncio.Task[UpstreamConnection]) -> None:
    """End the making of a connection that nobody needs."""
    connecting.cancel()
    with suppress(asyncio.CancelledError, UpstreamFailed):
        (await connecting).close()
