"""A hundred hostile texts in all that a chat and the files made of it say: they stay text."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from panel_browser import Browser, open_browser
from place import build_tree
from running_server import run_server_of
from test_panel_xss import find_danger
from xss_payloads import PAYLOADS

from cortexfs.core.text.sanitize import strip_unprintable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree, Place

FOLDER = "projects/flywheel"
STORY = "/stories/flywheel/hostile"
SVG = "{http://www.w3.org/2000/svg}"
SVG_TAGS = {f"{SVG}{name}" for name in ("svg", "a", "g", "path", "circle", "rect", "text", "title")}
TAGS = {*SVG_TAGS, "figure", "figcaption"}
PATHS = (
    *("/stories", STORY, f"{STORY}?from=1&to=40", f"{STORY}/chat", f"{STORY}/chat?page=2"),
    *(f"{STORY}/chat?q=alert", f"{STORY}/chat?whole=7", f"{STORY}/chunks"),
    *(f"{STORY}/recall?q=alert", "/stories/entities?sort=name", "/stories/entities?page=3"),
    *("/stories/relations?project=flywheel", "/stories/colours", "/salience/flywheel/CH-0001"),
    *("/atom/flywheel/ENT-101", "/atom/flywheel/SCN-001", "/atom/flywheel/ARC-001"),
)


def build_hostile_story(place: Place) -> None:
    """Make a tree with a story of hostile messages, and hostile entities, scenes and arcs."""
    build_tree(place)
    lines = [
        {"n": n, "id": each, "time": each, "speaker": each, "role": each, "text": each}
        | {"swiped": [each]}
        for n, each in enumerate(PAYLOADS, 1)
    ]
    record = "".join(f"{json.dumps(line)}\n" for line in lines)
    place.write(f"{FOLDER}/chats/hostile.jsonl", record + json.dumps(lines[0]) + "\n")
    place.ok("story", "rebuild", "hostile", "-p", "flywheel")
    for number, payload in enumerate(PAYLOADS, 101):
        place.write(f"{FOLDER}/entities/ENT-{number}-x.md", make_hostile_entity(number, payload))
        line = json.dumps(" ".join(payload.split()))
        for prefix, folder, part in (("SCN", "scenes", "chunks"), ("ARC", "arcs", "scenes")):
            ident = f"{prefix}-{number - 100:03d}"
            fields = (
                f"id: {ident}\ndate: 2026-05-01\nproject: flywheel\nsummary: {line}\n"
                f"tags: [{line}]\nstory: hostile\n"
                f"{part}: [{line}, CH-0001, SCN-{number - 100:03d}]\n"
                f"messages: {line}\nsalience: {line}\nsource: {line}\n"
            )
            place.write(f"{FOLDER}/{folder}/{ident}.md", f"---\n{fields}---\n\n{payload}\n")
    place.git("add", ".")
    place.git("commit", "-qm", "hostile")


def make_hostile_entity(number: int, payload: str) -> str:
    """Return the file of an entity whose every part is hostile."""
    text = " ".join(payload.split())
    line = json.dumps(text)
    names = ("summary", "type", "status", "mentions", "salience", "first-seen", "last-seen")
    fields = "".join(f"{name}: {line}\n" for name in names)
    other = f"ENT-{101 + (number + 1) % 100}"
    return (
        f"---\nid: ENT-{number}\ndate: 2026-05-01\nproject: flywheel\n{fields}tags: [{line}]\n"
        f"aliases: [{line}]\n---\n\n# ENT-{number}\n\n{text}\n\n"
        f"## Facts\n\n- [i:9] {text} (CH-0001)\n\n"
        f"## Emotional profile\n\n- {text}: 50%\n\n## Relations\n\n"
        f"- {text}: {text} {other}, {text}; strength 0.50, sentiment +0.50 (CH-0001)\n"
        f"- enemy: x {other}, {text}; strength 0.50, sentiment -0.50, "
        "suspect contradiction (CH-0001)\n"
        f"\n## Colours\n\n- speech: #aabbcc (confidence 0.90)\n- thought: {text}\n"
    )


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("xss") / "tree", build_hostile_story)
    with run_server_of(place) as running:
        yield open_browser(running)


def test_no_page_of_a_hostile_story_has_anything_but_text(browser: Browser) -> None:
    for path in PATHS:
        page = browser.get(path)
        assert page.status == 200, path
        assert find_danger(page, browser, TAGS) == [], path


def test_each_message_is_shown_as_it_is(browser: Browser) -> None:
    shown = "".join(browser.get(f"{STORY}/chat?page={page}").main() for page in (1, 2))
    folded = " ".join(shown.replace("*", "").split())
    for payload in PAYLOADS:
        text = " ".join(strip_unprintable(payload).replace("*", "").split())
        assert text in folded, payload


def test_each_entity_is_shown_as_text(browser: Browser, soak: bool) -> None:
    for number in range(1, 6):
        page = browser.get(f"/stories/entities?sort=name&page={number}")
        assert find_danger(page, browser, TAGS) == []
    for number in range(101, 201, 9 if soak else 27):
        page = browser.get(f"/stories/entities?ref=flywheel/ENT-{number}")
        text = " ".join(strip_unprintable(PAYLOADS[number - 101]).split())
        assert text in page.main(), number
        assert find_danger(page, browser, TAGS) == [], number


def test_what_an_address_or_a_form_says_stays_text(browser: Browser, soak: bool) -> None:
    for number, payload in enumerate(PAYLOADS[::7]):
        value = quote(payload, safe="")
        paths = (
            f"/stories?q={value}&project={value}&state={value}",
            f"/stories/{value}/{value}",
            f"{STORY}/chat?q={value}&speaker={value}",
            f"{STORY}/chunks?q={value}&flag={value}&from={value}",
            f"{STORY}/recall?q={value}",
            f"/stories/entities?q={value}&type={value}&ref={value}",
            f"/stories/relations?project={value}&entity={value}&type={value}",
            f"/stories/colours?q={value}&project={value}",
        )
        for path in paths if soak else paths[number % 4 :: 4]:
            page = browser.get(path)
            assert page.status < 500, path
            assert find_danger(page, browser, TAGS) == [], path
        fields = dict.fromkeys(("ref", "change", "item", "value", "back"), payload)
        if soak or number % 3 == 0:
            page = browser.post("/stories/entities", step="preview", **fields)
            assert page.status < 500
            assert find_danger(page, browser, TAGS) == [], payload


def test_a_hostile_fact_is_struck_by_its_button(browser: Browser) -> None:
    for number in range(101, 201, 21):
        ref = f"flywheel/ENT-{number}"
        page = browser.get(f"/stories/entities?ref={ref}")
        for form in page.find_all("form"):
            sent = {each.get("name"): each.get("value") for each in form.iter("input")}
            if sent.get("change") == "strike-fact":
                plan = browser.post("/stories/entities", step="preview", **sent)
                assert plan.status == 200, (number, plan.main())
                assert find_danger(plan, browser, TAGS) == []
                break
        else:
            raise AssertionError(number)
