"""The graph in a real browser: pointer, keys, path, groups, search, both themes. Needs `--soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from chromium_tab import Tab

from cortexfs.core.graph.render_graph_svg import COLOURS

if TYPE_CHECKING:
    from running_server import RunningServer

HAS_COLOUR = """async ([red, green, blue]) => {
  const canvas = document.querySelector("canvas");
  for (let frame = 0; frame < 600; frame += 1) {
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4)
      if (data[at] === red && data[at + 1] === green && data[at + 2] === blue) return true;
    await new Promise(requestAnimationFrame);
  }
  return false;
}"""
"""Whether the picture has a colour, or gets it within 600 frames."""


@pytest.fixture
def tab(chromium: Any, server: RunningServer) -> Tab:
    return Tab(chromium, server, color_scheme="light")


def open_graph(tab: Tab, query: str = "") -> Any:
    page = tab.go(f"/graph{query}")
    page.wait_for_selector(".graph.is-drawn .groups button")
    return page


def read_status(page: Any) -> str:
    return str(page.inner_text("[data-graph-status]"))


def test_keys_alone_go_from_atom_to_atom_find_a_path_and_open_one(tab: Tab) -> None:
    page = open_graph(tab)
    page.focus("canvas")
    page.keyboard.press("ArrowRight")
    first = page.inner_text("[data-graph-detail] h2")
    page.keyboard.press("ArrowDown")
    second = page.inner_text("[data-graph-detail] h2")
    assert first != second
    assert read_status(page).startswith(second)
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.textContent") != "Path from here":
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.tagName") == "CANVAS"
    for key in ("ArrowUp", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    assert "path" in read_status(page)
    page.keyboard.press("Enter")  # the path ends here
    chosen = page.inner_text("[data-graph-detail] h2")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/atom/{chosen}")
    assert tab.errors == []


def test_a_pointer_selects_drags_and_zooms(tab: Tab) -> None:
    page = open_graph(tab)
    page.fill("[data-graph-search]", "EXP-006 blocks")
    page.keyboard.press("Enter")
    assert page.inner_text("[data-graph-detail] h2") == "driftwood/EXP-006"
    page.click("[data-graph-detail] .graph-list button >> nth=0")
    assert page.evaluate("document.activeElement.closest('h2') !== null")
    page.mouse.move(500, 400)
    page.mouse.wheel(0, -300)
    page.mouse.down()
    page.mouse.move(600, 500, steps=4)
    page.mouse.up()
    page.click("[data-graph-action=fit]")
    page.keyboard.press("Escape")
    page.focus("canvas")
    page.keyboard.press("Escape")
    page.click(".groups button >> nth=0")
    assert "shown" in read_status(page)
    assert tab.errors == []


def test_the_picture_follows_the_theme_and_its_filters(tab: Tab) -> None:
    page = open_graph(tab)
    for theme, colour in zip(("light", "dark"), COLOURS[0], strict=True):
        page.emulate_media(color_scheme=theme)
        assert page.evaluate(HAS_COLOUR, list(bytes.fromhex(colour[1:])))
    page.select_option("#graph-project", "greenhouse")
    page.wait_for_url("**/graph?project=greenhouse")
    refs = page.locator("table .ref").all_inner_texts()
    assert refs
    assert all(ref.startswith("greenhouse/") for ref in refs)
    with page.expect_download() as download:
        page.click("text=Download as SVG")
    assert download.value.suggested_filename == "graph.svg"
