"""What the cortex does and proposes, in the panel: shown, previewed, decided, undone."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from panel_browser import Browser, open_browser
from running_server import NOW, run_server_of
from test_panel_xss import find_danger
from xss_payloads import PAYLOADS

from cortexfs.core.process_events.process_event import EventType, ProcessEvent, format_event_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from panel_browser import Page
    from place import Place

FOLDER = "projects/flywheel/observations"
RETRIES = "The export job retries a failed upload {} times."


@pytest.fixture
def browser(tree: Place) -> Iterator[Browser]:
    remember(tree, 1, RETRIES.format(3))
    remember(tree, 2, RETRIES.format(5))
    say(tree, "Always use uv", "flywheel", "orchard", "flywheel")
    tree.git("add", "-A")
    tree.git("commit", "-qm", "grown")
    with run_server_of(tree) as running:
        yield open_browser(running)


def remember(tree: Place, number: int, content: str, title: str = "Note") -> None:
    head = f"---\nid: OBS-{number:03d}\ndate: 2026-05-0{number}\nproject: flywheel\n"
    head += f"summary: {json.dumps(title)}\ntags: [a]\ntype: fact\n---\n\n"
    tree.write(f"{FOLDER}/OBS-{number:03d}.md", f"{head}{content}\n")


def say(tree: Place, text: str, *projects: str, client: str = "codex") -> None:
    """Log a prompt in a session of each project."""
    folder = tree.root / ".cortexfs/events"
    folder.mkdir(parents=True, exist_ok=True)
    for at, project in enumerate(projects):
        time = (NOW - timedelta(minutes=at + 1)).isoformat().replace("+00:00", "Z")
        ident = f"{project}-{at}-{text}"
        event = ProcessEvent(time, EventType.PROMPT, client, ident, "", project, text, ident)
        with (folder / f"{NOW:%Y-%m-%d}.jsonl").open("a") as log:
            log.write(format_event_line(event))


def read_proposal(page: Page, path: str) -> dict[str, Any]:
    """Return the fields of the first form that answers a proposal."""
    form = next(each for each in page.find_all("form") if each.get("action") == path)
    fields = {each.get("name"): each.get("value") for each in form.iter() if each.tag == "input"}
    return {"proposal": fields["proposal"]}


BULLETIN = "/cortex/bulletin?project=flywheel"


def test_the_page_shows_the_bulletin_what_runs_and_the_daemon(browser: Browser) -> None:
    text = browser.get("/cortex").main()
    assert "no daemon runs" in text
    assert "Ready for workno: state not warm" in text
    assert "What runs 3" in text
    assert BULLETIN in browser.get("/cortex?project=flywheel").links()
    bulletin = [each.text for each in browser.get(BULLETIN).find_all("pre")]
    assert "Spin, and keep spinning" in "".join(bulletin)
    assert browser.get("/cortex?project=nobody").status == 404


def test_a_merge_is_previewed_accepted_and_undone(browser: Browser, tree: Place) -> None:
    proposals = browser.get("/cortex/proposals")
    assert RETRIES.format(3) in proposals.main()
    fields = read_proposal(proposals, "/cortex/merge")
    head = tree.git("rev-parse", "HEAD")
    keep = {"answer": "accept", "keep": "flywheel/OBS-002"}
    preview = browser.post("/cortex/merge", **fields, **keep, step="preview")
    assert "Nothing is written yet" in preview.main()
    assert tree.git("rev-parse", "HEAD") == head
    (form,) = [e for e in preview.find_all("form") if e.get("action") == "/cortex/merge"]
    sent = {e.get("name"): e.get("value") for e in form.iter() if e.tag == "input"}
    page = browser.post("/cortex/merge", **{**sent, "step": "apply"})
    assert "merge flywheel/OBS-001 into flywheel/OBS-002" in page.main()
    (commit,) = {
        each.get("value") for each in page.find_all("input") if each.get("name") == "commit"
    }
    page = browser.post("/undo", commit=commit, back="/cortex")
    assert "undo: merge" in page.main()
    assert "undo: merge" in tree.git("log", "-1", "--format=%s")
    assert RETRIES.format(3) in browser.get("/cortex/proposals").main()


def test_a_rejected_merge_is_not_proposed_again(browser: Browser) -> None:
    fields = read_proposal(browser.get("/cortex/proposals"), "/cortex/merge")
    browser.post("/cortex/merge", **fields, answer="reject")
    assert "no two memories are alike" in browser.get("/cortex/proposals").main()
    assert "reject the merge of" in browser.get("/cortex").main()
    assert browser.post("/cortex/merge", **fields, answer="reject").status == 409


def test_a_preference_is_accepted_into_user_md(browser: Browser, tree: Place) -> None:
    proposals = browser.get("/cortex/proposals")
    assert "Always use uv" in proposals.main()
    fields = read_proposal(proposals, "/cortex/preference")
    before = tree.read("user/USER.md")
    preview = browser.post("/cortex/preference", **fields, answer="accept", step="preview")
    assert "USER.md" in preview.main()
    assert tree.read("user/USER.md") == before
    browser.post("/cortex/preference", **fields, answer="accept")
    assert "Always use uv" in tree.read("user/USER.md")
    assert "Always use uv" not in browser.get("/cortex/proposals").main()


def test_a_preference_is_rejected(browser: Browser) -> None:
    fields = read_proposal(browser.get("/cortex/proposals"), "/cortex/preference")
    browser.post("/cortex/preference", **fields, answer="reject")
    assert "Always use uv" not in browser.get("/cortex/proposals").main()


def test_maintenance_is_previewed_and_run(browser: Browser, tree: Place) -> None:
    remember(tree, 3, RETRIES.format(3))
    tree.git("add", "-A")
    tree.git("commit", "-qm", "repeated")
    preview = browser.post("/cortex/maintenance", step="preview")
    assert "maintain: merge 1 memory" in preview.main()
    assert "Nothing is written yet" in preview.main()
    page = browser.post("/cortex/maintenance", step="apply")
    assert "What maintenance did 1 maintain: merge 1 memory" in page.main()


def test_nothing_is_decided_without_an_answer_or_a_token(browser: Browser, tree: Place) -> None:
    head = tree.git("rev-parse", "HEAD")
    fields = read_proposal(browser.get("/cortex/proposals"), "/cortex/merge")
    assert browser.post("/cortex/merge", **fields).status == 400
    for path in ("/cortex/merge", "/cortex/preference", "/cortex/maintenance"):
        assert browser.post(path, **fields, answer="accept", csrf="stolen").status == 403
    assert tree.git("rev-parse", "HEAD") == head


def test_what_agents_and_memories_say_stays_text(tree: Place) -> None:
    for number, payload in enumerate(PAYLOADS[::12], 1):
        remember(tree, number, f"{payload} The job retries {number} times.", payload)
    for payload in PAYLOADS[::5]:
        say(tree, f"Always use {payload}", "flywheel", payload, "orchard", client=payload)
    tree.git("add", "-A")
    tree.git("commit", "-qm", "hostile")
    with run_server_of(tree) as running:
        browser = open_browser(running)
        for path in ("/cortex", "/cortex?ended=yes", "/cortex/proposals"):
            page = browser.get(path)
            assert page.status == 200
            assert "alert(1)" in page.main()
            assert find_danger(page, browser) == []
