"""Who may send requests to a server: its names, the token, and what browsers get for the token.

A browser gets a cookie for a link that works once. Link, cookie and the value that forms carry are
signed with the token: the server stores none of them, and they survive its restart.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
LINK_S, COOKIE_S = 300, 7 * 24 * 3600
"""Seconds in which a link can be opened, and for which a cookie is valid."""
HTTP_PORT = 80
LOGIN_PATH = "/login"
CHALLENGE_FIELD, MAX_CHALLENGE_CHARS = "challenge", 64
"""The parameter of `/health` to which a server answers with a proof of its identity."""


class ServerAccess(NamedTuple):
    """The `Host` values of a server, its token, and its port (0 for a socket file)."""

    hosts: frozenset[str]
    token: str
    port: int
    has_panel: bool = False
    """Whether cookies and forms are accepted."""
    opened_at: int = 0
    """Seconds since the epoch; links that are older were perhaps used before."""

    @property
    def origins(self) -> frozenset[str]:
        """The origins of pages of this server."""
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def cookie_name(self) -> str:
        """The name of the cookie; browsers send cookies to every port of a host."""
        return f"cortexfs-{self.port}"


def make_access(host: str, port: int, token: str, *, has_panel: bool = False) -> ServerAccess:
    """Return the access to a server on an address; port 0 stands for a socket file."""
    shown = f"[{host}]" if ":" in host else host
    names = dict.fromkeys([*LOOPBACK, shown])
    hosts = {f"{name}:{port}" for name in names} if port else set[str]()
    if port in {0, HTTP_PORT}:
        hosts |= set(names)
    return ServerAccess(frozenset(hosts), token, port, has_panel, int(time.time()))


def has_token(access: ServerAccess, authorization: str, api_key: str) -> bool:
    """Return whether one of two headers has the token; compared in constant time."""
    scheme, _, bearer = authorization.partition(" ")
    given = bearer.strip() if scheme.lower() == "bearer" else ""
    return any(_is_same(each, access.token) for each in (given, api_key))


def make_login_path(access: ServerAccess) -> str:
    """Return the path of a link that logs a browser in, once, within five minutes."""
    claim = f"{int(time.time()) + LINK_S}.{secrets.token_urlsafe(16)}"
    return f"{LOGIN_PATH}?code={claim}.{_sign(access, 'link', claim)}"


def prove_identity(access: ServerAccess, challenge: str) -> str:
    """Return what only a server on this port with this token answers to a challenge."""
    return _sign(access, "identity", challenge)


class LoginCodes:
    """The codes of links that were opened; each is good for one cookie."""

    def __init__(self, access: ServerAccess) -> None:
        self._access = access
        self._redeemed: dict[str, float] = {}

    def redeem(self, code: str) -> str | None:
        """Return the value of a new cookie for a code; None if it is wrong, old or used."""
        claim, _, signature = code.rpartition(".")
        if not _is_same(signature, _sign(self._access, "link", claim)) or _has_expired(claim):
            return None
        if claim in self._redeemed or _parse_end(claim) < self._access.opened_at + LINK_S:
            return None
        now = time.time()
        known = self._redeemed.items()
        self._redeemed = {each: end for each, end in known if end > now} | {claim: now + LINK_S}
        return make_cookie(self._access)


def make_cookie(access: ServerAccess) -> str:
    """Return the value of a new cookie."""
    claim = f"{int(time.time()) + COOKIE_S}.{secrets.token_urlsafe(16)}"
    return f"{claim}.{_sign(access, 'cookie', claim)}"


def is_cookie(access: ServerAccess, value: str) -> bool:
    """Return whether a cookie is ours and has not expired."""
    claim, _, signature = value.rpartition(".")
    return _is_same(signature, _sign(access, "cookie", claim)) and not _has_expired(claim)


def make_csrf_token(access: ServerAccess, cookie: str) -> str:
    """Return what a form or a script sends beside this cookie."""
    return _sign(access, "form", cookie)


def is_csrf_token(access: ServerAccess, cookie: str, given: Iterable[str]) -> bool:
    """Return whether one of these texts belongs to the cookie."""
    return any(_is_same(each, make_csrf_token(access, cookie)) for each in given)


def _sign(access: ServerAccess, purpose: str, claim: str) -> str:
    """Return a signature that is good for one purpose on the port of this server."""
    text = f"{purpose}\0{access.port}\0{claim}"
    digest = hmac.new(access.token.encode(), text.encode(errors="replace"), hashlib.sha256)
    return digest.hexdigest()


def _has_expired(claim: str) -> bool:
    return _parse_end(claim) < time.time()


def _parse_end(claim: str) -> int:
    """Return when a claim expires, in seconds since the epoch; 0 for one that is not ours."""
    end, _, _ = claim.partition(".")
    return int(end[:15]) if end.isascii() and end.isdigit() else 0


def _is_same(given: str, expected: str) -> bool:
    return hmac.compare_digest(given.encode(errors="replace"), expected.encode())
