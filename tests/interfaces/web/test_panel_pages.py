"""Every page of the panel, over HTTP, as a browser without scripts gets it."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import run_server_of

from cortexfs.core.graph.render_graph_svg import COLOURS, PAPERS
from cortexfs.interfaces.web.panel_request import VISIT_COOKIE
from cortexfs.interfaces.web.render_page import format_long_count, mark_code
from cortexfs.interfaces.web.routes import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree

EXAMPLES = (
    "/",
    "/all",
    "/all?kind=experiment&status=valid&sort=reads&page=1&size=100",
    "/all?q=nothing-like-this",
    "/all?since=30d&until=2026-05&tag=codec&origin=file",
    "/all?archived=yes",
    "/new",
    "/new?kind=knowledge&project=driftwood",
    "/find",
    "/find?q=varint",
    "/find?q=varint&kind=decision",
    "/find?q=qqqqzzzz",
    "/atom/driftwood/EXP-006",
    "/atom/DR-0001",
    "/edit/driftwood/EXP-006",
    "/files/projects/driftwood/STATUS.md",
    "/files/projects/driftwood/TASKS.yaml",
    "/projects",
    "/projects/driftwood",
    "/projects/driftwood?kind=knowledge",
    "/projects/driftwood/score",
    "/graph",
    "/graph?kind=decision",
    "/tasks",
    "/tasks?project=driftwood",
    "/tasks?q=frame&sort=claimed&show=all",
    "/decisions",
    "/decisions?status=proposed",
    "/memory",
    "/memory?kind=session&sort=title",
    "/projects?q=drift&sort=atoms",
    "/findings?severity=error&sort=code",
    "/injections?sort=tokens&q=x",
    "/entities",
    "/entities?type=file&q=a&sort=name",
    "/cortex/proposals/count",
    "/entities?name=gzip",
    "/findings",
    "/findings?code=stale-evidence",
    "/findings/doctor",
    "/chat",
    "/cortex",
    "/injections",
    "/wiring",
    "/wiring/cursor",
    "/cortex/proposals",
    "/findings/summary",
    "/help",
)


OTHER_ANSWERS = {
    "/changes",
    "/changes/events",
    "/memory/score/{ref:path}",
    "/wiring/background/{name}",
    "/history/{ref:path}",
    "/graph/map",
    "/graph/picture",
}
"""The routes that answer with no page, or about one change."""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("panel") / "tree", build_sample)
    with run_server_of(place) as running:
        yield open_browser(running)


def test_a_page_is_whole_and_has_nothing_from_outside(browser: Browser) -> None:
    for path in EXAMPLES:
        page = browser.get(path)
        assert (page.status, len(page.find_all("h1"))) == (200, 1), path
        assert not re.search(r'(?i)(src|href|action)="(https?:)?//', page.text), path
        assert not page.find_all("style"), path
        assert all(each.get("src") for each in page.find_all("script")), path
        elements = list(page.root.iter())
        assert not [each for each in elements if each.get("style") or each.get("onclick")], path
        names = [each.get("id") for each in elements if each.get("id")]
        assert len(names) == len(set(names)), path


def test_every_form_that_changes_something_has_the_token(browser: Browser) -> None:
    for path in EXAMPLES:
        for form in browser.get(path).find_all("form"):
            values = [each.get("value") for each in form.iter() if each.get("name") == "csrf"]
            assert values == [browser.csrf] * (form.get("method") == "post"), path


def test_the_graph_is_sent_as_data_and_as_a_picture(browser: Browser) -> None:
    found = json.loads(browser.get("/graph/map?project=driftwood").text)
    assert {atom["ref"].partition("/")[0] for atom in found["atoms"]} == {"driftwood"}
    picture = browser.get("/graph/picture?project=driftwood")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.count("<circle") == len(found["atoms"])


def test_the_page_and_the_picture_of_the_graph_have_the_same_colours() -> None:
    style = files("cortexfs.interfaces.web").joinpath("static/graph.css").read_text()
    found = re.findall(r"--graph-\d+: light-dark\((#\w+), (#\w+)\)", style)
    assert found == list(COLOURS)
    for pair in COLOURS:
        for colour, paper in zip(pair, PAPERS, strict=True):
            assert compute_contrast(colour, paper) >= 3, (colour, paper)


def compute_contrast(one: str, other: str) -> float:
    """Return the contrast of two colours as WCAG 2 defines it."""
    low, high = sorted(compute_luminance(each) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


def compute_luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * each for weight, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_each_route_has_an_example() -> None:
    patterns = [
        re.sub(r"\{\w+:path\}", ".+", re.sub(r"\{\w+\}", "[^/]+", path))
        for method, path, _ in PAGES
        if method == "GET" and path not in OTHER_ANSWERS
    ]
    paths = [path.partition("?")[0] for path in EXAMPLES]
    assert not [each for each in patterns if not any(re.fullmatch(each, path) for path in paths)]


def test_what_is_not_there_is_said_and_never_empty(browser: Browser) -> None:
    for path in ("/nothing", "/atom/driftwood/EXP-999", "/projects/nobody", "/files/nothing.md"):
        page = browser.get(path)
        assert page.status == 404
        assert page.find_all("h1")
    assert "did you mean" in browser.get("/projects/driftwod").main()
    assert browser.get("/all?since=yesterday").status == 400
    assert browser.get("/all?sort=colour").status == 400
    assert browser.get("/files/.git/config").status == 400


def test_three_kinds_of_emptiness_are_told_apart(browser: Browser) -> None:
    assert "Nothing matches" in browser.get("/all?q=nothing-like-this").main()
    assert "No result" in browser.get("/find?q=qqqqzzzz").main()
    for path in ("/memory", "/injections"):
        assert "Wiring connects your agents." in browser.get(path).main()
    assert "No memory yet" in browser.get("/memory").main()
    assert browser.get("/all?q=nothing-like-this").by_id("filter-q").get("value")


def test_links_of_a_page_lead_somewhere(browser: Browser) -> None:
    found = {
        link
        for path in ("/", "/all", "/atom/driftwood/EXP-006", "/projects/driftwood", "/decisions")
        for link in browser.get(path).links()
        if link.startswith("/")
    }
    atoms = sorted(link for link in found if link.startswith(("/atom/", "/history/", "/all?")))
    chosen = {*found.difference(atoms), *atoms[::12]}
    wrong = {link for link in sorted(chosen) if browser.get(link.partition("#")[0]).status != 200}
    assert not wrong


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


def test_the_theme_is_chosen_without_scripts(browser: Browser) -> None:
    page = browser.post("/preferences", theme="dark", back="/tasks")
    assert page.find_all("html")[0].get("data-theme") == "dark"
    assert "Tasks" in page.main()
    browser.post("/preferences", theme="system", back="https://elsewhere.example/")
    assert browser.get("/").find_all("html")[0].get("data-theme") == "system"


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


def test_scripts_may_be_kept_for_ever_and_pages_never(browser: Browser) -> None:
    page = browser.get("/")
    (script,) = [each.get("src") for each in page.find_all("script")]
    answer = browser.get(script)
    assert "immutable" in answer.headers["cache-control"]
    assert page.headers["cache-control"] == "no-store"
    imported = re.findall(r'from "\./([\w.]+)"', answer.text)
    folder = script.rpartition("/")[0]
    assert imported
    assert {browser.get(f"{folder}/{name}").status for name in imported} == {200}
    assert browser.get("/static/000000000000/panel.js").status == 404
    assert browser.get(f"{folder}/..%2Froutes.py").status == 404


def test_a_tree_that_has_gone_is_said_on_every_page_and_may_come_back(browser: Browser) -> None:
    root = browser.server.place.root
    root.rename(away := root.with_name("away"))
    try:
        found = {path: browser.get(path).status for path in EXAMPLES}
    finally:
        away.rename(root)
    from_the_tree = set(EXAMPLES) - {"/help", "/find"}  # the form of a search is always there
    assert {path: found[path] for path in from_the_tree if found[path] != 503} == {}
    assert browser.get("/all").status == 200
