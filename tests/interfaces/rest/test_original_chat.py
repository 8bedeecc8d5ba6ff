"""The chat over HTTP, with the routes, shapes and status codes of the original."""

from __future__ import annotations

import json
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from pydantic import TypeAdapter
from running_server import PATIENCE_S, RunningServer, run_server_of

from cortexfs.interfaces.json.documents import chat as documents
from cortexfs.session.chat_threads import lock_thread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place
    from running_server import Answer

CHAT = "/api/cortex/chat"


@pytest.fixture
def server(sample: Place, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningServer]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(sample.root.parent / "nobody"))
    with run_server_of(sample) as running:
        yield running


def send(server: RunningServer, message: str, **more: str) -> list[tuple[str, Any]]:
    answer = server.ask("POST", CHAT, {"agent_id": "any", "message": message, **more})
    assert (answer.status, answer.headers["content-type"]) == (
        200,
        "text/event-stream; charset=utf-8",
    )
    return parse_events(answer)


def parse_events(answer: Answer) -> list[tuple[str, Any]]:
    blocks = answer.body.decode().removesuffix("\n\n").split("\n\n")
    pairs = [block.removeprefix("event: ").split("\ndata: ") for block in blocks]
    return [(name, json.loads(data)) for name, data in pairs]


def check(document: Any, kind: Any) -> None:
    jsonschema.validate(document, TypeAdapter(kind).json_schema(mode="serialization"))


def test_an_answer_comes_as_events(server: RunningServer) -> None:
    events = send(server, "what is stuck in driftwood?")
    assert [name for name, _ in events] == ["thinking", "tool_started", "tool_completed", "done"]
    assert all(name == data["type"] for name, data in events)
    for _, data in events:
        check(data, documents.ChatEventDocument)
    done = events[-1][1]
    assert "is blocked by recordings" in done["full_text"]
    assert done["tool_calls"] == [done["message"]["tool_calls"][0]]
    assert events[1][1]["call_id"] == events[2][1]["call_id"]


def test_threads_are_listed_continued_and_deleted(server: RunningServer) -> None:
    assert server.ask("GET", f"{CHAT}/messages").json() == {"thread_id": "", "messages": []}
    thread = send(server, "stats")[0][1]["thread_id"]
    send(server, "open tasks", thread_id=thread, channel_id="s1")
    found = server.ask("GET", f"{CHAT}/threads").json()
    check(found, documents.ThreadsDocument)
    assert [(each["thread_id"], each["message_count"]) for each in found["threads"]] == [
        (thread, 4)
    ]
    latest = server.ask("GET", f"{CHAT}/messages?limit=3").json()
    check(latest, documents.MessagesDocument)
    assert [each["role"] for each in latest["messages"]] == ["assistant", "user", "assistant"]
    assert latest["messages"][-1]["channel_context"] == "s1"
    assert server.ask("GET", f"{CHAT}/messages?limit=201").status == 400
    gone = server.ask("DELETE", f"{CHAT}/thread?thread_id={thread}")
    assert (gone.status, gone.json()) == (200, {"status": "deleted"})
    assert server.ask("GET", f"{CHAT}/messages?thread_id={thread}").status == 404
    assert server.ask("DELETE", f"{CHAT}/thread?thread_id={thread}").status == 404


def test_a_busy_thread_is_told_at_once(server: RunningServer) -> None:
    with lock_thread(server.session.tree, "t"):
        answer = server.ask("POST", CHAT, {"message": "stats", "thread_id": "t"})
        assert answer.status == 409
        assert "busy" in answer.json()["error"]
        assert server.ask("DELETE", f"{CHAT}/thread?thread_id=t").status == 409
    assert send(server, "stats", thread_id="t")[-1][0] == "done"


def test_what_is_no_message_is_refused_before_anything_is_stored(server: RunningServer) -> None:
    assert server.ask("POST", CHAT, {"message": "  "}).status == 400
    assert server.ask("POST", CHAT, {"text": "stats"}).status == 400
    assert server.ask("POST", CHAT, {"message": "stats", "thread_id": "../x"}).status == 400
    assert server.ask("GET", f"{CHAT}/threads").json() == {"threads": []}
    assert (
        server.ask("POST", CHAT, {"message": "stats"}, {"Authorization": "Bearer x"}).status == 401
    )


def test_a_change_is_made_after_a_yes_in_the_same_thread(
    server: RunningServer, sample: Place
) -> None:
    head = sample.git("rev-parse", "HEAD")
    request = "invalidate driftwood/EXP-012 because the clock was wrong"
    planned = send(server, request, thread_id="t")[-1][1]
    assert planned["message"]["pending"]["tool"] == "mark"
    assert sample.git("rev-parse", "HEAD") == head
    done = send(server, "yes", thread_id="t")[-1][1]
    assert done["tool_calls"][0]["commit"] == sample.git("rev-parse", "HEAD").strip()


def test_a_reader_who_leaves_does_not_end_the_answer(server: RunningServer) -> None:
    connection = HTTPConnection("127.0.0.1", server.access.port, timeout=PATIENCE_S)
    body = json.dumps({"message": "stats", "thread_id": "t"})
    headers = {**server.by_token, "Content-Type": "application/json"}
    connection.request("POST", CHAT, body, headers)
    connection.getresponse().close()
    connection.close()
    path = f"{CHAT}/messages?thread_id=t"
    while len(server.ask("GET", path).json().get("messages", ())) < 2:
        pass


def test_what_the_cortex_did_by_itself_is_listed(sample: Place, server: RunningServer) -> None:
    for subject in ("maintain: 2 atoms", "chore: regenerate indexes", "undo: maintain: 2 atoms"):
        sample.git("commit", "-q", "--allow-empty", "-m", subject)
        sample.write("user/notes.txt", subject)
        sample.git("add", ".")
        sample.git("commit", "-q", "--amend", "--no-edit")
    every = json.loads(server.ask("GET", "/api/cortex/events").body)
    check(every, documents.CortexEventsDocument)
    assert sorted(each["event_type"] for each in every["events"]) == [
        "indexes_regenerated",
        "maintenance_completed",
        "maintenance_undone",
    ]
    asked = "/api/cortex/events?type=maintenance_completed&limit=1"
    found = json.loads(server.ask("GET", asked).body)
    assert [each["summary"] for each in found["events"]] == ["maintain: 2 atoms"]
    assert found["total"] == 1
    assert json.loads(server.ask("GET", f"{asked}&offset=1").body)["events"] == []
