"""Servers that break the rules of HTTP: no chat gets what was not meant for it, and none waits."""

from __future__ import annotations

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import anyio
import pytest
from chat_upstream import PATIENCE_S, Handler, say, serve_upstream
from running_proxy import TOKEN, run_proxy
from starlette.requests import ClientDisconnect

from cortexfs.interfaces.http.protect import protect
from cortexfs.interfaces.http.server_access import make_access

if TYPE_CHECKING:
    from http.client import HTTPResponse

    from chat_upstream import Reply
    from place import Place
    from running_proxy import RunningProxy
    from starlette.types import Message, Receive, Scope, Send

HI = [{"role": "user", "content": "Who are you?"}]
JSON = b"Content-Type: application/json\r\n"
STREAM = b"Content-Type: text/event-stream\r\n"


def make_answer(body: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)


def write(*parts: bytes, closes: bool = False) -> Reply:
    """Answer with these bytes."""

    def reply(handler: Handler) -> None:
        handler.wfile.write(b"".join(parts))
        handler.close_connection = closes

    return reply


def say_late(handler: Handler) -> None:
    """Answer, and say later that nobody has asked for too long."""
    handler.wfile.write(make_answer(b"first"))
    handler.upstream.released.wait(PATIENCE_S)
    handler.wfile.write(b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
    handler.wfile.flush()
    handler.close_connection = True
    handler.upstream.gone.set()


def get(proxy: RunningProxy) -> HTTPResponse:
    return proxy.send("GET", "/v1/models")


def test_what_follows_an_answer_is_no_answer_to_the_next_request(tree: Place) -> None:
    two = write(make_answer(b"first"), make_answer(b"of nobody"))
    with (
        serve_upstream(two, write(make_answer(b"second"))) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert get(proxy).read() == b"first"
        assert get(proxy).read() == b"second"


def test_what_an_idle_connection_brings_is_no_answer(tree: Place) -> None:
    with (
        serve_upstream(say_late, write(make_answer(b"second"))) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert get(proxy).read() == b"first"
        server.released.set()
        assert server.gone.wait(PATIENCE_S)
        answer = get(proxy)
        assert (answer.status, answer.read()) == (200, b"second")


BROKEN = (b"\0\0\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-", b"HTTP/1.1 999 Odd\r\n\r\n")


@pytest.mark.parametrize("case", BROKEN)
def test_a_request_whose_answer_is_broken_is_not_sent_again(case: bytes, tree: Place) -> None:
    with (
        serve_upstream(write(make_answer(b"first")), write(case, closes=True)) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert get(proxy).read() == b"first"
        assert proxy.open(HI).status == 502
        assert len(server.heads) == 2


def test_a_server_may_refuse_a_body_that_it_does_not_read(tree: Place) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        run_proxy(tree, f"http://127.0.0.1:{listener.getsockname()[1]}/v1") as proxy,
        ThreadPoolExecutor(1) as client,
    ):
        answered = client.submit(proxy.send, "POST", "/v1/files", b"x" * 20_000_000)
        connection, _ = listener.accept()
        with connection:
            connection.sendall(b"HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n")
            assert answered.result(PATIENCE_S).status == 413


def test_a_length_beside_chunks_means_nothing(tree: Place) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n"
    chunks = b"5\r\nhello\r\n0\r\n\r\n"
    with (
        serve_upstream(write(head, b"\r\n", chunks)) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        answer = get(proxy)
        assert answer.headers["Content-Length"] is None
        assert answer.read() == b"hello"


@pytest.mark.parametrize("case", [JSON, STREAM])
def test_an_answer_of_a_known_length_is_cut_off_where_it_ends(
    case: bytes, tree: Place, capfd: pytest.CaptureFixture[str]
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Length: 30\r\n" + case
    with (
        serve_upstream(write(head, b"\r\n{}", closes=True)) as server,
        run_proxy(tree, server.url) as proxy,
    ):
        assert proxy.open(HI).read(2) == b"{}"
        proxy.wait_until_recorded()
    assert capfd.readouterr().err == ""


def test_a_server_that_is_not_found_is_told_apart_from_one_that_does_not_run(tree: Place) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    for url, said in (
        (f"http://127.0.0.1:{port}", "cannot be reached: is it running?"),
        (f"http://localhost:{port}", "cannot be reached: is it running?"),
        ("http://a..b", "is not known: is the address of --upstream right?"),
    ):
        with run_proxy(tree, url) as proxy:
            assert said in json.loads(get(proxy).read())["error"]["message"]


def test_the_token_goes_to_no_other_server(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        proxy.ask(HI, headers={"Authorization": f"Bearer {TOKEN}"})
        assert "authorization" not in {name.lower() for name in server.heads[0][2]}


def test_a_client_that_takes_nothing_ends_its_request() -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(_: Message) -> None:
        raise ClientDisconnect

    async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(send, {"type": "http.response.start", "status": 200})

    access = make_access("127.0.0.1", 1, TOKEN)
    headers = [(b"host", b"127.0.0.1:1"), (b"x-api-key", TOKEN.encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "headers": headers}
    anyio.run(protect(answer, access), scope, receive, send)
