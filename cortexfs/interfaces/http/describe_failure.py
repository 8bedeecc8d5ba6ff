"""What an error means to a client over HTTP: a status, a message and a hint."""

from __future__ import annotations

import errno
import traceback
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from cortexfs import errors
from cortexfs.core.atoms.create_atom import MissingFields
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.session.crash_report import write_crash_report

if TYPE_CHECKING:
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


def report_bug(session: Session, error: Exception) -> Failure:
    """Write a report, and return what the client gets to see of it."""
    report = redact_secrets("".join(traceback.format_exception(error)))
    path = write_crash_report(session.reader.tree.root, report, datetime.now(UTC))
    what = f"this is a bug in cortexfs: {type(error).__name__}"
    return Failure(HTTPStatus.INTERNAL_SERVER_ERROR, what, f"the report is {path}", "bug")
