"""Entities, relations and colours of stories: cards, the graph, and corrections with their undo."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, Page, fold, open_browser
from running_server import run_server_of
from story_scenes import FOLDER, build_story
from test_story_pages import SVG, list_rows

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree

HOME = "/stories/entities"
CORIN = "flywheel/ENT-002"


@pytest.fixture
def browser(tmp_path: Path, copy_tree: CopyTree) -> Iterator[Browser]:
    with run_server_of(copy_tree(tmp_path / "tree", build_story)) as running:
        yield open_browser(running)


def read_entity(browser: Browser, ident: str) -> str:
    (path,) = (browser.server.place.root / FOLDER / "entities").glob(f"{ident}-*.md")
    return path.read_text()


def correct(
    browser: Browser, change: str, item: str = "", value: str = "", ref: str = CORIN
) -> Page:
    """Preview a correction, then confirm it as its form says."""
    before = browser.server.place.git("status", "--porcelain")
    page = browser.post(
        HOME, step="preview", ref=ref, change=change, item=item, value=value, back=HOME
    )
    assert "Nothing is written yet" in page.main(), page.main()
    assert browser.server.place.git("status", "--porcelain") == before
    forms = [each for each in page.find_all("form") if each.get("action") == HOME]
    sent = {each.get("name"): each.get("value") for each in forms[0].iter("input")}
    return browser.post(HOME, **{**sent, "step": "apply"})


def undo(browser: Browser, page: Page) -> None:
    inputs = list(page.by_id("toast").iter("input"))
    (commit,) = [each.get("value") for each in inputs if each.get("name") == "commit"]
    browser.post("/undo", commit=commit, back=HOME)


def find_item(page: Page, change: str, part: str) -> str:
    """Return the item that a button of a card strikes."""
    for form in page.find_all("form"):
        sent = {each.get("name"): each.get("value") for each in form.iter("input")}
        if (sent.get("change"), sent.get("ref")) == (change, CORIN) and part in sent.get(
            "item", ""
        ):
            return str(sent["item"])
    raise AssertionError(f"no button for {change} {part}")


def test_a_card_shows_what_the_file_says(browser: Browser) -> None:
    page = browser.get(f"{HOME}?ref={CORIN}")
    (card,) = list_rows(page)
    for part in (
        "Corin Ashby",
        "character active",
        "Also Corin",
        "Emotional profile",
        "ally",
        "good +",
    ):
        assert part in card
    assert {"/atom/flywheel/CH-0001", "/stories/entities?ref=flywheel/ENT-001"} <= set(page.links())


def test_a_card_says_what_each_fact_comes_from(browser: Browser) -> None:
    (path,) = (browser.server.place.root / FOLDER / "entities").glob(f"{CORIN[-7:]}-*.md")
    path.write_text(f"{path.read_text()}\n## Facts\n\n- [i:6] rows (CH-0001)\n- smokes\n")
    (card,) = list_rows(browser.get(f"{HOME}?ref={CORIN}"))
    assert "rows importance 6 · CH-0001 · heuristic" in card
    assert "smokes importance 5 · a person's" in card


def test_cards_are_filtered_sorted_and_counted(browser: Browser) -> None:
    page = browser.get(f"{HOME}?type=location&sort=name")
    names = [each[0].text for each in page.find_all("h2") if len(each)]
    assert names == sorted(names, key=str.casefold)
    assert f"location ({len(names)})" in page.main()
    assert "Nothing matches" in browser.get(f"{HOME}?q=nothing-like-this").main()
    every = browser.get(f"{HOME}?sort=mentions")
    assert every.find_all("h2")[0][0].text in {"Corin Ashby", "Tamsin Vale"}


def test_a_type_and_a_status_are_corrected_and_undone(browser: Browser) -> None:
    before = read_entity(browser, "ENT-002")
    page = correct(browser, "type", value="faction")
    assert "type: faction" in read_entity(browser, "ENT-002")
    assert "faction" in list_rows(browser.get(f"{HOME}?ref={CORIN}"))[0]
    undo(browser, page)
    assert read_entity(browser, "ENT-002") == before
    correct(browser, "status", value="deceased")
    assert "status: deceased" in read_entity(browser, "ENT-002")
    browser.server.place.ok("story", "rebuild", "ferry", "-p", "flywheel")
    assert "status: deceased" in read_entity(browser, "ENT-002")


def test_what_is_struck_stays_so_in_a_rebuild(browser: Browser) -> None:
    page = browser.get(f"{HOME}?ref={CORIN}")
    relation = find_item(page, "strike-relation", "Brannoch")
    correct(browser, "strike-relation", relation)
    after = read_entity(browser, "ENT-002")
    assert "enemy: Brannoch" not in after
    assert "ally: Tamsin Vale" in after
    correct(browser, "strike-alias", "Corin")
    assert "[Corin]" not in read_entity(browser, "ENT-002")
    browser.server.place.ok("story", "rebuild", "ferry", "-p", "flywheel")
    assert "enemy: Brannoch" not in read_entity(browser, "ENT-002")


def test_a_fact_of_a_person_is_struck_whole(browser: Browser) -> None:
    (path,) = (browser.server.place.root / FOLDER / "entities").glob("ENT-002-*.md")
    path.write_text(
        f"{path.read_text()}\n## Facts\n\n- [i:6] rows the\u200e ferry\n  at night\n- smokes\n"
    )
    page = browser.get(f"{HOME}?ref={CORIN}")
    assert "rows the ferry at night importance 6 · a person's" in list_rows(page)[0]
    correct(browser, "strike-fact", find_item(page, "strike-fact", "rows"))
    after = read_entity(browser, "ENT-002")
    assert "rows" not in after
    assert "at night" not in after
    assert "- smokes" in after


def test_a_removed_entity_takes_the_relations_to_it_along(browser: Browser) -> None:
    place = browser.server.place
    page = correct(browser, "remove", ref="flywheel/ENT-004")
    assert not list((place.root / FOLDER / "entities").glob("ENT-004-*.md"))
    assert "ENT-004" not in read_entity(browser, "ENT-002")
    assert "dangling-ref" not in place.run("check").out
    place.ok("story", "rebuild", "ferry", "-p", "flywheel")
    assert not list((place.root / FOLDER / "entities").glob("ENT-004-*.md"))
    assert "Done: story flywheel/ENT-004: remove" in fold("".join(page.by_id("toast").itertext()))


def test_a_colour_gets_another_use_and_another_owner(browser: Browser) -> None:
    page = browser.get("/stories/colours")
    assert "#2e86c1 Corin Ashby speech" in page.main()
    correct(browser, "usage", "speech #2e86c1", "narration")
    assert "- narration: #2e86c1" in read_entity(browser, "ENT-002")
    assert "speech" not in read_entity(browser, "ENT-002").partition("## Colours")[2]
    correct(browser, "owner", "narration #2e86c1", "flywheel/ENT-004")
    assert "#2e86c1" not in read_entity(browser, "ENT-002")
    assert "## Colours\n\n- narration: #2e86c1\n" in read_entity(browser, "ENT-004")
    assert "#2e86c1 Brannoch narration 1.00" in browser.get("/stories/colours?q=2e86").main()
    correct(browser, "strike-colour", "narration #2e86c1", ref="flywheel/ENT-004")
    assert "#2e86c1" not in read_entity(browser, "ENT-004")


def test_what_cannot_be_corrected_is_refused(browser: Browser) -> None:
    for fields in (
        {"ref": CORIN, "change": "type", "value": "dragon"},
        {"ref": CORIN, "change": "strike-fact", "item": "no such fact"},
        {"ref": CORIN, "change": "strike-alias", "item": "no such alias"},
        {"ref": CORIN, "change": "explode"},
        {"ref": "flywheel/CH-0001", "change": "status", "value": "active"},
        {"ref": "flywheel/ENT-999", "change": "remove"},
        {"ref": CORIN, "change": "owner", "item": "speech #2e86c1", "value": "flywheel/CH-0001"},
    ):
        before = browser.server.place.git("rev-parse", "HEAD")
        for step in ("preview", "apply"):
            page = browser.post(HOME, step=step, back=HOME, **fields)
            assert page.status >= 400, fields
        assert browser.server.place.git("rev-parse", "HEAD") == before


def test_the_graph_has_the_relations_of_the_table(browser: Browser) -> None:
    page = browser.get("/stories/relations?project=flywheel")
    pairs = [each for each in page.find_all(f"{SVG}g") if "pair" in each.get("class")]
    nodes = page.find_all(f"{SVG}a")
    table = {tuple(sorted((row.split()[0], row.partition(":")[0]))) for row in list_rows(page)}
    assert len(nodes) == 4
    assert table
    tones = {each.get("class").rpartition("-")[2] for each in pairs}
    assert tones == {"good", "bad"}
    signs = {"".join(each.itertext())[-1] for each in pairs}
    assert signs == {"+", "\N{MINUS SIGN}"}
    only = browser.get(nodes[0].get("href"))
    assert 0 < len(list_rows(only)) < len(list_rows(page))
    assert "Nothing matches" in browser.get("/stories/relations?project=flywheel&type=fears").main()


def test_relations_are_filtered_and_sorted(browser: Browser) -> None:
    page = browser.get("/stories/relations?project=flywheel&sort=sentiment&order=up")
    rows = list_rows(page)
    felt = [float(row.partition("bad ")[2].split()[0]) for row in rows if "bad " in row]
    assert felt
    assert ["bad" in row for row in rows] == sorted(("bad" in row for row in rows), reverse=True)
    assert len(list_rows(browser.get("/stories/relations?project=flywheel&tone=bad"))) == len(felt)
