"""The server that gets the requests: its address, as the user has named it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from cortexfs.core.language_model.https_proxy import HttpsProxy, find_https_proxy
from cortexfs.core.language_model.model_settings import find_url_flaw
from cortexfs.errors import Usage

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_PATH = "/v1"
_PORTS = {"http": 80, "https": 443}


class UpstreamAddress(NamedTuple):
    """A host and a port; the path that stands for `/v1`; how it is reached.

    `may_be_public` says that what is sent without TLS may leave private networks.
    """

    host: str
    port: int
    path: str
    has_tls: bool
    may_be_public: bool
    proxy: HttpsProxy | None = None

    @property
    def host_header(self) -> str:
        """The value of `Host`."""
        shown = f"[{self.host}]" if ":" in self.host else self.host
        is_default = self.port == _PORTS["https" if self.has_tls else "http"]
        return shown if is_default else f"{shown}:{self.port}"


def parse_upstream(url: str, *, insecure: bool, environ: Mapping[str, str]) -> UpstreamAddress:
    """Return the address of a server; raise `Usage` for what is none."""
    if flaw := find_url_flaw(url):
        raise Usage(f"--upstream {flaw}", hint="write --upstream http://127.0.0.1:11434/v1")
    parts = urlsplit(url)
    has_tls, host = parts.scheme == "https", parts.hostname or ""
    return UpstreamAddress(
        host,
        parts.port or _PORTS[parts.scheme],
        parts.path.rstrip("/") or DEFAULT_PATH,
        has_tls,
        has_tls or insecure,
        find_https_proxy(host, environ) if has_tls else None,
    )
