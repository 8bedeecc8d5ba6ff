"""What the pages of the panel list: filtered, sorted, counted, marked, linked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import run_server_of

from cortexfs.interfaces.web.panel_request import VISIT_COOKIE
from cortexfs.interfaces.web.render_page import format_long_count, mark_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("panel") / "tree", build_sample)
    with run_server_of(place) as running:
        yield open_browser(running)


def test_three_kinds_of_emptiness_are_told_apart(browser: Browser) -> None:
    assert "Nothing matches" in browser.get("/all?q=nothing-like-this").main()
    assert "No result" in browser.get("/find?q=qqqqzzzz").main()
    for path in ("/memory", "/injections"):
        assert "Wiring connects your agents." in browser.get(path).main()
    assert "No memory yet" in browser.get("/memory").main()
    assert browser.get("/all?q=nothing-like-this").by_id("filter-q").get("value")


def test_a_list_is_filtered_sorted_and_counted_by_the_server(browser: Browser) -> None:
    page = browser.get("/all?kind=decision&sort=title")
    titles = [fold for fold in (row.get("href") for row in page.find_all("a")) if fold]
    assert "10 of 70 atoms" in page.main()
    shown = [link for link in titles if link.startswith("/atom/")]
    assert len(dict.fromkeys(shown)) == 10
    (head,) = [each for each in page.find_all("th") if each.get("aria-sort")]
    assert head.get("aria-sort") == "ascending"
    assert "experiment (34)" in page.main()  # what another choice would give


def test_entities_are_filtered_sorted_and_counted_by_the_server(browser: Browser) -> None:
    def list_names(path: str) -> list[str]:
        links = [
            each for each in browser.get(path).find_all("a") if each.get("data-open") is not None
        ]
        return ["".join(each.itertext()) for each in links]

    every = browser.get("/entities")
    total = int(re.search(r"(\d+) entities", every.main())[1])
    files = list_names("/entities?type=file&sort=name")
    assert files == sorted(files, key=str.lower)
    assert list_names("/entities?type=file&sort=name&order=down") == files[::-1]
    assert f"file ({len(files)})" in every.main()
    found = list_names("/entities?q=.PY")
    assert 0 < len(found) < total
    assert all(".py" in name.lower() for name in found)
    assert "Nothing matches" in browser.get("/entities?q=nothing-like-this").main()
    assert browser.get("/entities?sort=colour").status == 400


def test_a_second_page_continues_the_first(browser: Browser) -> None:
    def list_refs(path: str) -> list[str]:
        boxes = browser.get(path).find_all("input")
        return [each.get("value") for each in boxes if each.get("name") == "ref"]

    first, second = list_refs("/all?size=50"), list_refs("/all?size=50&page=2")
    assert (len(first), len(second)) == (50, 20)
    assert not {*first} & {*second}
    assert sorted(first + second) == sorted(list_refs("/all?size=200"))


def test_an_atom_shows_links_both_ways_and_its_history(browser: Browser) -> None:
    page = browser.get("/atom/driftwood/EXP-006")
    text = page.main()
    assert "driftwood/DR-0003 evidence, text" in text
    assert "driftwood/EXP-003 links, text" in text
    assert "Reads 9" in text
    (change,) = {link for link in page.links() if link.startswith("/history/")}
    diff = browser.get(change)
    assert diff.status == 200
    assert "The file was new." in diff.main()


def test_a_result_says_why_it_ranks_there(browser: Browser) -> None:
    page = browser.get("/find?q=varint")
    assert page.find_all("mark")[0].text == "varint"
    assert re.search(r"Why here *[\d.]+ = [\d.]+ for words", page.main())


def test_what_a_message_quotes_is_shown_as_code(browser: Browser) -> None:
    quoted = [each.text for each in browser.get("/findings").find_all("code")]
    assert "driftwood/EXP-005" in quoted
    assert "`" not in browser.get("/tasks").main()
    assert mark_code("`<b>` and ` alone") == "<code>&lt;b&gt;</code> and ` alone"


def test_home_tells_what_is_new_since_the_last_visit(browser: Browser) -> None:
    browser.cookies.pop(VISIT_COOKIE, None)
    first = browser.get("/").main()
    assert "The last week 1 change" in first
    assert "The last week 1 change" in browser.get("/").main()  # the same visit
    browser.cookies[VISIT_COOKIE] = ".2026-05-06T18:00:00Z"
    assert "Since you were here" in browser.get("/").main()
    assert "Since 2026-05-06 18:00 UTC" in browser.get("/").main()
    assert "Decisions to be made 1" in first
    assert "None." in browser.get("/cortex/proposals/count").main()
    assert len(browser.get("/").find_all("table")) == 1


def test_the_lists_of_home_are_tabs_without_scripts(browser: Browser) -> None:
    shown = {tab: browser.get(f"/?tab={tab}") for tab in ("newest", "hot", "cold", "challenged")}
    for tab, page in shown.items():
        (current,) = [e for e in page.by_id("lists").iter("a") if e.get("aria-current")]
        assert current.text.strip().lower() == tab
    texts = {tab: "".join(page.by_id("lists").itertext()) for tab, page in shown.items()}
    assert "driftwood/K-006" in texts["challenged"]
    assert "driftwood/K-006" not in texts["hot"]
    assert "since" in texts["cold"]
    assert re.search(r"\d+ reads, last", texts["hot"])
    assert browser.get("/?tab=colour").by_id("lists") is not None


def test_thousands_are_apart() -> None:
    assert format_long_count(1234567, "atom") == "1,234,567 atoms"
    assert format_long_count(1, "atom") == "1 atom"


def test_beside_the_decisions_is_the_chain_of_the_chosen_one(browser: Browser) -> None:
    page = browser.get("/decisions?sort=ref&chosen=DR-0001")
    (chosen,) = [
        each
        for each in page.find_all("a")
        if each.get("aria-current") == "true" and each.get("data-choose") is not None
    ]
    assert "DR-0001" in "".join(chosen.itertext())
    pane = " ".join("".join(page.by_id("chosen").itertext()).split())
    assert pane.startswith("What led to DR-0001, and what followed")
    assert "Rests on 1 DR-0002" in pane
    assert "Leads to" in pane
    assert "DR-0003" in pane.partition("Leads to")[2]


def test_without_a_choice_the_first_decision_is_chosen(browser: Browser) -> None:
    for query in ("status=proposed", "status=proposed&chosen=DR-0001", "status=proposed&chosen=no"):
        page = browser.get(f"/decisions?{query}")
        assert "What led to DR-0003, and what followed" in page.main()
        assert "Accept…" in page.main()
    assert "Nothing matches" in browser.get("/decisions?q=qqqq&chosen=DR-0001").main()
