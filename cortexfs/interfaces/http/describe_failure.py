"""What an error means to a client over HTTP: a status, a message and a hint."""

from __future__ import annotations

import errno
import traceback
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cortexfs import errors
from cortexfs.core.atoms.create_atom import MissingFields
from cortexfs.core.text.sanitize import redact_secrets, truncate_line
from cortexfs.session.crash_report import write_crash_report

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.session.session import Session

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
    (errors.NoSuchStory, HTTPStatus.NOT_FOUND),
    (errors.Usage, HTTPStatus.BAD_REQUEST),
    (errors.AmbiguousRef, HTTPStatus.BAD_REQUEST),
    (errors.OutsideTree, HTTPStatus.BAD_REQUEST),
    (MissingFields, HTTPStatus.UNPROCESSABLE_ENTITY),
    (errors.CatalogBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CatalogDamaged, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.ServerBusy, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.TreeLocked, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.NoTree, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.TreeMoved, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CatalogFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.HistoryFailed, HTTPStatus.SERVICE_UNAVAILABLE),
    (errors.CortexError, HTTPStatus.CONFLICT),
)
"""The status of each error; the first row that fits counts."""
MAX_SHOWN_CHARS = 200
"""Maximum length of what is said about an invalid request."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class Failure(NamedTuple):
    """What went wrong, with its status."""

    status: HTTPStatus
    detail: str
    hint: str | None
    kind: str


TOO_MANY_STREAMS = Failure(HTTPStatus.SERVICE_UNAVAILABLE, "too many streams", None, "busy")


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


def describe_invalid_request(details: Iterable[Mapping[str, object]]) -> Failure:
    """Return what is wrong with the parameters or the body of a request, and where.

    `details` are those of a validation: `loc` and `msg`.
    """
    text = "; ".join(map(_describe_detail, details)) or "the request is not valid"
    shown = truncate_line(text, MAX_SHOWN_CHARS)
    return Failure(HTTPStatus.UNPROCESSABLE_ENTITY, shown, None, "invalid-request")


def describe_refused_request(status: int) -> Failure:
    """Return that there is no such route, or not with that method, or that the body is no JSON."""
    found = HTTPStatus(status)
    is_route = found in {HTTPStatus.NOT_FOUND, HTTPStatus.METHOD_NOT_ALLOWED}
    kind = "no-such-route" if is_route else "invalid-request"
    return Failure(found, found.phrase.lower(), None, kind)


def find_original_status(failure: Failure) -> HTTPStatus:
    """Return the status that a route of the original has: 400 for everything that it refuses."""
    is_refusal = failure.status in {HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY}
    is_own = failure.kind in {"atom-changed", "thread-busy"}
    return HTTPStatus.BAD_REQUEST if is_refusal and not is_own else failure.status


def _describe_detail(detail: Mapping[str, object]) -> str:
    place = detail.get("loc", ())
    where = ".".join(map(str, place[1:])) if isinstance(place, tuple) else ""
    return f"{where}: {detail.get('msg')}" if where else str(detail.get("msg"))


def report_bug(session: Session, error: Exception) -> Failure:
    """Write a report, and return what the client gets to see of it."""
    report = redact_secrets("".join(traceback.format_exception(error)))
    path = write_crash_report(session.reader.tree.root, report, datetime.now(UTC))
    what = f"this is a bug in cortexfs: {type(error).__name__}"
    return Failure(HTTPStatus.INTERNAL_SERVER_ERROR, what, f"the report is {path}", "bug")
