"""Refusals as answers: a status, and the body that the caller of a route expects."""

from __future__ import annotations

import errno
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cortexfs import errors
from cortexfs.core.atoms.create_atom import MissingFields
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.interfaces.http.refusal import PROBLEM_TYPE, to_problem

if TYPE_CHECKING:
    from cortexfs.interfaces.rest.endpoint import Endpoint

BUSY_S = 5
"""Seconds after which a client may try again."""

STATUSES: tuple[tuple[type[errors.CortexError], HTTPStatus], ...] = (
    (errors.NoSuchAtom, HTTPStatus.NOT_FOUND),
    (errors.NoSuchProject, HTTPStatus.NOT_FOUND),
    (errors.NoSuchKind, HTTPStatus.NOT_FOUND),
    (errors.NoSuchStatus, HTTPStatus.NOT_FOUND),
    (errors.NoSuchTag, HTTPStatus.NOT_FOUND),
    (errors.NoSuchTask, HTTPStatus.NOT_FOUND),
    (errors.NoSuchRelation, HTTPStatus.NOT_FOUND),
    (errors.NoSuchSession, HTTPStatus.NOT_FOUND),
    (errors.NoSuchThread, HTTPStatus.NOT_FOUND),
    (errors.Usage, HTTPStatus.BAD_REQUEST),
    (errors.AmbiguousRef, HTTPStatus.BAD_REQUEST),
    (errors.OutsideTree, HTTPStatus.BAD_REQUEST),
    (MissingFields, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.CatalogBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CatalogDamaged, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.TreeLocked, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.NoTree, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.TreeMoved, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CatalogFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.HistoryFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CortexError, HTTPStatus.CONFLICT),
)
"""The status of each error; the first row that fits counts."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Failure(NamedTuple):
    """What went wrong, with its status."""

    status: HTTPStatus
    detail: str
    hint: str | None
    kind: str


class Failed(NamedTuple):
    """The body, media type and headers of an answer about a failure."""

    status: int
    body: dict[str, object]
    media_type: str
    headers: dict[str, str]


def describe_failure(error: Exception, *, is_conditional: bool = False) -> Failure | None:
    """Return what an error means to a client; None for a bug.

    In a conditional request (`If-Match`) a changed atom is a failed condition.
    """
    match error:
        case errors.AtomChanged() if is_conditional:
            status = HTTPStatus.PRECONDITION_FAILED
        case errors.CortexError():
            status = next(status for kind, status in STATUSES if isinstance(error, kind))
        case OSError():
            message, hint = errors.describe_os_error(error)
            is_full = error.errno in _FULL
            status = HTTPStatus.INSUFFICIENT_STORAGE if is_full else HTTPStatus.SERVICE_UNAVAILABLE
            return Failure(status, message, hint, "system")
        case _:
            return None
    hint = redact_secrets(error.hint) if error.hint else None
    return Failure(status, redact_secrets(str(error)), hint, error.kind)


def make_failed(endpoint: Endpoint | None, failure: Failure) -> Failed:
    """Return the answer about a failure: a problem, or the error of the original."""
    status, detail, hint, kind = failure
    headers = {"retry-after": str(BUSY_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    if endpoint is None or not endpoint.is_original:
        return Failed(status, to_problem(status, detail, hint, kind), PROBLEM_TYPE, headers)
    is_wrong = status in {HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
    is_wrong = is_wrong and kind not in {"atom-changed", "thread-busy"}
    status = HTTPStatus.BAD_REQUEST if is_wrong else status
    error: dict[str, object] = {"error": detail}
    body = {**error, "hint": hint} if hint else error
    return Failed(status, body, "application/json", headers)
