"""The pages of stories in a real browser: axe, widths, keys, no scripts. Needs `--soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from chromium_tab import Tab
from running_server import run_server_of
from story_scenes import PAGE, STORY_PATHS, build_story
from test_panel_in_chromium import MIN_CHARS, find_flaws
from test_story_xss import PATHS as HOSTILE_PATHS
from test_story_xss import build_hostile_story
from test_xss_in_chromium import Watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree
    from running_server import RunningServer


@pytest.fixture
def stories(tmp_path: Path, copy_tree: CopyTree) -> Iterator[RunningServer]:
    with run_server_of(copy_tree(tmp_path / "tree", build_story)) as running:
        yield running


def test_each_page_fits_and_axe_finds_nothing(chromium: Any, stories: RunningServer) -> None:
    assert find_flaws(chromium, stories, STORY_PATHS) == []


def test_each_page_is_read_without_scripts(chromium: Any, stories: RunningServer) -> None:
    tab = Tab(chromium, stories, java_script_enabled=False)
    for path in STORY_PATHS:
        assert tab.go(path).is_visible("h1")
        assert len(tab.page.inner_text("main")) > MIN_CHARS, path


def test_the_timeline_is_walked_by_keys_alone(chromium: Any, stories: RunningServer) -> None:
    page = Tab(chromium, stories).go(PAGE)
    page.focus("[aria-label='Timeline of salience']")
    for _ in range(3):
        page.keyboard.press("Tab")
    box = page.evaluate("document.activeElement.querySelector('.hit').getBoundingClientRect()")
    assert min(box["width"], box["height"]) >= 24
    page.keyboard.press("Enter")
    page.wait_for_url("**/atom/flywheel/CH-0003")
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/stories")
    page.keyboard.press("j")
    page.keyboard.press("o")
    page.wait_for_url(f"**{PAGE}")


def test_an_entity_is_corrected_by_keys_alone_and_undone(
    chromium: Any, stories: RunningServer
) -> None:
    (file,) = (stories.place.root / "projects/flywheel/entities").glob("ENT-001-*.md")
    before = file.read_text()
    page = Tab(chromium, stories).go("/stories/entities?ref=flywheel/ENT-001")
    page.focus(".correct summary")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.type("faction")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Nothing is written yet")
    page.focus("button:has-text('Apply')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#toast:has-text('type faction')")
    assert "type: faction" in file.read_text()
    page.focus("#toast button")
    page.keyboard.press("Enter")
    page.wait_for_selector("#toast:has-text('undo: ')")
    assert file.read_text() == before


def test_no_page_of_a_hostile_story_runs_or_reports_anything(
    chromium: Any, tmp_path: Path, copy_tree: CopyTree
) -> None:
    with run_server_of(copy_tree(tmp_path / "tree", build_hostile_story)) as running:
        tab = Watched(chromium, running)
        for path in HOSTILE_PATHS:
            assert tab.find_wrong(path) == [], path
