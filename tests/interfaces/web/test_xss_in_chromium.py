"""A hundred hostile texts in a real browser, with the policy on: nothing runs, nothing is reported.

Needs `--soak`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from chromium_tab import CHROMIUM, Tab
from playwright.sync_api import sync_playwright
from running_server import run_server_of
from test_injections_page import tell
from test_panel_xss import build_hostile
from xss_payloads import PAYLOADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree, Place

PATHS = (
    *("/", "/all?size=200", "/find?q=bearing", "/projects", "/projects/flywheel", "/tasks"),
    *("/projects/flywheel/score", "/decisions?q=OBS", "/memory", "/entities", "/graph", "/chat"),
    *(
        "/cortex?ended=yes",
        "/cortex/proposals",
        "/cortex/bulletin",
        "/injections",
        "/wiring",
        "/findings",
        "/help",
    ),
    *("/new?kind=decision&project=flywheel", "/?tab=hot", "/?tab=cold", "/decisions"),
    *("/findings/doctor", "/findings/summary", "/files/projects/flywheel/STATUS.md"),
    *("/files/projects/flywheel/TASKS.yaml", "/graph/picture", "/all?page=9"),
)
REPORTS = "addEventListener('securitypolicyviolation', (event) => console.error(event.blockedURI));"


class Watched(Tab):
    """A tab that also collects dialogs and addresses outside."""

    def __init__(self, browser: Any, server: Any) -> None:
        super().__init__(browser, server)
        self.page.add_init_script(REPORTS)
        self.page.on("dialog", lambda dialog: (self.errors.append("dialog"), dialog.dismiss()))
        self.page.on("request", self._note_address)

    def _note_address(self, asked: Any) -> None:
        if not asked.url.startswith((self.base, "data:")):
            self.errors.append(asked.url)

    def find_wrong(self, path: str) -> list[str]:
        """Return what a page did that it must not; a refusal is only shown."""
        self.errors.clear()
        self.go(path).wait_for_load_state("networkidle")
        return [
            each for each in self.errors if "the server responded with a status of 4" not in each
        ]


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Watched]:
    place: Place = copy_tree(tmp_path_factory.mktemp("xss") / "tree", build_hostile)
    tell(place, *PAYLOADS, session=PAYLOADS[0])
    with run_server_of(place) as running, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield Watched(browser, running)
        browser.close()


def test_no_page_runs_or_reports_anything(tab: Watched) -> None:
    for path in PATHS:
        assert tab.find_wrong(path) == [], path


def test_no_atom_runs_or_reports_anything(tab: Watched) -> None:
    for number in range(1, 101):
        assert tab.find_wrong(f"/atom/flywheel/OBS-{number:03d}") == [], PAYLOADS[number - 1]
    for number in range(1, 101, 10):
        assert tab.find_wrong(f"/edit/flywheel/OBS-{number:03d}") == [], PAYLOADS[number - 1]
    history = tab.page.locator("nav.side a")
    assert history.count() > 10


def test_no_address_runs_or_reports_anything(tab: Watched) -> None:
    for payload in PAYLOADS:
        assert tab.find_wrong(f"/find?q={quote(payload)}") == [], payload
    for payload in PAYLOADS[::6]:
        value = quote(payload, safe="")
        for path in (f"/{value}", f"/atom/{value}", f"/entities?name={value}", f"/all?tag={value}"):
            assert tab.find_wrong(path) == [], path


def test_the_title_of_a_page_is_the_text_itself(tab: Watched) -> None:
    text = "</title><script>alert(1)</script>"
    assert tab.find_wrong(f"/find?q={quote(text)}") == []
    assert tab.page.title().startswith(text)


def test_the_graph_shows_a_summary_as_text(tab: Watched) -> None:
    assert tab.find_wrong("/graph") == []
    tab.page.fill("[data-graph-search]", "autofocus onfocus=alert(1) y=")
    tab.page.keyboard.press("Enter")
    assert 'onfocus=alert(1) y="' in tab.page.inner_text("[data-graph-detail]")
    assert tab.errors == []


def test_the_chat_shows_messages_as_text(tab: Watched) -> None:
    page = tab.go("/chat")
    tab.errors.clear()
    for at, payload in enumerate(PAYLOADS[::12], 1):
        page.fill("#message", f"memories about {payload}")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".message.user >> nth={at - 1}")
        page.wait_for_selector(f".messages > li >> nth={2 * at - 1}")
    page.reload()
    assert tab.errors == []
