"""The panel in a real browser: what changes elsewhere, and what is changed here. Needs `--soak`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from chromium_tab import Tab
from place import build_sample
from running_server import run_server_of

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree
    from running_server import RunningServer

REF = "driftwood/EXP-006"
ATOM = "projects/driftwood/experiments/EXP-006.md"


def test_findings_follow_the_text_and_two_tabs_lose_nothing(
    chromium: Any, server: RunningServer
) -> None:
    first, second = Tab(chromium, server), Tab(chromium, server)
    one, two = (each.go(f"/edit/{REF}") for each in (first, second))
    two.fill("#text", two.input_value("#text") + "\nTwo.\n")
    one.fill("#text", one.input_value("#text").replace("summary:", "summry:"))
    one.wait_for_selector("#flaws:has-text('summary')")
    one.fill("#text", one.input_value("#text").replace("summry:", "summary:") + "\nOne.\n")
    one.click("button[value=save]")
    one.wait_for_url(f"**/atom/{REF}*")
    two.click("button[value=save]")
    assert "One." in two.input_value("#theirs")
    assert "Two." in two.input_value("#text")
    assert "Two." not in server.place.read(ATOM)


def test_a_change_made_elsewhere_shows_without_reloading(
    chromium: Any, server: RunningServer
) -> None:
    page = Tab(chromium, server).go("/")
    page.wait_for_load_state("networkidle")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    page.wait_for_selector("text=seen elsewhere")


def test_an_update_keeps_what_was_typed_selected_and_focused(
    chromium: Any, server: RunningServer
) -> None:
    page = Tab(chromium, server).go(f"/atom/{REF}")
    page.fill("#reason", "not sent yet")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    page.wait_for_selector(".meta .status:has-text('partial')")
    assert page.input_value("#reason") == "not sent yet"
    assert page.evaluate("document.activeElement.id") == "reason"
    page = Tab(chromium, server).go("/all?project=driftwood")
    page.check(f"input[value='{REF}']")
    server.place.ok("mark", "driftwood/EXP-007", "partial", "--reason", "seen elsewhere")
    page.wait_for_selector("tr:has-text('EXP-007') .status:has-text('partial')")
    assert page.inner_text("[data-picked]") == "1 selected"
    assert page.is_checked(f"input[value='{REF}']")


def test_a_text_outlives_the_server_and_the_page(
    chromium: Any, tmp_path: Path, copy_tree: CopyTree
) -> None:
    place = copy_tree(tmp_path / "tree", build_sample)
    with run_server_of(place) as first:
        page = Tab(chromium, first).go(f"/edit/{REF}")
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


def test_a_card_is_moved_by_its_button_and_by_dragging(
    chromium: Any, server: RunningServer
) -> None:
    page = Tab(chromium, server, viewport={"width": 1280, "height": 900}).go("/tasks")
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
    chromium: Any, server: RunningServer
) -> None:
    tab = Tab(chromium, server)
    pages = [tab.context.new_page() for _ in range(8)]
    for page in pages:
        page.goto(f"{tab.base}/all?q=EXP-006&project=driftwood")
    server.place.ok("mark", REF, "partial", "--reason", "seen elsewhere")
    for page in pages:
        page.wait_for_selector("tr .status:has-text('partial')")
