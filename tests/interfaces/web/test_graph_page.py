"""The graph of the panel as data and as a picture, with colours that can be told apart."""

from __future__ import annotations

import json
import re
import threading
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import run_server_of

from cortexfs.core.governance.project_status import StatusUpdate
from cortexfs.core.graph.render_graph_svg import COLOURS, PAPERS
from cortexfs.interfaces.web import older_results
from cortexfs.interfaces.web.pages import graph_page
from cortexfs.operations.map_links import LinkMap, map_links
from cortexfs.operations.status_md import set_status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree, Place


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("panel") / "tree", build_sample)
    with run_server_of(place) as running:
        yield open_browser(running)


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


def test_a_graph_of_the_state_before_says_so_until_the_next_is_made(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    may_go_on.set()

    def map_later(*asked: Any) -> LinkMap:
        may_go_on.wait()
        return map_links(*asked)

    monkeypatch.setattr(graph_page, "map_links", map_later)
    monkeypatch.setattr(older_results, "LONG_S", 0.0)
    monkeypatch.setattr(older_results, "DELAY_S", 0.0)
    with run_server_of(sample) as running:
        browser = open_browser(running)
        assert not list_times(browser)
        may_go_on.clear()
        set_status(running.session, "driftwood", StatusUpdate(next=("Look at the pump",)))
        assert list_times(browser) == ["page", "map", "picture"]
        assert browser.get("/graph").by_id("main").get("data-state") == ""
        may_go_on.set()
        while list_times(browser):
            pass


def list_times(browser: Browser) -> list[str]:
    """Return which parts of Graph say that they are of an earlier state."""
    page, data, picture = map(browser.get, ("/graph", "/graph/map", "/graph/picture"))
    said = {
        "page": "As of" in page.main(),
        "map": "x-as-of" in data.headers,
        "picture": "as of" in picture.text,
    }
    return [name for name, is_said in said.items() if is_said]
