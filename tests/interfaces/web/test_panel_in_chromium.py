"""The panel in a real browser: keys, search as you type, two tabs, axe. Needs `--soak`.

`tests/run_panel_in_chromium.sh` installs what it needs and runs it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import pytest
from place import build_sample
from playwright.sync_api import sync_playwright
from running_server import run_server_of

from cortexfs.interfaces.http.server_access import make_login_path

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree
    from running_server import RunningServer

CHROMIUM = "/usr/bin/chromium"
AXE = os.environ.get("CORTEXFS_AXE", "")
"""The path of axe.min.js; the world of a test removes the variable later."""
PATHS = (
    *("/", "/all", "/find?q=varint", "/atom/driftwood/EXP-006", "/edit/driftwood/EXP-006"),
    *("/projects", "/projects/driftwood", "/projects/driftwood/score", "/tasks", "/decisions"),
    *("/memory", "/entities", "/entities?name=gzip", "/findings", "/help", "/graph", "/cortex"),
    *("/cortex/proposals", "/chat", "/injections", "/wiring", "/wiring/cursor", "/nothing"),
)
MIN_CHARS = 30
"""More than a heading: what a page says without scripts."""
RULES = {"rules": {"target-size": {"enabled": True}}}
REF = "driftwood/EXP-006"
ATOM = "projects/driftwood/experiments/EXP-006.md"


@pytest.fixture
def server(tmp_path: Path, copy_tree: CopyTree) -> Iterator[RunningServer]:
    with run_server_of(copy_tree(tmp_path / "tree", build_sample)) as running:
        yield running


@pytest.fixture
def browser() -> Iterator[Any]:
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


def test_each_page_fits_and_axe_finds_nothing(browser: Any, server: RunningServer) -> None:
    for width in (360, 1280, 2560):
        for theme in ("light", "dark"):
            tab = Tab(
                browser,
                server,
                viewport={"width": width, "height": 900},
                color_scheme=theme,
                bypass_csp=bool(AXE),
            )
            for path in PATHS:
                page = tab.go(path)
                page.wait_for_load_state("networkidle")
                over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                assert over <= 0, (path, width)
                if AXE:
                    page.add_script_tag(path=AXE)
                    found = page.evaluate("rules => axe.run(document, rules)", RULES)
                    assert [each["id"] for each in found["violations"]] == [], (path, width, theme)
            tab.context.close()


def test_nothing_is_fetched_from_elsewhere_and_the_policy_reports_nothing(
    browser: Any, server: RunningServer
) -> None:
    tab = Tab(browser, server)
    addresses: list[str] = []
    tab.page.on("request", lambda asked: addresses.append(asked.url))
    for path in PATHS[:-1]:
        tab.go(path).wait_for_load_state("networkidle")
    assert [each for each in addresses if not each.startswith(tab.base)] == []
    assert tab.errors == []


def test_rows_are_selected_changed_and_undone_by_keys_alone(
    browser: Any, server: RunningServer
) -> None:
    before = server.place.read(ATOM)
    page = Tab(browser, server).go("/all?q=EXP-006&project=driftwood")
    page.keyboard.press("j")
    page.keyboard.press("x")
    assert page.inner_text("[data-picked]") == "1 selected"
    page.focus("#bulk-change")
    page.keyboard.type("Archive")
    for _ in range(9):
        if page.evaluate("document.activeElement.value") == "apply":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/all?*")
    page.wait_for_selector("#toast:not([hidden])")
    assert "deprecated" in server.place.read(ATOM)
    page.focus("#toast button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#toast:has-text('undo: ')")
    assert server.place.read(ATOM) == before


def test_search_answers_while_somebody_types(browser: Any, server: RunningServer) -> None:
    tab = Tab(browser, server)
    page = tab.go("/")
    page.keyboard.press("/")
    page.keyboard.type("varint")
    page.keyboard.press("Enter")
    page.wait_for_url("**/find?q=varint")
    page.fill("#find", "")
    page.type("#find", "thermom", delay=30)
    page.wait_for_selector("[data-announce]:has-text('thermom')")
    assert page.url.endswith("thermom")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_url("**/atom/**")
    assert tab.errors == []


def test_findings_follow_the_text_and_two_tabs_lose_nothing(
    browser: Any, server: RunningServer
) -> None:
    first, second = Tab(browser, server), Tab(browser, server)
    one, two = (each.go(f"/edit/{REF}") for each in (first, second))
    one.fill("#text", one.input_value("#text").replace("summary:", "summry:"))
    one.wait_for_selector("#flaws:has-text('summary')")
    one.fill("#text", one.input_value("#text").replace("summry:", "summary:") + "\nOne.\n")
    one.click("button[value=save]")
    one.wait_for_url(f"**/atom/{REF}*")
    two.fill("#text", two.input_value("#text") + "\nTwo.\n")
    two.click("button[value=save]")
    assert "One." in two.input_value("#theirs")
    assert "Two." in two.input_value("#text")
    assert "Two." not in server.place.read(ATOM)


def test_a_change_made_elsewhere_shows_without_reloading(
    browser: Any, server: RunningServer
) -> None:
    page = Tab(browser, server).go("/")
    page.wait_for_load_state("networkidle")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    page.wait_for_selector("text=seen elsewhere")


def test_an_update_keeps_what_was_typed_selected_and_focused(
    browser: Any, server: RunningServer
) -> None:
    page = Tab(browser, server).go(f"/atom/{REF}")
    page.fill("#reason", "not sent yet")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    page.wait_for_selector(".meta .status:has-text('partial')")
    assert page.input_value("#reason") == "not sent yet"
    assert page.evaluate("document.activeElement.id") == "reason"
    page = Tab(browser, server).go("/all?project=driftwood")
    page.check(f"input[value='{REF}']")
    server.place.ok("mark", "driftwood/EXP-007", "partial", "--reason", "seen elsewhere")
    page.wait_for_selector("tr:has-text('EXP-007') .status:has-text('partial')")
    assert page.inner_text("[data-picked]") == "1 selected"
    assert page.is_checked(f"input[value='{REF}']")


def test_a_text_outlives_the_server_and_the_page(
    browser: Any, tmp_path: Path, copy_tree: CopyTree
) -> None:
    place = copy_tree(tmp_path / "tree", build_sample)
    with run_server_of(place) as first:
        page = Tab(browser, first).go(f"/edit/{REF}")
        page.fill("#text", page.input_value("#text") + "\nUnsaved.\n")
    page.wait_for_selector("#notice:has-text('does not answer')")
    page.click("button[value=save]")
    page.wait_for_selector("#notice:has-text('Not sent')")
    assert "Unsaved." in page.input_value("#text")
    with run_server_of(place, first.access.port):
        page.wait_for_selector("#notice", state="hidden")
        page.once("dialog", lambda asked: asked.accept())
        page.reload()
        page.click("button:has-text('Show it')")
        assert "Unsaved." in page.input_value("#text")
        place.write(ATOM, place.read(ATOM) + "\nTheirs.\n")
        page.wait_for_selector("[data-said]:has-text('another text')")
        page.click("button[value=save]")
        page.wait_for_selector("#theirs")
        assert "Theirs." in page.input_value("#theirs")
        assert "Unsaved." in page.input_value("#text")


def test_keys_can_be_switched_off(browser: Any, server: RunningServer) -> None:
    page = Tab(browser, server).go("/help")
    with page.expect_navigation():
        page.click("button[name=keys]")
    page.keyboard.press("?")
    assert not page.evaluate("document.querySelector('dialog').open")
    with page.expect_navigation():
        page.click("button[name=keys]")
    page.keyboard.press("?")
    assert page.evaluate("document.querySelector('dialog').open")
    page.keyboard.press("Escape")
    assert not page.evaluate("document.querySelector('dialog').open")


def test_all_is_readable_without_scripts_and_in_print(browser: Any, server: RunningServer) -> None:
    tab = Tab(browser, server, java_script_enabled=False)
    for path in PATHS:
        assert tab.go(path).is_visible("h1")
        assert len(tab.page.inner_text("main")) > MIN_CHARS, path
    page = tab.go("/all")
    assert page.is_visible("#selection")
    page.emulate_media(media="print")
    assert not page.is_visible("nav.side")
    assert page.is_visible("table.atoms")


def test_the_menu_opens_on_a_narrow_screen(browser: Any, server: RunningServer) -> None:
    page = Tab(browser, server, viewport={"width": 360, "height": 700}).go("/tasks")
    assert not page.is_visible("nav.side")
    page.click("text=Menu")
    page.click("nav.side a:has-text('Decisions')")
    page.wait_for_url("**/decisions")


def test_a_card_is_moved_by_its_button_and_by_dragging(browser: Any, server: RunningServer) -> None:
    page = Tab(browser, server, viewport={"width": 1280, "height": 900}).go("/tasks")
    card = "#task-driftwood-51e0"
    page.focus(f"{card} button[value=claim]")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"[data-column=claimed] {card}")
    assert page.evaluate("document.activeElement.id") == card[1:]
    start = page.locator(f"{card} .badge").bounding_box()
    end = page.locator("#column-ready").bounding_box()
    page.mouse.move(start["x"] + 5, start["y"] + 5)
    page.mouse.down()
    page.mouse.move(start["x"] + 15, start["y"] + 12, steps=4)
    page.mouse.move(end["x"] + 20, end["y"] + 10, steps=8)
    page.mouse.up()
    page.wait_for_selector(f"[data-column=ready] {card}")


def test_many_open_pages_leave_connections_for_requests(
    browser: Any, server: RunningServer
) -> None:
    tab = Tab(browser, server)
    pages = [tab.context.new_page() for _ in range(8)]
    for page in pages:
        page.goto(f"{tab.base}/all?q=EXP-006&project=driftwood")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    for page in pages:
        page.wait_for_selector("tr .status:has-text('partial')")
