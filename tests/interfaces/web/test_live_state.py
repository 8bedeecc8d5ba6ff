"""Open pages are told what changes: over streams, each from the state that its page shows."""

from __future__ import annotations

import json
import logging
import os
import threading
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, IncompleteRead
from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import PATIENCE_S, RunningServer, run_server_of

from cortexfs.interfaces.cli.start_server import MAX_CONNECTIONS
from cortexfs.interfaces.web import live_state
from cortexfs.interfaces.web.live_state import MAX_STREAMS
from cortexfs.operations.read_tree_state import ActivityState, read_activity_state

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPResponse

    from place import CopyTree

    from cortexfs.session.session import Session

REF = "driftwood/EXP-006"


@pytest.fixture(scope="module")
def server(
    tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree
) -> Iterator[RunningServer]:
    place = copy_tree(tmp_path_factory.mktemp("live") / "tree", build_sample)
    with run_server_of(place) as running:
        yield running


@pytest.fixture
def browser(server: RunningServer) -> Browser:
    return open_browser(server)


@contextmanager
def open_stream(browser: Browser, path: str, **headers: str) -> Iterator[HTTPResponse]:
    connection = HTTPConnection("127.0.0.1", browser.server.access.port, timeout=PATIENCE_S)
    cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
    connection.request("GET", path, headers={"Cookie": cookies, **headers})
    try:
        yield connection.getresponse()
    finally:
        connection.close()


def read_event(stream: HTTPResponse) -> tuple[str, str, str]:
    """Return the id, the name and the text of the next event."""
    fields: dict[str, str] = {}
    while "event" not in fields:
        fields = {}
        while line := stream.readline().decode().strip():
            name, _, value = line.partition(": ")
            fields[name] = value
    return fields.get("id", ""), fields["event"], json.loads(fields["data"])


def read_state(browser: Browser) -> str:
    return str(json.loads(browser.get("/changes").text)["state"])


def test_a_page_hears_of_a_change_and_a_new_one_shows_it_already(
    server: RunningServer, browser: Browser
) -> None:
    shown = browser.get("/all").by_id("main").get("data-state")
    assert shown == read_state(browser)
    with open_stream(browser, "/changes/events", **{"Last-Event-ID": shown}) as stream:
        server.place.ok("mark", REF, "partial", "--reason", "seen")
        ident, name, state = read_event(stream)
        while state != read_state(browser):
            ident, name, state = read_event(stream)
    assert (name, ident) == ("state", state)
    assert state != shown
    assert browser.get("/all").by_id("main").get("data-state") == state


def test_who_comes_back_with_an_old_state_is_told_at_once(browser: Browser) -> None:
    with open_stream(browser, "/changes/events?state=of+an+earlier+server") as stream:
        assert read_event(stream)[2] == read_state(browser)


def test_what_agents_were_given_and_what_ran_changes_the_state(
    server: RunningServer, browser: Browser
) -> None:
    states = {read_state(browser)}
    for name in ("injection/given/20000", "events/2026-05-06.jsonl"):
        path = server.place.root / ".cortexfs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")
        states.add(read_state(browser))
    assert len(states) == 3


def test_more_streams_than_the_server_has_places_for_are_refused(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert MAX_STREAMS < MAX_CONNECTIONS
    monkeypatch.setattr("cortexfs.interfaces.web.pages.other_pages.MAX_STREAMS", 1)
    with open_stream(browser, "/changes/events") as first:
        read_event(first)
        with open_stream(browser, "/changes/events") as second:
            assert second.status == 503


def test_requests_are_answered_while_forty_streams_wait_for_one_look(
    copy_tree: CopyTree,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    place = copy_tree(tmp_path_factory.mktemp("slow") / "tree", build_sample)
    is_fast, looks = threading.Event(), list[object]()

    def look_slowly(session: Session) -> ActivityState:
        looks.append(session)
        assert is_fast.wait(PATIENCE_S)
        return read_activity_state(session)

    with ExitStack() as opened, run_server_of(place) as running:
        browser = open_browser(running)
        monkeypatch.setattr(live_state, "read_activity_state", look_slowly)
        asked = {"X-Partial": "yes"}
        streams = [
            opened.enter_context(open_stream(browser, "/changes/events", **asked))
            for _ in range(40)
        ]
        assert running.ask("GET", "/api/v1/projects").status == 200
        assert len(looks) == 1
        is_fast.set()
        assert {read_event(stream)[1] for stream in streams} == {"state"}


def test_a_tree_that_goes_and_comes_back_is_said(server: RunningServer, browser: Browser) -> None:
    root = server.place.root
    away = root.with_name("away")
    with open_stream(browser, "/changes/events") as stream:
        assert read_event(stream)[1] == "state"
        os.rename(root, away)
        name, text = read_event(stream)[1:]
        while name != "problem":
            name, text = read_event(stream)[1:]
        assert text
        os.rename(away, root)
        while (name, text) != ("problem", ""):
            name, text = read_event(stream)[1:]
    assert browser.get("/all").status == 200


def test_a_server_with_open_streams_ends_without_an_error(
    copy_tree: CopyTree,
    tmp_path_factory: pytest.TempPathFactory,
    caplog: pytest.LogCaptureFixture,
) -> None:
    place = copy_tree(tmp_path_factory.mktemp("ended") / "tree", build_sample)
    with ExitStack() as opened:
        with run_server_of(place) as running:
            stream = opened.enter_context(open_stream(open_browser(running), "/changes/events"))
            read_event(stream)
        with pytest.raises(IncompleteRead):
            stream.read()
    assert [each for each in caplog.records if each.levelno >= logging.ERROR] == []
