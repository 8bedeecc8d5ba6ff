"""What a person's browser does with the panel, without scripts: pages, forms, cookies."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import html5lib

from cortexfs.interfaces.http.server_access import make_login_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from running_server import RunningServer

FORM = "application/x-www-form-urlencoded"
SAVED = {"text", "before"}


@dataclass(frozen=True)
class Page:
    """One answer: its status, its text and its elements."""

    status: int
    text: str
    headers: dict[str, str]
    root: Any

    def find_all(self, name: str) -> list[Any]:
        return (
            [each for each in self.root.iter() if each.tag == name] if self.root is not None else []
        )

    def by_id(self, ident: str) -> Any:
        return next(each for each in self.root.iter() if each.get("id") == ident)

    def main(self) -> str:
        """Return the text of the content, with blanks folded."""
        return fold("".join(self.by_id("main").itertext()))

    def links(self) -> list[str]:
        return [each.get("href", "") for each in self.find_all("a")]


@dataclass
class Browser:
    """A browser with the cookie of a link that was opened once."""

    server: RunningServer
    cookies: dict[str, str] = field(default_factory=dict)
    csrf: str = ""

    def get(self, path: str) -> Page:
        page = self._send("GET", path, None)
        metas = [each for each in page.find_all("meta") if each.get("name") == "csrf-token"]
        self.csrf = metas[0].get("content") if metas else self.csrf
        return page

    def post(self, path: str, _follow: bool = True, **fields: Any) -> Page:
        """Send a form, and follow the answer as a browser does."""
        body = urlencode({"csrf": self.csrf, **fields}, doseq=True).encode()
        page = self._send("POST", path, body)
        if page.status == 303 and _follow:
            return self.get(page.headers["location"].partition("#")[0])
        return page

    def _send(self, method: str, path: str, body: bytes | None) -> Page:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if body is not None:
            origin = f"http://127.0.0.1:{self.server.access.port}"
            headers |= {"Content-Type": FORM, "Origin": origin, "Sec-Fetch-Site": "same-origin"}
        answer = self.server.send(method, path, body, headers)
        self._keep_cookie(answer.headers.get("set-cookie", ""))
        text = answer.body.decode()
        is_page = answer.headers.get("content-type", "").startswith("text/html")
        root = parse_page(text) if is_page and text else None
        return Page(answer.status, text, answer.headers, root)

    def _keep_cookie(self, header: str) -> None:
        name, _, value = header.partition(";")[0].partition("=")
        if name:
            self.cookies[name] = value


def open_browser(server: RunningServer) -> Browser:
    """Return a browser that has opened the link of `cortexfs ui`."""
    browser = Browser(server)
    browser._send("GET", make_login_path(server.access), None)
    browser.get("/help")
    assert browser.csrf
    return browser


def pick_address_shapes(addresses: Iterable[str]) -> list[str]:
    """Return one address of each shape: the same route with the same parameters."""
    found: dict[tuple[str, tuple[str, ...]], str] = {}
    for address in sorted(addresses):
        path, _, query = address.partition("#")[0].partition("?")
        names = sorted(each.partition("=")[0] for each in query.split("&"))
        kinds = re.sub(r"\d+|(?<=/)[0-9a-f]{7,}", "0", path)
        found.setdefault((kinds, tuple(names)), address)
    return list(found.values())


def parse_page(text: str) -> Any:
    """Return the elements of a page; raise if a browser would have to repair it."""
    parser = html5lib.HTMLParser(strict=text.startswith("<!doctype"), namespaceHTMLElements=False)
    return parser.parse(text)


def fold(text: str) -> str:
    return " ".join(text.split())
