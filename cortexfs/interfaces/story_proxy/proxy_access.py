"""Who may use the proxy: programs of this user, pages of this machine, and who has the token."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from anyio import to_thread
from starlette.responses import Response

from cortexfs.interfaces.http.check_access import WRONG_HOST, WRONG_ORIGIN
from cortexfs.interfaces.http.client_user import find_client_user
from cortexfs.interfaces.http.protect import AccessRules
from cortexfs.interfaces.http.refusal import Refusal
from cortexfs.interfaces.http.server_access import LOOPBACK, has_token
from cortexfs.interfaces.story_proxy.relayed_headers import make_page_headers

if TYPE_CHECKING:
    from cortexfs.interfaces.http.request_head import RequestHead
    from cortexfs.interfaces.http.server_access import ServerAccess

MAX_BODY_BYTES = 32 << 20
"""Maximum bytes of a request: a chat may have pictures."""
TOKEN_HEADER = "x-cortexfs-token"  # noqa: S105 - the name of a header
_OWN_SITE = {"", "same-origin", "none"}
_WRONG_HOST = WRONG_HOST._replace(
    hint="use its address, or name this one when it is started: --allow-host NAME"
)
_WRONG_ORIGIN = WRONG_ORIGIN._replace(hint="only pages from this machine may ask")
NO_TOKEN = Refusal(
    401,
    "the request has no valid token",
    "send it in the header X-Cortexfs-Token or, with --key-env, as the API key",
    "no-token",
)


class ProxyAccess(NamedTuple):
    """The access to the server, and whether everybody needs its token.

    With `has_key` the proxy has the key of the model's server, and the token may stand in for it.
    """

    server: ServerAccess
    needs_token: bool
    has_key: bool

    def make_rules(self) -> AccessRules:
        """Return what the server refuses before a request reaches the proxy."""
        return AccessRules(
            self._find_refusal,
            self._find_client_refusal,
            _accept_body,
            make_error_response,
            MAX_BODY_BYTES,
        )

    def has_token(self, head: RequestHead) -> bool:
        """Return whether a request has the token."""
        key = head.get("authorization") if self.has_key else ""
        return has_token(self.server, key, head.get(TOKEN_HEADER))

    def has_token_as_key(self, head: RequestHead) -> bool:
        """Return whether a request has the token in place of a key, which no other server gets."""
        return has_token(self.server, head.get("authorization"), "")

    async def _find_client_refusal(
        self, head: RequestHead, client: tuple[str, int] | None
    ) -> Refusal | None:
        """Return why a program of another user is refused, before its body is read.

        Where the system does not tell whose connections are, every program of this machine may ask.
        """
        if self.needs_token or head.path == "/health" or self.has_token(head):
            return None
        if client is None:  # the connection was closed before anybody could look at it
            return NO_TOKEN
        user = await to_thread.run_sync(find_client_user, client, self.server.port)
        return None if user in {None, os.getuid()} else NO_TOKEN

    def _find_refusal(self, head: RequestHead, access: ServerAccess) -> Refusal | None:
        if head.get("host").lower() not in access.hosts:
            return _WRONG_HOST
        origin = head.headers.get("origin")
        if origin is not None and not is_own_page(origin):
            return _WRONG_ORIGIN
        if origin is None and head.get("sec-fetch-site") not in _OWN_SITE:
            return _WRONG_ORIGIN
        is_question = head.method == "OPTIONS" and origin is not None
        if self.needs_token and not is_question and not self.has_token(head):
            return NO_TOKEN
        return None


def is_own_page(origin: str) -> bool:
    """Return whether a page comes from a server of this machine."""
    try:
        parts = urlsplit(origin)
        host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else parts.hostname
        is_origin = f"{parts.scheme}://{parts.netloc}" == origin and parts.username is None
    except ValueError:
        return False
    return is_origin and parts.scheme in {"http", "https"} and host in LOOPBACK


def make_error_response(head: RequestHead, refusal: Refusal) -> Response:
    """Return a refusal in the form that clients of OpenAI's interface read."""
    status, detail, hint, kind = refusal
    origin = head.get("origin")
    error = {"message": f"{detail}: {hint}", "type": "cortexfs_error", "param": None, "code": kind}
    answer = Response(json.dumps({"error": error}), status, media_type="application/json")
    answer.raw_headers += make_page_headers(origin if is_own_page(origin) else "")
    return answer


def _accept_body(_head: RequestHead, _access: ServerAccess, _body: bytes) -> Refusal | None:
    return None
