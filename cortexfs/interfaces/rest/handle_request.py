"""From a row of the table to a function for FastAPI: modes, conditions, errors, JSON."""

from __future__ import annotations

import inspect
import json
import time
from collections.abc import Iterator, Mapping
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, NamedTuple

import anyio.to_thread
from fastapi import Header, Query, Request
from starlette.responses import Response

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.http.describe_failure import (
    describe_failure,
    find_original_status,
    report_bug,
)
from cortexfs.interfaces.http.refusal import PROBLEM_TYPE, to_problem
from cortexfs.interfaces.rest.answers import make_etag, make_planned
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect
from cortexfs.operations.check_atom_text import make_text_check
from cortexfs.session.change_observer import ChangeObserver

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio import CapacityLimiter

    from cortexfs.interfaces.http.describe_failure import Failure
    from cortexfs.interfaces.rest.answers import Answer
    from cortexfs.interfaces.rest.endpoint import Endpoint
    from cortexfs.interfaces.rest.server_metrics import ServerMetrics
    from cortexfs.interfaces.rest.shared_answers import SharedAnswers
    from cortexfs.session.session import Session

BUSY_S = 5
"""Seconds after which a client may try again."""
DRY_RUN = inspect.Parameter(
    "dry_run",
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, Query(alias="dry-run", description="Answer with the plan, and change nothing.")
    ],
)
IF_MATCH = inspect.Parameter(
    "if_match",
    inspect.Parameter.KEYWORD_ONLY,
    default="",
    annotation=Annotated[
        str, Header(alias="If-Match", description="Change the atom only if it has this ETag.")
    ],
)
REQUEST = inspect.Parameter("request", inspect.Parameter.KEYWORD_ONLY, annotation=Request)


class ServerState(NamedTuple):
    """What the routes of one server have in common."""

    session: Session
    metrics: ServerMetrics
    shared: SharedAnswers


def make_handler(
    endpoint: Endpoint, server: ServerState, limiter: CapacityLimiter
) -> Callable[..., Awaitable[Response]]:
    """Return the function for FastAPI; it works in one of the threads of a limiter."""
    signature = inspect.signature(endpoint.run, eval_str=True)
    _, *own = signature.parameters.values()

    async def handle(**given: object) -> Response:
        began = time.monotonic()
        work = partial(_answer, server, endpoint, given)
        answer = await anyio.to_thread.run_sync(work, limiter=limiter)
        server.metrics.count(endpoint, time.monotonic() - began)
        return answer

    parameters = [each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in own]
    handle.__dict__["__signature__"] = inspect.Signature([*parameters, *_list_added(endpoint)])
    handle.__name__, handle.__doc__ = endpoint.run.__name__, endpoint.run.__doc__
    return handle


def _list_added(endpoint: Endpoint) -> list[inspect.Parameter]:
    """Return the parameters that each route of its effect has."""
    match endpoint.effect:
        case Effect.CHANGE_ATOM:
            return [REQUEST, DRY_RUN, IF_MATCH]
        case Effect.CHANGE:
            return [REQUEST, DRY_RUN]
        case _:
            return [REQUEST]


def _answer(server: ServerState, endpoint: Endpoint, given: Mapping[str, object]) -> Response:
    """Run a route; a bug becomes a report and an answer with 500."""
    arguments = dict(given)
    request = arguments.pop("request")
    is_dry_run, condition = arguments.pop("dry_run", False), str(arguments.pop("if_match", ""))
    try:
        if is_dry_run or condition:
            answer = _change(
                server.session, endpoint, arguments, condition, is_dry_run=bool(is_dry_run)
            )
        else:
            run = partial(endpoint.run, Call(server.session), **arguments)
            is_shared = endpoint.effect is Effect.READ_ALL
            answer = server.shared.get(f"{endpoint.path} {arguments}", run) if is_shared else run()
    except Exception as error:  # noqa: BLE001 - the outermost frame of REST
        failure = describe_failure(error, is_conditional=bool(condition))
        return make_failure_response(endpoint, failure or report_bug(server.session, error))
    assert isinstance(request, Request)  # noqa: S101 - what FastAPI gives to a parameter of that type
    if isinstance(answer.document, Response):
        return answer.document
    etag = answer.headers.get("etag")
    if etag and request.method == "GET" and etag in request.headers.get("if-none-match", ""):
        return Response(status_code=HTTPStatus.NOT_MODIFIED, headers={"etag": etag})
    status = HTTPStatus.OK if is_dry_run else endpoint.status
    return Response(encode(answer.document), status, dict(answer.headers), "application/json")


def _change(
    session: Session,
    endpoint: Endpoint,
    arguments: Mapping[str, object],
    condition: str,
    *,
    is_dry_run: bool,
) -> Answer:
    """Run a route on a condition, or plan what it would change."""
    wanted = [each.strip() for each in condition.split(",") if each.strip()]
    observer = ChangeObserver()
    if wanted and "*" not in wanted:
        ref = str(arguments["ref"])
        check = make_text_check(ref, NOWHERE, lambda text: make_etag(text) in wanted)
        observer = ChangeObserver(check)
    mode = ExecutionMode.DRY_RUN if is_dry_run else ExecutionMode.COMMIT
    answer = endpoint.run(Call(session.with_observer(observer), mode), **arguments)
    if not is_dry_run:
        return answer
    plans = [plan for plans in observer.planned for plan in plans]
    return make_planned([answer.plan] if answer.plan else plans)


def make_failure_response(endpoint: Endpoint | None, failure: Failure) -> Response:
    """Return the answer about a failure: a problem, or the error of the original."""
    status, detail, hint, kind = failure
    headers = {"retry-after": str(BUSY_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    if endpoint is None or not endpoint.is_original:
        problem = to_problem(status, detail, hint, kind)
        return Response(encode(problem), status, headers, PROBLEM_TYPE)
    body = {"error": detail, "hint": hint} if hint else {"error": detail}
    return Response(encode(body), find_original_status(failure), headers, "application/json")


def encode(document: object) -> bytes:
    """Return a document as JSON."""
    return json.dumps(document, default=_to_plain).encode()


def _to_plain(value: object) -> object:
    if isinstance(value, Iterator | frozenset | set):
        return list(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
