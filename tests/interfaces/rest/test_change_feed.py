"""A stream tells what changed, whoever changed it, and what a client has missed."""

from __future__ import annotations

import asyncio
import json
from contextlib import aclosing, contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING, NamedTuple

from place import build_sample
from running_server import NOW, PATIENCE_S, RunningServer, make_server_fixture

from cortexfs.interfaces.rest import change_feed
from cortexfs.interfaces.rest.change_feed import ChangeFeed
from cortexfs.operations.find_changed_files import ChangedFiles
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from http.client import HTTPResponse

    import pytest
    from place import Place

NOTE = "projects/driftwood/experiments/EXP-012.md"


server = make_server_fixture(build_sample)


class Event(NamedTuple):
    """One event of a stream."""

    id: str
    kind: str
    data: object


@contextmanager
def listen(server: RunningServer, last_id: str = "") -> Iterator[Iterator[Event]]:
    """Open a stream, and give its events."""
    connection = HTTPConnection("127.0.0.1", server.access.port, timeout=PATIENCE_S)
    headers = {**server.by_token, **({"Last-Event-ID": last_id} if last_id else {})}
    connection.request("GET", "/api/v1/events", headers=headers)
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.readline() == b"retry: 2000\n"
    answer.readline()
    try:
        yield iter_events(answer)
    finally:
        answer.close()
        connection.close()


def iter_events(answer: HTTPResponse) -> Iterator[Event]:
    while True:
        lines = dict(answer.readline().decode().strip().split(": ", 1) for _ in range(3))
        answer.readline()
        yield Event(lines["id"], lines["event"], json.loads(lines["data"]))


def wait_for(events: Iterator[Event], path: str) -> Event:
    """Return the event that names a path."""
    for event in events:
        if event.kind == "change" and path in event.data["paths"]:  # type: ignore[index]
            return event
    raise AssertionError("the stream has ended")


def add_line(server: RunningServer, line: str) -> None:
    server.place.write(NOTE, f"{server.place.read(NOTE)}\n{line}\n")


def test_a_change_by_a_person_and_one_by_the_server_are_events(server: RunningServer) -> None:
    with listen(server) as events:
        add_line(server, "By hand.")
        found = wait_for(events, NOTE)
        assert found.data["refs"] == ["driftwood/EXP-012"]  # type: ignore[index]
        body = {"next": ["Look at the pump"]}
        server.ask("PATCH", "/api/v1/projects/driftwood/status", body)
        made = server.ask("POST", "/api/v1/atoms", {"kind": "idea", "summary": "A thought"})
        wait_for(events, made.json()["created"]["path"])


def test_a_client_that_comes_back_gets_what_it_has_missed(server: RunningServer) -> None:
    with listen(server) as events:
        add_line(server, "First.")
        last = wait_for(events, NOTE)
    add_line(server, "While nobody listened.")
    with listen(server, last.id) as events:
        assert wait_for(events, NOTE).id != last.id


def test_a_client_of_another_process_is_told_to_load_all(server: RunningServer) -> None:
    with listen(server, "0badcafe-7") as events:
        first = next(events)
        assert first.kind == "reset"
    process, _, number = first.id.partition("-")
    for forged in (f"{process}-{int(number) + 1}", f"{process}-{'9' * 5000}", f"{process}--1"):
        with listen(server, forged) as events:
            assert next(events).kind == "reset"


def test_metrics_count_requests_and_streams(server: RunningServer) -> None:
    server.ask("GET", "/api/v1/stats")
    server.ask("GET", "/api/v1/nowhere")
    with listen(server):
        text = server.ask("GET", "/metrics").body.decode()
    lines = dict(line.rsplit(" ", 1) for line in text.splitlines() if line[0] != "#")
    assert int(lines['cortexfs_server_requests_total{route="show_statistics"}']) >= 1
    assert int(lines['cortexfs_server_responses_total{status="404"}']) >= 1
    assert int(lines["cortexfs_server_event_streams"]) >= 1
    assert int(lines["cortexfs_server_atoms"]) > 10
    assert "EXP-" not in text


def test_a_stream_of_a_tree_that_is_away_goes_on_when_it_is_back(
    sample: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(change_feed, "HEARTBEAT_S", 0.05)
    session, away = Session.open(str(sample.root), lambda: NOW), sample.root.with_name("away")

    async def follow() -> None:
        sample.root.rename(away)
        async with aclosing(ChangeFeed(session).stream("")) as stream:
            assert await anext(stream) == "retry: 2000\n\n"
            assert "event: heartbeat" in await anext(stream)
            assert "event: heartbeat" in await anext(stream)
            away.rename(sample.root)
            while "event: change" not in await anext(stream):
                sample.write(NOTE, f"{sample.read(NOTE)}\nMore.\n")

    asyncio.run(asyncio.wait_for(follow(), PATIENCE_S))


def test_an_event_may_come_while_a_stream_goes_through_them(sample: Place) -> None:
    feed = ChangeFeed(Session.open(str(sample.root), lambda: NOW))
    feed._publish(ChangedFiles(("a.md",), ()))
    begun = iter(feed._events)
    feed._publish(ChangedFiles(("b.md",), ()))
    assert [event.number for event in begun] == [1]
    for number in range(change_feed.MAX_KEPT):
        feed._publish(ChangedFiles((f"{number}.md",), ()))
    assert len(feed._events) == change_feed.MAX_KEPT
