"""A refusal ends after the request, unless that is too large or too slow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import anyio

from cortexfs.interfaces.http import drop_unread_body as module

if TYPE_CHECKING:
    import pytest
    from starlette.types import Message, Receive, Scope, Send

PIECE = 1024 * 1024
MORE = {"type": "http.request", "body": b"x" * PIECE, "more_body": True}
LAST = {"type": "http.request", "body": b"x", "more_body": False}


def refuse(status: int, *, reads: int = 0) -> Any:
    """Return an application that reads so many pieces, and answers with a status."""

    async def app(_: Scope, receive: Receive, send: Send) -> None:
        for _ in range(reads):
            await receive()
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        await send({"type": "http.response.body", "body": b"b"})

    return app


def list_events(app: Any, request: list[Message], *headers: tuple[bytes, bytes]) -> list[str]:
    """Return what was received and sent in turn; after its messages a client is silent."""
    events: list[str] = []
    rest = list(request)

    async def receive() -> Message:
        if not rest:
            await anyio.sleep_forever()
        events.append("read")
        return rest.pop(0)

    async def send(message: Message) -> None:
        events.append(message["type"].removeprefix("http.response."))

    async def answer() -> None:
        await module.drop_unread_body(app)({"type": "http", "headers": headers}, receive, send)

    anyio.run(answer)
    return events


def test_a_refusal_ends_after_the_request() -> None:
    events = list_events(refuse(401), [MORE, MORE, LAST])
    assert events == ["start", "body", "read", "read", "read", "body"]


def test_what_the_application_has_read_is_not_awaited_again() -> None:
    assert list_events(refuse(400, reads=2), [MORE, LAST]) == [
        "read",
        "read",
        "start",
        *["body"] * 2,
    ]
    events = list_events(refuse(413, reads=1), [MORE, LAST])
    assert events == ["read", "start", "body", "read", "body"]


def test_an_answer_that_is_no_refusal_waits_for_nothing() -> None:
    assert list_events(refuse(202), [MORE, LAST]) == ["start", "body", "body"]


def test_a_client_that_waits_for_permission_to_send_is_not_waited_for() -> None:
    expect = (b"expect", b"100-continue")
    assert list_events(refuse(413), [], expect) == ["start", "body", "body"]


def test_of_a_large_request_only_a_part_is_read() -> None:
    events = list_events(refuse(413), [MORE] * 100)
    assert events.count("read") == module.MAX_DROPPED_BYTES // PIECE + 1
    assert events[-1] == "body"


def test_a_client_that_stops_sending_gets_the_end_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "MAX_DROPPING_S", 0.01)
    assert list_events(refuse(403), [MORE]) == ["start", "body", "read", "body"]


def test_a_client_that_goes_away_is_not_waited_for() -> None:
    events = list_events(refuse(401), [MORE, {"type": "http.disconnect"}])
    assert events == ["start", "body", "read", "read", "body"]
