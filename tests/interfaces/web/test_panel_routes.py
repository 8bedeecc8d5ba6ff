"""The routes of the panel: who waits for whom, and which methods a path takes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import RunningServer, make_server_fixture

from cortexfs.session.tree_lock import hold_tree_lock

server = make_server_fixture(build_sample)


@pytest.fixture
def browser(server: RunningServer) -> Browser:
    return open_browser(server)


def test_pages_are_shown_while_changes_wait_for_the_lock_of_the_tree(
    browser: Browser,
) -> None:
    with ThreadPoolExecutor(8) as pool:
        with hold_tree_lock(str(browser.server.place.root), "a test", 0.0):
            waiting = [
                pool.submit(browser.post, "/atom/DR-0003", _follow=False, change="accepted")
                for _ in range(8)
            ]
            pages = [browser.get("/decisions").status for _ in range(10)]
            assert not any(each.done() for each in waiting)
        assert pages == [200] * 10


def test_a_method_that_a_page_does_not_take_is_named_with_those_that_it_does(
    browser: Browser,
) -> None:
    page = browser.post("/projects")
    assert (page.status, page.headers["allow"]) == (405, "GET, HEAD")
    assert browser.post("/nowhere").status == browser.get("/nowhere").status == 404
    page = browser.get("/undo")
    assert (page.status, page.headers["allow"]) == (405, "POST")


def test_an_atom_that_is_missing_is_named_in_the_title(browser: Browser) -> None:
    page = browser.get("/atom/driftwood/EXP-999")
    assert page.status == 404
    assert "No such atom" in page.find_all("title")[0].text
