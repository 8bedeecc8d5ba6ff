"""The answer to a request that does not reach a route."""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

if TYPE_CHECKING:
    from cortexfs.interfaces.http.request_head import RequestHead

PROBLEM_TYPE = "application/problem+json"
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>{title}</title></head>
<body><h1>{title}</h1><p>{detail}</p><p>{hint}</p></body></html>
"""


class Refusal(NamedTuple):
    """A status, what is wrong, and what to do; the texts are ours."""

    status: int
    detail: str
    hint: str
    kind: str


def to_problem(status: int, detail: str, hint: str | None, kind: str) -> dict[str, object]:
    """Return a problem document (RFC 9457): `kind` is the stable name of the error."""
    document: dict[str, object] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "kind": kind,
    }
    return {**document, "hint": hint} if hint else document


def make_refusal_response(head: RequestHead, refusal: Refusal) -> Response:
    """Return a refusal in the form that the client reads: a problem, an error, or a page."""
    status, detail, hint, kind = refusal
    headers = {"www-authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else None
    if head.path.startswith("/api/v1/"):
        body, form = json.dumps(to_problem(*refusal)), PROBLEM_TYPE
    elif not head.is_api and "text/html" in head.get("accept"):
        title = HTTPStatus(status).phrase
        body, form = _PAGE.format(title=title, detail=detail, hint=hint), "text/html"
    else:
        body, form = json.dumps({"error": detail, "hint": hint, "kind": kind}), "application/json"
    return Response(body, status, headers, form)
