"""The answer to a request that does not reach a route."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple

from starlette.responses import Response

if TYPE_CHECKING:
    from cortexfs.interfaces.http.request_head import RequestHead

PROBLEM_TYPE = "application/problem+json"
_STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; padding: 12vh 16px 48px; font: 14px/1.43 system-ui, sans-serif;
  color: light-dark(#1b1f24, #e5e7ea); background: light-dark(#ffffff, #111317); }
main { max-width: 560px; margin: 0 auto; padding: 24px 32px; border-radius: 6px;
  border: 1px solid light-dark(#e1e4e9, #2b2f37);
  border-top: 4px solid light-dark(#b02525, #f59393);
  overflow-wrap: anywhere; }
h1 { margin: 0 0 8px; font-size: 20px; line-height: 1.3; }
p { margin: 8px 0 0; }
.muted, .brand { color: light-dark(#59626d, #9ba3ae); }
.brand { margin: 0 0 16px; font-weight: 600; }
code { padding: 1px 4px; border-radius: 4px; font: 13px ui-monospace, monospace;
  background: light-dark(#eceef1, #24272e); }
"""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · cortexfs</title><style>{style}</style></head>
<body><main><p class="brand">cortexfs</p><h1>{title}</h1><p>{detail}.</p><p>{hint}.</p>
<p class="muted">Nothing was changed.</p></main></body></html>
"""
"""A page with a style of its own: who is refused gets no file of the panel."""
_PAGE_CSP = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; style-src "
    f"'sha256-{b64encode(sha256(_STYLE.encode()).digest()).decode()}'"
)


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
    headers = {"www-authenticate": "Bearer"} if status == HTTPStatus.UNAUTHORIZED else {}
    if head.path.startswith("/api/v1/"):
        body, form = json.dumps(to_problem(*refusal)), PROBLEM_TYPE
    elif not head.is_api and "text/html" in head.get("accept"):
        body, form = _render_page(refusal), "text/html"
        headers["content-security-policy"] = _PAGE_CSP
    else:
        body, form = json.dumps({"error": detail, "hint": hint, "kind": kind}), "application/json"
    return Response(body, status, headers, form)


def _render_page(refusal: Refusal) -> str:
    """Return a page about a refusal; what stands between backticks is code."""
    detail, hint = (
        re.sub("`([^`]+)`", r"<code>\1</code>", text[:1].upper() + text[1:])
        for text in (refusal.detail, refusal.hint)
    )
    title = HTTPStatus(refusal.status).phrase
    return _PAGE.format(title=title, style=_STYLE, detail=detail, hint=hint)
