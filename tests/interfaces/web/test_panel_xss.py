"""A hundred hostile texts in every field that a page shows: they stay text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote
from xml.etree import ElementTree as ET

import pytest
from panel_browser import Browser, Page, open_browser
from place import build_tree
from running_server import run_server_of
from soak_cases import leave_to_soak
from xss_payloads import PAYLOADS

from cortexfs.core.text.sanitize import strip_unprintable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Set as AbstractSet

    from place import CopyTree, Place

FRAME_TAGS = (
    {"html", "head", "meta", "title", "link", "script", "body", "header", "nav", "main", "aside"}
    | {"section", "article", "div", "span", "a", "p", "h1", "h2", "h3", "h4", "ul", "ol", "li"}
    | {"form", "fieldset", "legend", "label", "input", "select", "option", "textarea", "button"}
    | {"table", "caption", "thead", "tbody", "tr", "th", "td", "dl", "dt", "dd", "dialog"}
)
TEXT_TAGS = (
    {"b", "blockquote", "br", "code", "del", "details", "em", "hr", "ins", "kbd", "mark", "pre"}
    | {"strong", "summary", "time"}
)  # fmt: skip
SAFE_LINKS = ("/", "#", "?", "https://", "http://", "mailto:")


SUMMARIES = {strip_unprintable(" ".join(each.split())) for each in PAYLOADS}
SVG_TAGS = {"svg", "style", "path", "circle", "title", "text"}
GRAPH_TAGS = {"canvas", "noscript", "img"}


def build_hostile(place: Place) -> None:
    """Make a tree whose atoms, pages, tasks, commits and authors all have hostile texts."""
    build_tree(place)
    for number, payload in enumerate(PAYLOADS, 1):
        line = json.dumps(" ".join(payload.split()))
        fields = {
            "id": f"OBS-{number:03d}",
            "date": "2026-05-01",
            "project": "flywheel",
            "summary": line,
            "tags": f"[{line}]",
            "status": line,
            "type": line,
            "session": line,
            "tool": line,
            "topic-key": line,
            "origin": line,
            "links": f"[{line}, OBS-001]",
            "own-key": line,
        }
        front = "".join(f"{key}: {value}\n" for key, value in fields.items())
        forms = ("# {}", "{}", "- {}", "| a |\n|---|\n| {} |", "`{}`", "> {}", "bearing")
        body = "\n\n".join(form.format(payload) for form in forms)
        path = f"projects/flywheel/observations/OBS-{number:03d}.md"
        place.write(path, f"---\n{front}---\n\n{body}")
    every = "\n".join(f"- [ ] {' '.join(each.split())}" for each in PAYLOADS)
    for name in ("STATUS.md", "mission.md", "roadmap.md", "ISSUES.md"):
        place.write(
            f"projects/flywheel/{name}", f"# {PAYLOADS[0]}\n\n## Current phase\n\n{every}\n"
        )
    tasks = [
        {"id": f"{n:04x}", "text": each, "priority": "high"} for n, each in enumerate(PAYLOADS)
    ]
    place.write("projects/flywheel/TASKS.yaml", json.dumps({"tasks": tasks}))
    place.git("add", ".")
    for payload in PAYLOADS[::8]:
        author = payload.replace("<", "").replace(">", "").replace("\n", " ").strip() or "x"
        place.git("commit", "-qm", payload, "--allow-empty", f"--author={author} <a@example.org>")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("xss") / "tree", build_hostile)
    with run_server_of(place) as running:
        yield open_browser(running)


def find_danger(page: Page, browser: Browser, tags: AbstractSet[str] = frozenset()) -> list[str]:
    """Return what a payload has become, other than text; the page itself may have more `tags`."""
    found = []
    for each in page.root.iter():
        if not isinstance(each.tag, str):
            found.append("a comment")
            continue
        attributes: dict[str, Any] = dict(each.items())
        link = attributes.get("href") or attributes.get("action") or attributes.get("src") or "/"
        is_ours = each.tag in FRAME_TAGS | TEXT_TAGS | tags and (
            each.tag != "script" or attributes.get("src")
        )
        is_quiet = not any(name.startswith("on") or name == "style" for name in attributes)
        leads_home = link.startswith(SAFE_LINKS) and not link.startswith("//")
        has_token = attributes.get("name") != "csrf" or attributes.get("value") == browser.csrf
        if not (is_ours and is_quiet and leads_home and has_token):
            found.append(f"{each.tag} {attributes}")
    return found


def test_there_are_a_hundred_of_them() -> None:
    assert len(set(PAYLOADS)) == 100


def test_a_list_shows_them_as_text(browser: Browser) -> None:
    page = browser.get("/all?size=200")
    assert find_danger(page, browser) == []
    for payload in PAYLOADS:
        shown = " ".join(payload.replace("\u202e", "").replace("\u2028", "").split())
        assert shown.replace("\u2029", "") in page.main(), payload


@pytest.mark.parametrize(
    "path",
    leave_to_soak(
        [
            "/",
            "/find?q=bearing",
            "/projects",
            "/projects/flywheel",
            "/projects/flywheel/score",
            "/tasks",
            "/decisions",
            "/memory",
            "/entities",
            "/findings",
            "/findings/doctor",
            "/findings/summary",
            "/cortex?project=flywheel&ended=yes",
            "/cortex/bulletin",
            "/cortex/proposals",
            "/memory?project=flywheel",
            "/decisions?q=OBS",
            "/wiring",
            "/help",
            "/files/projects/flywheel/STATUS.md",
            "/files/projects/flywheel/TASKS.yaml",
        ],
        every=4,
    ),
)
def test_every_other_page_shows_them_as_text(browser: Browser, path: str) -> None:
    page = browser.get(path)
    assert page.status == 200
    assert find_danger(page, browser) == []


def test_the_graph_shows_them_as_text(browser: Browser) -> None:
    page = browser.get("/graph")
    assert find_danger(page, browser, GRAPH_TAGS) == []
    found = json.loads(browser.get("/graph/map").text)
    assert SUMMARIES - {atom["summary"] for atom in found["atoms"]} == set()
    picture = ET.fromstring(browser.get("/graph/picture").text)  # noqa: S314 - our own
    assert {each.tag.rpartition("}")[2] for each in picture.iter()} == SVG_TAGS
    assert not [name for each in picture.iter() for name in each.attrib if name.startswith("on")]


def test_their_own_pages_show_them_as_text(browser: Browser, *, soak: bool) -> None:
    for number in range(1, 101, 1 if soak else 9):
        page = browser.get(f"/atom/flywheel/OBS-{number:03d}")
        assert page.status == 200
        assert find_danger(page, browser) == [], PAYLOADS[number - 1]


def test_an_editor_holds_them_character_for_character(browser: Browser) -> None:
    for number in range(1, 101, 6):
        page = browser.get(f"/edit/flywheel/OBS-{number:03d}")
        path = f"projects/flywheel/observations/OBS-{number:03d}.md"
        assert "".join(page.by_id("text").itertext()) == browser.server.place.read(path)
        assert find_danger(page, browser) == []


def test_what_an_address_or_a_form_says_stays_text(browser: Browser, *, soak: bool) -> None:
    for number, payload in enumerate(PAYLOADS if soak else PAYLOADS[::3]):
        value = quote(payload)
        paths = (
            f"/entities?name={value}",
            f"/all?q={value}&kind={value}&tag={value}&origin={value}",
            f"/find?q={value}",
            f"/atom/{value}",
            f"/{value}",
        )
        for path in paths if number % 10 == 0 else paths[:1]:
            page = browser.get(path)
            assert page.root is None or find_danger(page, browser) == [], path
        if number % 4:
            continue
        fields = dict.fromkeys(("ref", "change", "reason", "back"), payload)
        page = browser.post("/all/change", **fields)
        assert find_danger(page, browser) == [], payload
