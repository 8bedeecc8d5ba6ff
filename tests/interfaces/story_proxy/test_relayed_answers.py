"""What a client gets through the proxy: every byte of the server's answer, as it comes."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING, Any

from chat_upstream import (
    Handler,
    cut_stream,
    endless,
    event,
    events,
    held_stream,
    say,
    send,
    serve_upstream,
    stream,
)
from running_proxy import PROJECT, run_proxy

from cortexfs.interfaces.story_proxy.proxy_access import MAX_BODY_BYTES

if TYPE_CHECKING:
    from place import Place

HI = [{"role": "user", "content": "Who are you?"}]
STORY = "who-are-you"


def test_a_stream_passes_as_it_is_and_is_recorded(tree: Place) -> None:
    with serve_upstream(stream("Hel", "lo", " ✨")) as server, run_proxy(tree, server.url) as proxy:
        with proxy.open(HI, stream=True, temperature=0.50) as answer:
            assert answer.headers["Content-Type"] == "text/event-stream"
            assert answer.read() == b"".join(events("Hel", "lo", " ✨"))
        proxy.wait_until_recorded()
        assert proxy.said(STORY) == ["User: Who are you?", "Assistant: Hello ✨"]
        assert server.bodies == [
            json.dumps({"model": "m", "messages": HI, "stream": True, "temperature": 0.50}).encode()
        ]
        assert not proxy.reports


def test_the_first_word_passes_before_the_answer_ends(tree: Place) -> None:
    with (
        serve_upstream(held_stream("first", "last")) as server,
        run_proxy(tree, server.url) as proxy,
        proxy.open(HI, stream=True) as answer,
    ):
        assert b"first" in answer.readline()
        assert not server.released.is_set()
        server.released.set()
        assert answer.read().endswith(b"data: [DONE]\n\n")


def test_tool_calls_and_several_choices_pass(tree: Place) -> None:
    call = {"index": 0, "id": "t", "function": {"name": "roll", "arguments": '{"n": 6}'}}

    def reply(handler: Handler) -> None:
        handler.begin_chunks()
        handler.chunk(event({"tool_calls": [call]}) + b"data: [DONE]\n\n")
        handler.chunk(b"")

    choices = [{"index": n, "message": {"content": text}} for n, text in enumerate("ab")]
    with (
        serve_upstream(reply, send({"choices": choices})) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert proxy.ask(HI, stream=True) == event({"tool_calls": [call]}) + b"data: [DONE]\n\n"
        assert proxy.said(STORY) == ["User: Who are you?"]
        used: list[dict[str, Any]] = [
            *HI,
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "t", "content": "6"},
        ]
        assert json.loads(proxy.ask(used))["choices"] == choices
        assert server.messages() == used
        assert proxy.said(STORY) == ["User: Who are you?", "Assistant: a"]
        assert proxy.record(STORY)[-1].swiped == ("b",)


def test_an_error_passes_with_its_status_and_nothing_is_recorded(tree: Place) -> None:
    error = {"error": {"message": "no", "type": "invalid_request_error", "code": None}}
    statuses = (400, 401, 404, 429, 500, 503)
    replies = [send(error, status, Retry_After="7", Set_Cookie="a=b") for status in statuses]
    with serve_upstream(*replies) as server, run_proxy(tree, server.url) as proxy:
        for status in statuses:
            answer = proxy.open(HI)
            assert (answer.status, json.loads(answer.read())) == (status, error)
            assert answer.headers["Retry-After"] == "7"
            assert "Set-Cookie" not in answer.headers
        proxy.wait_until_recorded()
        assert proxy.stories() == []


def test_a_server_that_is_not_there_is_an_error_and_the_next_chat_works(tree: Place) -> None:
    with serve_upstream(say("a")) as server:
        port = server.port
    with run_proxy(tree, f"http://127.0.0.1:{port}") as proxy:
        answer = proxy.open(HI, stream=True)
        error = json.loads(answer.read())["error"]
        assert (answer.status, error["code"]) == (502, "upstream-failed")
        assert str(port) not in error["message"]
        assert proxy.stories() == []


def test_a_broken_stream_ends_with_an_error_and_what_came_is_recorded(tree: Place) -> None:
    with serve_upstream(cut_stream("Hel")) as server, run_proxy(tree, server.url) as proxy:
        body = proxy.ask(HI, stream=True)
        assert body.startswith(event({"content": "Hel"}))
        last = body.strip().rpartition(b"\n\n")[2]
        assert json.loads(last.removeprefix(b"data: "))["error"]["code"] == "upstream-failed"
        assert proxy.said(STORY) == ["User: Who are you?", "Assistant: Hel"]


def test_a_client_that_goes_ends_the_request_to_the_server(tree: Place) -> None:
    with serve_upstream(endless) as server, run_proxy(tree, server.url) as proxy:
        with proxy.open(HI, stream=True) as answer:
            assert b"on" in answer.readline()
        assert server.gone.wait(20)
    assert proxy.said(STORY)[0] == "User: Who are you?"
    assert proxy.said(STORY)[1].startswith("Assistant: on")


def test_a_redirect_is_not_followed(tree: Place) -> None:
    with (
        serve_upstream(say("secret")) as other,
        serve_upstream(send({}, 307, Location=other.url)) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        answer = proxy.open(HI)
        assert answer.status == 502
        assert "Location" not in answer.headers
        assert b"redirects" in answer.read()
        assert other.bodies == []


def test_a_connection_is_used_again_and_made_anew_when_the_server_has_closed_it(
    tree: Place,
) -> None:
    def close_afterwards(handler: Handler) -> None:
        say("one")(handler)
        handler.close_connection = True  # without saying so

    ports = []

    def note(handler: Handler) -> None:
        ports.append(handler.client_address[1])
        say("two")(handler)

    with (
        serve_upstream(close_afterwards, note, note) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert [b"one" in proxy.ask(HI) for _ in range(3)] == [True, False, False]
        assert len(ports) == 2
        assert ports[0] == ports[1]


def test_a_large_picture_passes_and_a_larger_body_is_refused(tree: Place) -> None:
    picture = {
        "type": "image_url",
        "image_url": {"url": "data:image/png;base64," + "A" * 5_000_000},
    }
    parts = [{"type": "text", "text": "Who is this?"}, picture]
    with serve_upstream(say("a cat")) as server, run_proxy(tree, server.url) as proxy:
        proxy.ask([{"role": "user", "content": parts}])
        assert server.messages()[0]["content"] == parts
        assert proxy.said("who-is-this") == ["User: Who is this?", "Assistant: a cat"]
        answer = proxy.send("POST", "/v1/chat/completions", b"a" * (MAX_BODY_BYTES + 1))
        assert (answer.status, json.loads(answer.read())["error"]["code"]) == (
            413,
            "body-too-large",
        )


def test_chats_at_once_are_as_many_stories(tree: Place, soak: bool) -> None:
    chats = range(20 if soak else 8)
    wrong: list[bytes] = []
    lock = threading.Lock()

    def play(number: int) -> None:
        said = [{"role": "user", "content": f"Chat {number} begins"}]
        for turn in range(3):
            with proxy.open(said, stream=True) as answer:
                body = answer.read()
            with lock:
                proxy.wait_until_recorded()
            wrong.extend([body] if body != b"".join(events("An", "swer")) else [])
            said += [
                {"role": "assistant", "content": "Answer"},
                {"role": "user", "content": f"Chat {number}, question {turn}"},
            ]

    with serve_upstream(stream("An", "swer")) as server, run_proxy(tree, server.url) as proxy:
        threads = [threading.Thread(target=play, args=(number,)) for number in chats]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        proxy.wait_until_recorded()
        assert not wrong
        assert not proxy.reports
        assert proxy.stories() == sorted(f"chat-{number}-begins" for number in chats)
        for number in chats:
            assert [each.text for each in proxy.record(f"chat-{number}-begins")] == [
                f"Chat {number} begins", "Answer",
                f"Chat {number}, question 0", "Answer",
                f"Chat {number}, question 1", "Answer",
            ]  # fmt: skip


def test_a_chat_goes_on_when_it_cannot_be_recorded(tree: Place) -> None:
    tree.write(f"projects/{PROJECT}/chats", "a file in place of the folder")
    with serve_upstream(stream("a")) as server, run_proxy(tree, server.url) as proxy:
        assert proxy.ask(HI, stream=True) == b"".join(events("a"))
        assert any(report.startswith("not recorded: ") for report in proxy.reports), proxy.reports
