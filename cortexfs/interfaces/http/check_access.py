"""Whether a request may reach a route: decided from its head and the access to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs

from cortexfs.interfaces.http.refusal import Refusal
from cortexfs.interfaces.http.request_head import FORM_TYPE, JSON_TYPE
from cortexfs.interfaces.http.server_access import (
    LOGIN_PATH,
    has_token,
    is_cookie,
    is_csrf_token,
)

if TYPE_CHECKING:
    from cortexfs.interfaces.http.request_head import RequestHead
    from cortexfs.interfaces.http.server_access import ServerAccess

OPEN_PATHS = frozenset({"/health", LOGIN_PATH})
"""The paths that need no token."""
CSRF_HEADER, CSRF_FIELD = "x-csrf-token", "csrf"
_OWN_SITE = {"", "same-origin", "none"}

WRONG_HOST = Refusal(421, "this server does not have that name", "use its address", "wrong-host")
WRONG_ORIGIN = Refusal(
    403, "a page of another site sent the request", "use a page of this server", "wrong-origin"
)
NO_TOKEN = Refusal(
    401,
    "the request has no valid token",
    "a browser needs the link that `cortexfs ui --link` prints, a program sends the token",
    "no-token",
)
WRONG_TYPE = Refusal(
    415, "the body is not JSON", "send `Content-Type: application/json`", "wrong-media-type"
)
WRONG_FORM = Refusal(
    403, "the form was not made by this server", "load the page again", "wrong-csrf-token"
)


def find_refusal(head: RequestHead, access: ServerAccess) -> Refusal | None:
    """Return why the head of a request is refused; None if it is not."""
    if head.get("host").lower() not in access.hosts:
        return WRONG_HOST
    if _is_from_elsewhere(head, access):
        return WRONG_ORIGIN
    if head.path in OPEN_PATHS and head.method in {"GET", "HEAD"}:
        return None
    if not _is_by_token(head, access) and not find_cookie(head, access):
        return NO_TOKEN
    if not head.is_safe and not _has_known_type(head, access):
        return WRONG_TYPE
    return None


def find_cookie(head: RequestHead, access: ServerAccess) -> str:
    """Return the valid cookie of a request; empty without one."""
    value = head.cookie(access.cookie_name) if access.has_panel else ""
    return value if value and is_cookie(access, value) else ""


def find_form_refusal(head: RequestHead, access: ServerAccess, body: bytes) -> Refusal | None:
    """Return why a change in a browser is refused: its CSRF token is not that of its cookie.

    A request with the token needs none, because no page can send that.
    """
    if head.is_safe or _is_by_token(head, access):
        return None
    cookie = find_cookie(head, access)
    given = [head.get(CSRF_HEADER)]
    if head.media_type == FORM_TYPE:
        given += parse_qs(body.decode("utf-8", "replace"), max_num_fields=1000).get(CSRF_FIELD, [])
    return None if is_csrf_token(access, cookie, given) else WRONG_FORM


def _is_by_token(head: RequestHead, access: ServerAccess) -> bool:
    return has_token(access, head.get("authorization"), head.get("x-api-key"))


def _is_from_elsewhere(head: RequestHead, access: ServerAccess) -> bool:
    """Return whether a browser says that a page of another site, or of another port, asks."""
    origin = head.headers.get("origin")
    if origin is not None and origin.lower() not in access.origins:
        return True
    return head.get("sec-fetch-site") not in _OWN_SITE


def _has_known_type(head: RequestHead, access: ServerAccess) -> bool:
    """Return whether the body is one that no foreign page can send unasked."""
    if head.media_type == JSON_TYPE or (not head.has_body and not head.media_type):
        return True
    return head.media_type == FORM_TYPE and access.has_panel and not head.is_api
