"""The chat in the panel, as a browser without scripts gets it, and the events for one with them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from full_disk import fill_disk
from panel_browser import Browser, Page, open_browser
from running_server import run_server_of
from test_panel_xss import find_danger
from xss_payloads import PAYLOADS

from cortexfs.interfaces.web.pages import chat_page
from cortexfs.session.chat_threads import lock_thread
from cortexfs.session.tree_lock import hold_tree_lock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

REQUEST = "invalidate driftwood/EXP-012 because the clock was wrong"


@pytest.fixture
def browser(sample: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[Browser]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(sample.root.parent / "nobody"))
    with run_server_of(sample) as running:
        yield open_browser(running)


def list_fields(page: Page, name: str) -> list[Any]:
    return [each.get("value") for each in page.find_all("input") if each.get("name") == name]


def test_a_message_is_answered_without_scripts(browser: Browser) -> None:
    assert "small grammar understands" in browser.get("/chat").main()
    page = browser.post("/chat", message="what is stuck in driftwood?")
    assert page.status == 200
    assert "is blocked by recordings of a damaged bearing" in page.main()
    assert "1 thread" in page.main()
    page = browser.post("/chat", message="stats", thread=list_fields(page, "thread")[0])
    assert "4 messages" in page.main()


def test_six_examples_are_shown_and_the_others_are_folded(browser: Browser) -> None:
    page = browser.get("/chat")
    (examples,) = [each for each in page.find_all("div") if each.get("class") == "examples"]
    folded = sum(each.tag == "li" for box in examples.iter("details") for each in box.iter())
    assert len(list(examples.iter("li"))) - folded == 6
    assert folded > 0


def test_the_examples_name_what_the_tree_has(browser: Browser) -> None:
    text = browser.get("/chat").main()
    refs = re.findall(r"\b(?:[a-z]+/)?[A-Z]+-\d+\b", text)
    assert len({*refs}) == 3
    assert {browser.get(f"/atom/{ref}").status for ref in refs} == {200}
    assert "accept DR-0003" in text
    assert "forget" not in text  # the tree has no memory
    (task,) = set(re.findall(r"start task (\w{4})", text))
    assert browser.post("/tasks/change", ref=task, do="claim", step="preview").status == 200


def test_a_change_is_shown_made_by_a_button_and_undone(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    page = browser.post("/chat", message=REQUEST, thread="t")
    added = [each.text for each in page.find_all("pre") if "added" in each.get("class", "")]
    assert any("status: invalidated" in each for each in added)
    assert sample.git("rev-parse", "HEAD") == head
    (question,) = list_fields(page, "answers")
    page = browser.post("/chat", message="yes", thread="t", answers=question)
    assert sample.git("log", "-1", "--format=%s").startswith("mark driftwood/EXP-012 invalidated")
    assert not list_fields(page, "answers")
    (commit,) = list_fields(page, "commit")
    browser.post("/undo", commit=commit, back="/chat?thread=t")
    assert "status: invalidated" not in sample.read("projects/driftwood/experiments/EXP-012.md")


def test_a_button_of_an_older_page_confirms_no_other_plan(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    (old,) = list_fields(browser.post("/chat", message=REQUEST, thread="t"), "answers")
    browser.post("/chat", message=REQUEST.replace("012", "014"), thread="t")
    page = browser.post("/chat", message="yes", thread="t", answers=old)
    assert page.status == 409
    assert "the thread has gone on" in page.main()
    assert sample.git("rev-parse", "HEAD") == head


def test_a_message_to_a_busy_thread_stays_typed(browser: Browser) -> None:
    browser.post("/chat", message="stats", thread="t")
    with lock_thread(browser.server.session.tree, "t"):
        page = browser.post("/chat", message="open tasks", thread="t")
    assert page.status == 409
    assert page.by_id("message").text.strip() == "open tasks"
    assert "is busy" in page.main()
    assert "2 messages" in page.main()


def test_an_answer_that_takes_long_is_made_while_the_page_is_shown(
    browser: Browser, sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser.post("/chat", message=REQUEST, thread="t")
    monkeypatch.setattr(chat_page, "ANSWER_S", 0.05)
    with hold_tree_lock(str(sample.root), "a test", 0.0):
        page = browser.post("/chat", message="yes", thread="t")
        assert page.status == 200
        assert "An answer is being made; load this page again." in page.main()
    pages = (browser.get("/chat?thread=t").main() for _ in range(500))
    assert any("An answer is being made" not in page for page in pages)
    assert sample.git("log", "-1", "--format=%s").startswith("mark driftwood/EXP-012 invalidated")


def test_a_message_that_cannot_be_stored_stays_typed(browser: Browser) -> None:
    assert browser.post("/chat", message="stats", thread="../t").status == 400
    with fill_disk():
        page = browser.post("/chat", message="open tasks", thread="t")
    assert page.status == 507
    assert page.by_id("message").text.strip() == "open tasks"


def test_a_thread_is_deleted(browser: Browser) -> None:
    browser.post("/chat", message="stats", thread="t")
    assert "None yet" in browser.post("/chat/delete", thread="t").main()
    assert browser.get("/chat?thread=t").status == 404


def test_a_script_gets_events(browser: Browser) -> None:
    page = browser.post("/chat/events", message="stats", thread="t")
    assert page.headers["content-type"].startswith("text/event-stream")
    assert page.text.startswith('event: thinking\ndata: {"type": "thinking", "thread_id": "t"}\n\n')
    assert "\n\nevent: done\ndata: " in page.text
    assert browser.post("/chat/events", message="").status == 400


def test_a_form_without_its_token_sends_nothing(browser: Browser) -> None:
    for path in ("/chat", "/chat/events", "/chat/delete"):
        assert browser.post(path, csrf="stolen", message="stats", thread="t").status == 403
    assert "None yet" in browser.get("/chat").main()


def test_what_is_said_stays_text(browser: Browser, sample: Place) -> None:
    path = "projects/driftwood/experiments/EXP-012.md"
    sample.write(path, sample.read(path) + "\n".join(PAYLOADS))
    for number, payload in enumerate(PAYLOADS[::7]):
        page = browser.post("/chat", message=payload, thread=f"t{number}", channel=payload)
        assert page.status == 200
        assert find_danger(page, browser) == [], payload
    page = browser.post("/chat", message="show driftwood/EXP-012", thread="all")
    assert "onerror=alert(1)" in page.main()
    assert find_danger(page, browser) == []
    page = browser.get("/chat?channel=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert find_danger(page, browser) == []
