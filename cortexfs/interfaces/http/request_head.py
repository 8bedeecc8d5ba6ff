"""The head of a request, as the access rules read it: from the ASGI scope, never from a URL."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from starlette.types import Scope

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
JSON_TYPE, FORM_TYPE = "application/json", "application/x-www-form-urlencoded"


class RequestHead(NamedTuple):
    """Method, path and headers; one that is sent twice has both values, and matches nothing."""

    method: str
    path: str
    headers: dict[str, str]

    def get(self, name: str) -> str:
        """Return a header; empty if it was not sent."""
        return self.headers.get(name, "")

    @property
    def is_safe(self) -> bool:
        """Whether the method changes nothing."""
        return self.method in SAFE_METHODS

    @property
    def is_api(self) -> bool:
        """Whether the path is one for programs."""
        return self.path.startswith(("/api/", "/mcp"))

    @property
    def media_type(self) -> str:
        """The type of the body, without its parameters."""
        return self.get("content-type").partition(";")[0].strip().lower()

    @property
    def has_body(self) -> bool:
        """Whether a body was announced."""
        return self.get("content-length") not in {"", "0"} or "transfer-encoding" in self.headers

    @property
    def length(self) -> int:
        """The announced bytes of the body; 0 if that is unknown."""
        typed = self.get("content-length")
        return int(typed[:15]) if typed.isascii() and typed.isdigit() else 0

    def cookie(self, name: str) -> str:
        """Return the value of a cookie; empty if there is none."""
        for part in self.get("cookie").split(";"):
            key, _, value = part.strip().partition("=")
            if key == name:
                return value
        return ""


def read_head(scope: Scope) -> RequestHead:
    """Return the head of an HTTP request."""
    headers: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return RequestHead(scope["method"].upper(), scope["path"], headers)
