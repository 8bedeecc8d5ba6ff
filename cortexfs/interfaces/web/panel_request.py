"""A request to the panel, as pages read it: values, already parsed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import parse_qs, quote, urlencode

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from starlette.requests import Request

    from cortexfs.interfaces.web.live_state import LiveState
    from cortexfs.interfaces.web.older_results import OlderResults
    from cortexfs.interfaces.web.result_cache import ResultCache
    from cortexfs.session.session import Session

THEME_COOKIE, KEYS_COOKIE, VISIT_COOKIE = "cortexfs-theme", "cortexfs-keys", "cortexfs-visit"
THEMES = ("system", "light", "dark")
MAX_DIGITS = 6
MAX_FIELDS = 2000
"""Maximum number of fields of a form: it may select hundreds of atoms."""

Values = dict[str, list[str]]


class PanelRequest(NamedTuple):
    """One request: its path, its parameters and its form, with the session of the server."""

    session: Session
    method: str
    path: str
    parts: Mapping[str, str]
    query: Values
    form: Values
    csrf_token: str
    cookies: Mapping[str, str]
    headers: Mapping[str, str]
    results: ResultCache
    older: OlderResults
    live: LiveState
    state: str = ""
    """The state that the page shows; empty for a part of one."""
    has_stories: bool = False
    """Whether the tree has stories, as far as is known."""

    def get(self, key: str, default: str = "") -> str:
        """Return a parameter of the address; the last one if it is repeated."""
        return self.query.get(key, [default])[-1]

    def field(self, key: str, default: str = "") -> str:
        """Return a field of the form."""
        return self.form.get(key, [default])[-1]

    def list_values(self, key: str) -> tuple[str, ...]:
        """Return all values of a parameter that are not empty."""
        return tuple(value for value in self.query.get(key, ()) if value)

    def number(self, key: str, default: int = 1) -> int:
        """Return a parameter of the address as a number; the default if it is none."""
        typed = self.get(key)
        is_number = typed.isascii() and typed.isdigit() and len(typed) <= MAX_DIGITS
        return int(typed) if is_number else default

    @property
    def theme(self) -> str:
        """The chosen theme; `system` follows the system."""
        chosen = self.cookies.get(THEME_COOKIE, "")
        return chosen if chosen in THEMES else THEMES[0]

    @property
    def has_keys(self) -> bool:
        """Whether single keys are shortcuts."""
        return self.cookies.get(KEYS_COOKIE, "on") != "off"

    def link(self, **changes: str | int | Sequence[str] | None) -> str:
        """Return the address of this page with other parameters; None removes one."""
        values: dict[str, object] = {**self.query, **changes}
        pairs = {key: value for key, value in values.items() if value not in (None, "", [])}
        pairs.pop("done", None)
        return f"{self.address}?{urlencode(pairs, doseq=True)}" if pairs else self.address

    @property
    def address(self) -> str:
        """The address of this page without parameters."""
        return "/" + quote(self.path.lstrip("/"))  # `//host/` would lead to another site

    @property
    def here(self) -> str:
        """The address of this page, to come back to it."""
        return self.link()


async def read_panel_request(
    request: Request, session: Session, results: ResultCache, older: OlderResults, live: LiveState
) -> PanelRequest:
    """Return a request with its whole form."""
    body = (await request.body()).decode("utf-8", "replace") if request.method == "POST" else ""
    return PanelRequest(
        session,
        request.method,
        request.scope["path"],
        request.path_params,
        parse_values(request.scope["query_string"].decode("latin-1")),
        parse_values(body),
        getattr(request.state, "csrf_token", ""),
        request.cookies,
        request.headers,
        results,
        older,
        live,
    )


def parse_values(text: str) -> Values:
    """Return the parameters of an address or a form, each with all its values."""
    try:
        return parse_qs(text, keep_blank_values=True, max_num_fields=MAX_FIELDS, errors="replace")
    except ValueError:  # more fields than any page of ours sends
        return {}


def choose_local_path(typed: str, default: str = "/") -> str:
    """Return an address on this server; the default if it could lead elsewhere."""
    is_local = typed.startswith("/") and not typed.startswith(("//", "/\\"))
    return typed if is_local and typed.isprintable() else default
