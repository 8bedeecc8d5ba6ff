"""The panel in a real browser: each page with axe, keys, search as you type. Needs `--soak`.

`tests/run_panel_in_chromium.sh` installs what it needs and runs it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from chromium_tab import Tab

if TYPE_CHECKING:
    from collections.abc import Sequence

    from running_server import RunningServer

AXE = os.environ.get("CORTEXFS_AXE", "")
"""The path of axe.min.js; the world of a test removes the variable later."""
PATHS = (
    *("/", "/all", "/find?q=varint", "/atom/driftwood/EXP-006", "/edit/driftwood/EXP-006"),
    *("/new", "/new?kind=knowledge&project=driftwood", "/atom/DR-0003", "/?tab=cold"),
    *("/projects", "/projects/driftwood", "/projects/driftwood/score", "/tasks", "/decisions"),
    *("/memory", "/entities", "/entities?name=src/pack.rs", "/findings", "/help", "/graph"),
    *("/cortex", "/cortex/proposals", "/cortex/bulletin", "/chat", "/injections"),
    *("/wiring", "/wiring/cursor"),
    "/nothing",
)
MIN_CHARS = 30
"""More than a heading: what a page says without scripts."""
RULES = {"rules": {"target-size": {"enabled": True}}}
REF = "driftwood/EXP-006"
ATOM = "projects/driftwood/experiments/EXP-006.md"


def test_each_page_fits_and_axe_finds_nothing(chromium: Any, server: RunningServer) -> None:
    assert find_flaws(chromium, server, PATHS) == []


def find_flaws(chromium: Any, server: RunningServer, paths: Sequence[str]) -> list[Any]:
    """Return the pages that scroll sideways or have violations, at each width and theme."""
    found: list[Any] = []
    for width in (320, 1280, 2560):  # 320: 1,280 pixels at 400 %
        for theme in ("light", "dark"):
            tab = Tab(
                chromium,
                server,
                viewport={"width": width, "height": 900},
                color_scheme=theme,
                bypass_csp=bool(AXE),
            )
            for path in paths:
                page = tab.go(path)
                page.wait_for_load_state("networkidle")
                if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
                    found.append((path, width, "scrolls sideways"))
                if AXE:
                    page.add_script_tag(path=AXE)
                    answer = page.evaluate("rules => axe.run(document, rules)", RULES)
                    found += [(path, width, theme, each["id"]) for each in answer["violations"]]
            tab.context.close()
    return found


def test_nothing_is_fetched_from_elsewhere_and_the_policy_reports_nothing(
    chromium: Any, server: RunningServer
) -> None:
    tab = Tab(chromium, server)
    addresses: list[str] = []
    tab.page.on("request", lambda asked: addresses.append(asked.url))
    for path in PATHS[:-1]:
        tab.go(path).wait_for_load_state("networkidle")
    assert [each for each in addresses if not each.startswith(tab.base)] == []
    assert tab.errors == []


def test_rows_are_selected_changed_and_undone_by_keys_alone(
    chromium: Any, server: RunningServer
) -> None:
    before = server.place.read(ATOM)
    page = Tab(chromium, server).go("/all?q=EXP-006&project=driftwood")
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


def test_search_answers_while_somebody_types(chromium: Any, server: RunningServer) -> None:
    tab = Tab(chromium, server)
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


def test_an_atom_is_created_by_keys_alone_with_findings_while_typing(
    chromium: Any, server: RunningServer
) -> None:
    tab = Tab(chromium, server)
    page = tab.go("/projects/driftwood")
    page.keyboard.press("c")
    page.wait_for_url("**/new?*")
    page.focus("#new-kind")
    page.keyboard.type("knowledge")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("#new-summary")
    page.focus("#new-summary")
    page.keyboard.type("Bearings hum")
    page.wait_for_selector("#flaws:has-text('Not complete yet')")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.type("EXP-006")
    page.wait_for_selector("#flaws:has-text('No findings')")
    page.focus("button[value=preview]")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Create exactly this")
    assert page.evaluate("document.activeElement.id") == "main"
    page.focus("button:has-text('Create exactly this')")
    page.keyboard.press("Enter")
    page.wait_for_url("**/atom/driftwood/K-*")
    assert "Bearings hum" in page.inner_text("h1")
    assert [each for each in tab.errors if "404" not in each and "409" not in each] == []


def test_a_menu_is_closed_by_escape_and_by_a_click_elsewhere(
    chromium: Any, server: RunningServer
) -> None:
    page = Tab(chromium, server).go("/all")
    page.focus("#more-filters summary")
    page.keyboard.press("Enter")
    assert page.is_visible("#filter-tag")
    page.keyboard.press("Escape")
    assert not page.is_visible("#filter-tag")
    assert page.evaluate("document.activeElement.localName") == "summary"
    page.click("#more-filters summary")
    page.click("h1")
    assert not page.is_visible("#filter-tag")
    page.click("#more-filters summary")
    page.fill("#filter-tag", "codec")
    page.keyboard.press("Enter")
    page.wait_for_url("**/all?tag=codec")
    assert "tag: codec" in page.inner_text(".chips")
    assert "More (1)" in page.inner_text("#more-filters")


def test_keys_can_be_switched_off(chromium: Any, server: RunningServer) -> None:
    page = Tab(chromium, server).go("/help")
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


def test_all_is_readable_without_scripts_and_in_print(chromium: Any, server: RunningServer) -> None:
    tab = Tab(chromium, server, java_script_enabled=False)
    for path in PATHS:
        assert tab.go(path).is_visible("h1")
        assert len(tab.page.inner_text("main")) > MIN_CHARS, path
    page = tab.go("/all")
    assert page.is_visible("#selection")
    page.emulate_media(media="print")
    assert not page.is_visible("nav.side")
    assert page.is_visible("table.atoms")


def test_the_menu_opens_on_a_narrow_screen(chromium: Any, server: RunningServer) -> None:
    page = Tab(chromium, server, viewport={"width": 360, "height": 700}).go("/tasks")
    assert not page.is_visible("nav.side")
    page.click("text=Menu")
    page.click("nav.side a:has-text('Decisions')")
    page.wait_for_url("**/decisions")


def test_a_decision_is_chosen_without_losing_the_list(chromium: Any, server: RunningServer) -> None:
    page = Tab(chromium, server).go("/decisions?sort=ref")
    page.evaluate("window.isSame = true")
    for key in ("j", "j", "x", "o"):
        page.keyboard.press(key)
    page.wait_for_selector("#chosen:focus")
    chosen = page.get_attribute("[data-choose][aria-current]", "href")
    assert page.url.endswith(chosen.partition("#")[0])
    assert page.evaluate("window.isSame")
    assert page.is_checked("[data-row]:has([aria-current]) input[name=ref]")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"[data-choose][aria-current]:not([href='{chosen}'])")
    assert page.evaluate("window.isSame")


def test_on_a_narrow_screen_the_chosen_decision_is_below_the_list(
    chromium: Any, server: RunningServer
) -> None:
    for scripts in (True, False):
        narrow = {"width": 360, "height": 700}
        page = Tab(chromium, server, viewport=narrow, java_script_enabled=scripts).go("/decisions")
        page.click("text=driftwood/DR-0003")
        page.wait_for_url("**/decisions?chosen=driftwood*")
        shown = page.locator("#chosen-title", has_text="driftwood/DR-0003")
        shown.wait_for()
        top = shown.bounding_box()["y"]
        assert 0 < top < narrow["height"] / 2
        page.click("text=Back to the list")
        assert page.locator("[data-choose][aria-current]").is_visible()
