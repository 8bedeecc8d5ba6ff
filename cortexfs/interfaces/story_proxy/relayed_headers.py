"""Which headers the proxy passes on, in both directions; all others stay as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.interfaces.story_proxy.upstream_address import UpstreamAddress
    from cortexfs.interfaces.story_proxy.upstream_connection import Header

OWN_PREFIX = b"x-cortexfs-"
"""How the headers begin that are for the proxy alone."""
_OF_CONNECTION = {
    b"connection",
    b"keep-alive",
    b"proxy-authenticate",
    b"proxy-authorization",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
}
_OF_BROWSER = {b"cookie", b"origin", b"referer", b"priority", b"dnt"}
"""What a browser adds for the proxy's address: its cookies may be those of our panel."""
_MADE_ANEW = {b"host", b"content-length", b"expect"}
_OF_UPSTREAM = {b"set-cookie", b"date", b"alt-svc", b"strict-transport-security"}
"""What a server says to those that know its name; the proxy has its own date."""
_BODY_METHODS = {"POST", "PUT", "PATCH"}


def make_request_headers(
    address: UpstreamAddress,
    method: str,
    headers: Iterable[Header],
    size: int,
    *,
    key: str = "",
    is_read: bool = False,
) -> list[Header]:
    """Return the headers of a request to the server; `key` replaces that of the client.

    With `is_read` the answer is to be read here, so that it may not be compressed.
    """
    dropped = _OF_CONNECTION | _OF_BROWSER | _MADE_ANEW
    if key:
        dropped = dropped | {b"authorization"}
    if is_read:
        dropped = dropped | {b"accept-encoding"}
    passed = [
        (name, value)
        for name, value in _without_named_by_connection(headers)
        if name.lower() not in dropped
        and not name.lower().startswith((OWN_PREFIX, b"sec-", b"access-control-"))
    ]
    own = [(b"Host", address.host_header.encode())]
    if size or method in _BODY_METHODS:
        own.append((b"Content-Length", str(size).encode()))
    if key:
        own.append((b"Authorization", f"Bearer {key}".encode()))
    if is_read:
        own.append((b"Accept-Encoding", b"identity"))
    return [*own, *passed]


def make_answer_headers(headers: Iterable[Header], origin: str) -> list[Header]:
    """Return the headers of an answer to the client; `origin` is that of a page, or empty."""
    dropped = _OF_CONNECTION | _OF_UPSTREAM
    headers = list(headers)
    if find_header(headers, b"transfer-encoding"):
        dropped = dropped | {b"content-length"}  # which then means nothing
    passed = [
        (name, value)
        for name, value in _without_named_by_connection(headers)
        if name.lower() not in dropped and not name.lower().startswith(b"access-control-")
    ]
    return [*passed, *make_page_headers(origin)]


def make_page_headers(origin: str) -> list[Header]:
    """Return the headers with which a page of this machine may read an answer; none without one."""
    if not origin:
        return []
    return [
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-expose-headers", b"*"),
        (b"vary", b"Origin"),
    ]


def find_header(headers: Iterable[Header], wanted: bytes) -> str:
    """Return a header of an answer; empty without it."""
    return next((v.decode("latin-1") for name, v in headers if name.lower() == wanted), "")


def _without_named_by_connection(headers: Iterable[Header]) -> Iterator[Header]:
    """Yield the headers that `Connection` does not name as its own."""
    given = list(headers)
    named = {
        each.strip().lower()
        for name, value in given
        if name.lower() == b"connection"
        for each in value.split(b",")
    }
    return ((name, value) for name, value in given if name.lower() not in named)
