"""The chat in a real browser. Needs `--soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from place import build_sample
from playwright.sync_api import expect, sync_playwright
from running_server import RunningServer, make_server_fixture

from cortexfs.interfaces.http.server_access import make_login_path

if TYPE_CHECKING:
    from playwright.sync_api import Route

server = make_server_fixture(build_sample)


def test_an_answer_that_is_cut_off_is_not_called_answered(server: RunningServer) -> None:
    def cut(route: Route) -> Any:
        route.fulfill(body=":\n\n", content_type="text/event-stream")

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        base = f"http://127.0.0.1:{server.access.port}"
        page.goto(base + make_login_path(server.access))
        page.goto(f"{base}/chat")
        page.fill("#message", "stats")
        page.press("#message", "Enter")
        expect(page.locator("#last")).to_contain_text("atom")
        page.route("**/chat/events", cut)
        page.fill("#message", "stats")
        page.press("#message", "Enter")
        progress = page.locator("[data-progress]")
        expect(progress).to_contain_text("ended before the answer was known")
        browser.close()
