"""Every page of the panel, over HTTP, as a browser without scripts gets it."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, Page, open_browser, pick_address_shapes
from running_server import run_server_of
from story_scenes import STORY_PATHS, build_sample_with_story

from cortexfs.interfaces.web.routes import PAGES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree, Place

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
    "/cortex/bulletin",
    "/cortex/proposals",
    "/findings/summary",
    "/help",
    *STORY_PATHS,
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
    place = copy_tree(tmp_path_factory.mktemp("panel") / "tree", build_sample_with_story)
    with run_server_of(place) as running:
        yield open_browser(running)


@pytest.fixture(scope="module")
def pages(browser: Browser) -> dict[str, Page]:
    """Each example, asked for once for several tests."""
    return {path: browser.get(path) for path in EXAMPLES}


def test_a_page_is_whole_and_has_nothing_from_outside(pages: dict[str, Page]) -> None:
    for path, page in pages.items():
        assert (page.status, len(page.find_all("h1"))) == (200, 1), path
        assert not re.search(r'(?i)(src|href|action)="(https?:)?//', page.text), path
        assert not page.find_all("style"), path
        assert all(each.get("src") for each in page.find_all("script")), path
        elements = list(page.root.iter())
        assert not [each for each in elements if each.get("style") or each.get("onclick")], path
        names = [each.get("id") for each in elements if each.get("id")]
        assert len(names) == len(set(names)), path


def test_every_form_that_changes_something_has_the_token(
    browser: Browser, pages: dict[str, Page]
) -> None:
    for path, page in pages.items():
        for form in page.find_all("form"):
            values = [each.get("value") for each in form.iter() if each.get("name") == "csrf"]
            assert values == [browser.csrf] * (form.get("method") == "post"), path


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


def test_links_of_a_page_lead_somewhere(browser: Browser, soak: bool) -> None:
    found = {
        link
        for path in ("/", "/all", "/atom/driftwood/EXP-006", "/projects/driftwood", "/decisions")
        for link in browser.get(path).links()
        if link.startswith("/")
    }
    chosen = found if soak else pick_address_shapes(found)
    wrong = {link for link in sorted(chosen) if browser.get(link.partition("#")[0]).status != 200}
    assert not wrong


def test_the_theme_is_chosen_without_scripts(browser: Browser) -> None:
    page = browser.post("/preferences", theme="dark", back="/tasks")
    assert page.find_all("html")[0].get("data-theme") == "dark"
    assert "Tasks" in page.main()
    browser.post("/preferences", theme="system", back="https://elsewhere.example/")
    assert browser.get("/").find_all("html")[0].get("data-theme") == "system"


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


def test_home_says_that_there_is_no_repository(tree: Place) -> None:
    with run_server_of(tree) as running:
        assert "Changes are not recorded" not in open_browser(running).get("/").main()
    shutil.rmtree(tree.root / ".git")
    with run_server_of(tree) as running:
        text = open_browser(running).get("/").main()
    assert "Changes are not recorded, and cannot be undone: there is no git repository." in text
    assert "No commit yet" not in text
