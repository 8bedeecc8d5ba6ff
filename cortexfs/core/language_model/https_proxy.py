"""The proxy through which a server of a language model is reached with TLS."""

from __future__ import annotations

from base64 import b64encode
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Mapping

HTTP_PORT = 80


class HttpsProxy(NamedTuple):
    """A proxy: its host and port, and the value of `Proxy-Authorization`, or an empty text."""

    host: str
    port: int
    authorization: str


def find_https_proxy(host: str, environ: Mapping[str, str]) -> HttpsProxy | None:
    """Return the proxy that the environment names for a host; None if it is reached directly."""
    proxy = environ.get("https_proxy") or environ.get("HTTPS_PROXY") or ""
    if not proxy or _is_excepted(host, environ.get("no_proxy") or environ.get("NO_PROXY") or ""):
        return None
    parts = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    login = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    basic = f"Basic {b64encode(login.encode()).decode()}" if parts.username else ""
    return HttpsProxy(parts.hostname or "", parts.port or HTTP_PORT, basic)


def _is_excepted(host: str, no_proxy: str) -> bool:
    """Return whether a list of domains says that a host is reached without a proxy."""
    domains = [domain.strip().lower().lstrip(".") for domain in no_proxy.split(",")]
    return any(d == "*" or (d and f".{host}".endswith(f".{d}")) for d in domains)
