"""The pages of stories over HTTP: lists, chat, timeline, contents, recall."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from panel_browser import Browser, Page, fold, open_browser, pick_address_shapes
from place import build_tree
from running_server import run_server_of
from story_scenes import FOLDER, build_story
from story_scenes import PAGE as STORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Iterator[Browser]:
    place = copy_tree(tmp_path_factory.mktemp("stories") / "tree", build_story)
    with run_server_of(place) as running:
        yield open_browser(running)


def list_rows(page: Page) -> list[str]:
    rows = [each for each in page.root.iter() if each.get("data-row") is not None]
    return [fold("".join(each.itertext())) for each in rows]


def find_points(page: Page) -> list[Any]:
    links = page.find_all(f"{SVG}a")
    return [each for each in links if "point" in each.get("class").split()]


def test_the_navigation_leads_to_stories_only_where_there_are_some(
    browser: Browser, tmp_path: Any, copy_tree: CopyTree
) -> None:
    assert "/stories" in browser.get("/tasks").links()
    with run_server_of(copy_tree(tmp_path / "tree", build_tree)) as running:
        other = open_browser(running)
        assert "/stories" not in other.get("/tasks").links()
        assert "No story yet" in other.get("/stories").main()
        for path in ("/stories/entities", "/stories/relations", "/stories/colours"):
            assert "yet" in other.get(path).main()


def test_the_list_shows_what_each_story_has(browser: Browser) -> None:
    (row,) = list_rows(browser.get("/stories"))
    assert "flywheel/ferry current 60 messages 5 speakers 15 chunks 2026-03-11" in row
    assert "Nothing matches" in browser.get("/stories?q=nothing").main()
    assert list_rows(browser.get("/stories?state=outdated")) == []


def test_a_long_list_has_pages(tmp_path: Any, copy_tree: CopyTree) -> None:
    place = copy_tree(tmp_path / "tree", build_tree)
    line = '{"n":1,"id":"m1","time":"","speaker":"A","role":"user","text":"Hello"}\n'
    for number in range(101):
        place.write(f"{FOLDER}/chats/talk-{number:03}.jsonl", line)
    with run_server_of(place) as running:
        pages = [open_browser(running).get(f"/stories?sort=name&page={page}") for page in (1, 2)]
    assert [len(list_rows(page)) for page in pages] == [100, 1]
    assert "talk-100" in list_rows(pages[1])[0]


def test_each_point_of_the_timeline_leads_to_its_chunk(browser: Browser) -> None:
    page = browser.get(STORY)
    points = find_points(page)
    assert [each.get("href") for each in points] == [
        f"/atom/flywheel/CH-{number:04d}" for number in range(1, 16)
    ]
    core = [each for each in points if "is-core" in each.get("class")]
    table = browser.get(f"{STORY}/chunks?core=yes")
    assert len(core) == len(list_rows(table)) > 3
    title = "".join(points[0].itertext())
    assert re.search(r"CH-0001, messages 1 to 4: salience 0\.\d\d, core; first meeting", title)


def test_a_range_of_the_timeline_has_its_own_points(browser: Browser) -> None:
    page = browser.get(f"{STORY}?from=9&to=16")
    assert [each.get("href")[-7:] for each in find_points(page)] == ["CH-0003", "CH-0004"]
    assert f"{STORY}#timeline" in page.links()


def test_arcs_and_scenes_are_the_contents(browser: Browser) -> None:
    page = browser.get(STORY)
    assert "Edric and Harrow Keep" in page.main()
    assert "Narrator: Corin shielded Tamsin with his own body until it had passed." in page.main()
    assert "3 chunks of no scene yet" in page.main()
    assert {"/atom/flywheel/ARC-001", "/atom/flywheel/SCN-002", "/atom/flywheel/CH-0006"} <= set(
        page.links()
    )


def test_each_figure_leads_to_as_many_records(browser: Browser) -> None:
    page = browser.get(STORY)
    (figures,) = [each for each in page.find_all("ul") if each.get("class") == "stats"]
    found = {each.get("href"): fold("".join(each.itertext())) for each in figures.iter("a")}
    for path, text in found.items():
        count = int(text.split()[0])
        if path.startswith("/stories/") and "relations" not in path:
            assert f"{count} " in browser.get(path).main(), path
            rows = len(list_rows(browser.get(path)))
            assert rows == min(count, 50), path
    assert any(text.endswith("active entities") for text in found.values())
    assert "4 scenes, 2 arcs" in found["#contents"]
    assert "15 salience by heuristic" in found.values()


def test_the_chat_is_read_in_pages_with_its_marks(browser: Browser) -> None:
    first, second = browser.get(f"{STORY}/chat"), browser.get(f"{STORY}/chat?page=2")
    shown = [each.get("id") for page in (first, second) for each in page.find_all("li")]
    assert [each for each in shown if each and re.fullmatch(r"m\d+", each)] == [
        f"m{number}" for number in range(1, 61)
    ]
    assert "page 1 of 2" in first.main()
    edited = "".join(first.by_id("m8").itertext())
    assert "edited" in edited
    assert "rings twice" in edited
    swiped = fold("".join(first.by_id("m23").itertext()))
    assert "2 answers swiped away" in swiped
    assert "I have never seen that man." in swiped
    assert "<font" not in first.main()
    assert [each.get("fill") for each in first.by_id("m4").iter(f"{SVG}circle")] == ["#c0392b"]
    assert browser.get(f"{STORY}/chat?message=57").by_id("m57") is not None


def test_the_chat_is_searched_and_filtered(browser: Browser) -> None:
    page = browser.get(f"{STORY}/chat?q=PROMISE")
    assert {each.text.lower() for each in page.find_all("mark")} == {"promise"}
    assert "5 messages that match" in page.main()
    assert len(list_rows(browser.get(f"{STORY}/chat?speaker=Brannoch"))) == 4
    assert len(list_rows(browser.get(f"{STORY}/chat?mark=edited"))) == 1
    assert len(list_rows(browser.get(f"{STORY}/chat?q=never+seen+that+man"))) == 1  # swiped away
    assert "Nothing matches" in browser.get(f"{STORY}/chat?q=nothing-like-this").main()


def test_chunks_are_filtered_sorted_and_counted(browser: Browser) -> None:
    page = browser.get(f"{STORY}/chunks?sort=salience")
    shown = [float(each) for each in re.findall(r" (0\.\d\d) heuristic", page.main())]
    assert shown == sorted(shown, reverse=True)
    assert len(shown) == 15
    promises = browser.get(f"{STORY}/chunks?flag=promise")
    assert f"promise ({len(list_rows(promises))})" in page.main()


def test_a_recall_shows_parts_that_add_up(browser: Browser) -> None:
    page = browser.get(f"{STORY}/recall?q=What+did+Corin+promise%3F")
    for each in (each for each in page.find_all("dl") if each.get("class") == "score-parts"):
        numbers = [
            float(number) for number in re.findall(r"[+-]?\d\.\d{3}", "".join(each.itertext()))
        ]
        assert sum(numbers[:-1]) == pytest.approx(numbers[-1], abs=0.004)
    assert "8 memories of 15 chunks" in page.main()
    place = browser.server.place
    assert browser.get(f"/stories/flywheel/ferry/recall?q={quote('river ' * 700)}").status == 200
    assert "CH-0" not in place.read(f"{FOLDER}/_meta/access-log.jsonl")


def test_salience_of_a_chunk_is_explained(browser: Browser) -> None:
    assert "flag promise" in browser.get("/salience/flywheel/CH-0003").main()
    page = browser.get("/atom/flywheel/CH-0003")
    assert {f"{STORY}/chat?message=9#m9", f"{STORY}/chunks", STORY} <= set(page.links())
    assert (
        "/stories/entities?ref=flywheel%2FENT-001" in browser.get("/atom/flywheel/ENT-001").links()
    )


def test_what_is_not_there_is_said(browser: Browser) -> None:
    for path in (
        "/stories/flywheel/nothing",
        "/stories/nobody/ferry",
        "/salience/flywheel/CH-0099",
    ):
        assert browser.get(path).status == 404, path
        assert browser.get(path).find_all("h1")
    assert browser.get("/salience/flywheel/ENT-001").status != 200


def test_links_of_a_project_with_an_odd_name_lead_to_it(
    tmp_path: Any, copy_tree: CopyTree, soak: bool
) -> None:
    place = copy_tree(tmp_path / "tree", build_story)
    name = "a 50% #1?&\u00fc"
    shutil.copytree(place.root / FOLDER, place.root / "projects" / name)
    quoted = quote(name)
    pages = [f"/stories/{quoted}/ferry{each}" for each in ("", "/chat", "/chunks", "/recall")]
    pages += [f"/stories/{each}?project={quoted}" for each in ("entities", "relations", "colours")]
    with run_server_of(place) as running:
        other = open_browser(running)
        seen: set[str] = set()
        for path in ("/stories", *pages):
            page = other.get(path)
            assert page.status == 200, path
            found = (each.get("href") or each.get("action") or "" for each in page.root.iter())
            seen |= {each.partition("#")[0] for each in found if "50%25" in each}
        assert len(seen) > 30
        tried = seen if soak else pick_address_shapes(seen)
        assert {each for each in tried if other.get(each).status not in {200, 303}} == set()


def test_a_rebuild_is_previewed_and_undone(tmp_path: Any, copy_tree: CopyTree) -> None:
    place = copy_tree(tmp_path / "tree", build_story)
    place.write("cortexfs.yaml", "stories: {messages-per-chunk: 4, core-threshold: 0.2}\n")
    with run_server_of(place) as running:
        browser = open_browser(running)
        assert "15 chunks outdated" in browser.get("/stories").main()
        assert "15 chunks were made with other settings" in browser.get(STORY).main()
        page = browser.post(STORY, step="preview", back="/stories")
        assert "Nothing is written yet" in page.main()
        (form,) = [each for each in page.find_all("form") if each.get("action") == STORY]
        sent = {each.get("name"): each.get("value") for each in form.iter("input")}
        page = browser.post(STORY, **{**sent, "step": "apply"})
        assert "outdated" not in list_rows(page)[0]
        assert "Done: story flywheel/ferry: rebuild 15 chunks" in fold(
            "".join(page.by_id("toast").itertext())
        )
        commit = next(
            e.get("value") for e in page.by_id("toast").iter() if e.get("name") == "commit"
        )
        browser.post("/undo", commit=commit, back="/stories")
        assert "15 chunks outdated" in browser.get("/stories").main()
