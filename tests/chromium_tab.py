"""Tabs of Debian's Chromium that are logged in to the panel."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import sync_playwright

from cortexfs.interfaces.http.server_access import make_login_path

if TYPE_CHECKING:
    from collections.abc import Iterator

    from running_server import RunningServer

CHROMIUM = "/usr/bin/chromium"


@contextmanager
def open_chromium() -> Iterator[Any]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


class Tab:
    """One tab that is logged in; what its console says is collected."""

    def __init__(self, browser: Any, server: RunningServer, **more: Any) -> None:
        self.errors: list[str] = []
        self.base = f"http://127.0.0.1:{server.access.port}"
        self.context = browser.new_context(**more)
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda said: said.type == "error" and self.errors.append(said.text))
        self.page.goto(self.base + make_login_path(server.access))

    def go(self, path: str) -> Any:
        self.page.goto(self.base + path)
        return self.page
