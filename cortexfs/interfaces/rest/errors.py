"""Failures as answers: the body that the caller of a route expects."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.interfaces.http.describe_failure import find_original_status
from cortexfs.interfaces.http.refusal import PROBLEM_TYPE, to_problem

if TYPE_CHECKING:
    from cortexfs.interfaces.http.describe_failure import Failure
    from cortexfs.interfaces.rest.endpoint import Endpoint

BUSY_S = 5
"""Seconds after which a client may try again."""


class Failed(NamedTuple):
    """The body, media type and headers of an answer about a failure."""

    status: int
    body: dict[str, object]
    media_type: str
    headers: dict[str, str]


def make_failed(endpoint: Endpoint | None, failure: Failure) -> Failed:
    """Return the answer about a failure: a problem, or the error of the original."""
    status, detail, hint, kind = failure
    headers = {"retry-after": str(BUSY_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    if endpoint is None or not endpoint.is_original:
        return Failed(status, to_problem(status, detail, hint, kind), PROBLEM_TYPE, headers)
    error: dict[str, object] = {"error": detail}
    body = {**error, "hint": hint} if hint else error
    return Failed(find_original_status(failure), body, "application/json", headers)
