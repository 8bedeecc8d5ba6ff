"""The graph of the panel as data and as a picture, with colours that can be told apart."""

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

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree


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
