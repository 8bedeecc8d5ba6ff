"""What the server behind the proxy gets to see, and who may ask."""

from __future__ import annotations

import json
import os
import socket
import struct
from typing import TYPE_CHECKING

import pytest
from chat_upstream import Handler, say, send, serve_upstream, stream
from for_each import for_each
from running_proxy import PATIENCE_S, TOKEN, run_proxy
from unprivileged import NOBODY, ask_as

from cortexfs.errors import Usage
from cortexfs.interfaces.story_proxy.proxy_access import is_own_page
from cortexfs.interfaces.story_proxy.upstream_address import parse_upstream

if TYPE_CHECKING:
    from place import Place

HI = [{"role": "user", "content": "Who are you?"}]
CHAT = "/v1/chat/completions"


def test_other_paths_pass_with_their_query_their_body_and_their_headers(tree: Place) -> None:
    with (
        serve_upstream(send({"object": "list"})) as server,
        run_proxy(tree, f"http://127.0.0.1:{server.port}/api/openai/") as proxy,
    ):
        assert proxy.send("GET", "/v1/models?a=%20b").read() == b'{"object": "list"}'
        proxy.send("POST", "/v1/completions", b'{"prompt":  "Once"}').read()
        proxy.send("POST", "/stories/road/v1/embeddings", b"\xff", {"Content-Type": "a/b"}).read()
        assert [head[:2] for head in server.heads] == [
            ("GET", "/api/openai/models?a=%20b"),
            ("POST", "/api/openai/completions"),
            ("POST", "/api/openai/embeddings"),
        ]
        assert server.bodies == [b"", b'{"prompt":  "Once"}', b"\xff"]
        assert server.heads[2][2]["content-type"] == "a/b"
        assert proxy.stories() == []


def test_a_server_sees_neither_cookies_nor_what_is_for_the_proxy(tree: Place) -> None:
    headers = {
        "Authorization": "Bearer of-the-client",
        "Cookie": "cortexfs-7438=secret",
        "Origin": "http://localhost:8000",
        "Referer": "http://localhost:8000/x",
        "X-Cortexfs-Story": "road",
        "X-Cortexfs-Token": TOKEN,
        "Sec-Fetch-Site": "same-site",
        "X-Title": "kept",
        "Connection": "close, X-Hop",
        "X-Hop": "1",
        "Accept-Encoding": "gzip",
    }
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        proxy.ask(HI, headers=headers)
        got = {name.lower(): value for name, value in server.heads[0][2].items()}
        assert got == {
            "host": f"127.0.0.1:{server.port}",
            "content-length": str(len(server.bodies[0])),
            "accept-encoding": "identity",
            "authorization": "Bearer of-the-client",
            "content-type": "application/json",
            "x-title": "kept",
        }
        assert proxy.stories() == ["road"]


def test_the_key_of_the_proxy_takes_the_place_of_the_clients(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url, key="of-proxy") as proxy:
        proxy.ask(HI, headers={"Authorization": f"Bearer {TOKEN}"})
        got = [
            value for name, value in server.heads[0][2].items() if name.lower() == "authorization"
        ]
        assert got == ["Bearer of-proxy"]


FOREIGN: tuple[tuple[dict[str, str], int, str], ...] = (
    ({"Host": "evil.example"}, 421, "wrong-host"),
    ({"Origin": "https://evil.example"}, 403, "wrong-origin"),
    ({"Origin": "null"}, 403, "wrong-origin"),
    ({"Origin": "http://localhost.evil.example"}, 403, "wrong-origin"),
    ({"Sec-Fetch-Site": "cross-site"}, 403, "wrong-origin"),
)


def test_a_page_from_elsewhere_is_refused(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        for headers, status, code in FOREIGN:
            answer = proxy.open(HI, headers=headers)
            assert (answer.status, json.loads(answer.read())["error"]["code"]) == (status, code)
        assert server.bodies == []


def test_a_page_of_this_machine_may_ask(tree: Place) -> None:
    page = {"Origin": "http://localhost:8000"}
    asked = {**page, "Access-Control-Request-Headers": "authorization", "Host": ""}
    with (
        serve_upstream(send({}, Access_Control_Allow_Origin="*")) as server,
        run_proxy(tree, server.url, needs_token=True) as proxy,
    ):
        asked["Host"] = f"localhost:{proxy.port}"
        answer = proxy.send("OPTIONS", CHAT, headers=asked)
        assert answer.status == 204
        assert answer.headers["Access-Control-Allow-Headers"] == "authorization"
        assert answer.headers.get_all("Access-Control-Allow-Origin") == ["http://localhost:8000"]
        answer = proxy.open(HI, headers={**page, "X-Cortexfs-Token": TOKEN})
        assert answer.headers.get_all("Access-Control-Allow-Origin") == ["http://localhost:8000"]
        assert len(server.bodies) == 1
        assert proxy.open(HI, headers=page).status == 401


def test_a_server_for_others_needs_its_token(tree: Place) -> None:
    with (
        serve_upstream(say("a")) as server,
        run_proxy(tree, server.url, needs_token=True, key="k") as proxy,
    ):
        assert proxy.open(HI).status == 401
        assert proxy.open(HI, headers={"Authorization": "Bearer wrong"}).status == 401
        assert proxy.open(HI, headers={"Authorization": f"Bearer {TOKEN}"}).status == 200
        assert proxy.open(HI, headers={"X-Cortexfs-Token": TOKEN}).status == 200
        assert len(server.bodies) == 2


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_another_user_of_this_machine_needs_the_token(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        assert ask_as(NOBODY, proxy.port, "/v1/models") == 401
        assert ask_as(NOBODY, proxy.port, "/v1/models", source="127.0.0.2") == 401
        assert ask_as(NOBODY, proxy.port, "/v1/models", {"X-Cortexfs-Token": TOKEN}) == 200
        assert ask_as(os.getuid(), proxy.port, "/v1/models") == 200


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_who_has_closed_the_connection_has_sent_nothing(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        head = f"GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\n\r\n"
        for _ in range(5):
            with socket.create_connection(("127.0.0.1", proxy.port)) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.sendall(head.encode())
            assert proxy.ended.acquire(timeout=PATIENCE_S)
        assert server.heads == []


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_another_user_is_refused_before_anything_of_the_body_arrives(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        asks = {"Expect": "100-continue", "Content-Length": "30000000"}
        assert ask_as(NOBODY, proxy.port, "/v1/models", asks) == 401


OUTSIDE = ("/v1/../admin", "/v1/%2e%2e/admin", "/v2/models", "/v1x", "/stories/a/b/v1/models", "/")


def test_a_path_outside_of_the_interface_is_refused(tree: Place) -> None:
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        assert [proxy.send("GET", path).status for path in OUTSIDE] == [404] * len(OUTSIDE)
        assert server.heads == []


def test_the_proxy_says_that_it_works(tree: Place) -> None:
    with run_proxy(tree, "http://127.0.0.1:1") as proxy:
        assert proxy.send("GET", "/health").read() == b'{"status":"ok"}'


@for_each(("ftp://a", "a", "http://u:p@a/v1", "http://a/v1?x=1", "http://a b", "http://[::1", ""))
def test_what_is_no_address_is_wrong_usage(url: str) -> None:
    with pytest.raises(Usage):
        parse_upstream(url, insecure=False, environ={})


def test_an_address_says_how_it_is_reached() -> None:
    local = parse_upstream("http://[::1]:11434", insecure=False, environ={})
    assert (local.host, local.port, local.path, local.host_header) == (
        "::1", 11434, "/v1", "[::1]:11434",
    )  # fmt: skip
    assert not local.may_be_public
    environ = {"HTTPS_PROXY": "http://p:3128"}
    public = parse_upstream("https://a.example/api/v1/", insecure=False, environ=environ)
    assert (public.host_header, public.path, public.may_be_public) == ("a.example", "/api/v1", True)
    assert public.proxy
    assert (public.proxy.host, public.proxy.port) == ("p", 3128)


@for_each((
    ("http://localhost:8000", True), ("http://127.0.0.1", True), ("https://[::1]:3", True),
    ("http://localhost.evil", False), ("http://localhost@evil", False), ("file://localhost", False),
    ("http://localhost:8000/", False), ("http://[", False), ("null", False), ("", False),
))  # fmt: skip
def test_pages_of_this_machine_are_known_by_their_host(case: tuple[str, bool]) -> None:
    origin, is_own = case
    assert is_own_page(origin) is is_own


def test_a_compressed_answer_passes_and_is_not_recorded(tree: Place) -> None:
    body = b"\x1f\x8b of a server that compresses all the same"

    def reply(handler: Handler) -> None:
        handler.send_response(200)
        for name, value in (("Content-Encoding", "gzip"), ("Content-Length", str(len(body)))):
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(body)

    with serve_upstream(reply) as server, run_proxy(tree, server.url) as proxy:
        assert proxy.ask(HI) == body
        assert proxy.stories() == []


def test_names_of_stories_are_for_the_proxy(tree: Place) -> None:
    with serve_upstream(stream("a")) as server, run_proxy(tree, server.url, story="all") as proxy:
        proxy.ask(HI)
        proxy.ask(
            HI, path="/stories/by-path/v1/chat/completions", headers={"X-Cortexfs-Story": "x"}
        )
        proxy.ask(HI, headers={"X-Cortexfs-Story": "by-header"}, model="m#x")
        proxy.ask(HI, model="m#by-model")
        proxy.ask(HI, headers={"X-OpenWebUI-Chat-Id": "1"})
        assert [json.loads(body)["model"] for body in server.bodies] == ["m"] * 5
        assert proxy.stories() == ["all", "by-header", "by-model", "by-path"]
        assert proxy.said("by-path") == ["User: Who are you?", "Assistant: a"]
        bad = proxy.open(HI, path="/stories/A%20b/v1/chat/completions")
        assert (bad.status, json.loads(bad.read())["error"]["code"]) == (400, "refused")


def test_nothing_is_recorded_of_tasks_or_where_it_is_switched_off(tree: Place) -> None:
    task = [{"role": "user", "content": "### Task:\nGenerate a title"}]
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url, story="road") as proxy:
        proxy.ask(task)
        proxy.ask(HI, headers={"X-Cortexfs-Record": "off"})
        assert len(server.bodies) == 2
        assert proxy.stories() == []


def test_chats_of_open_webui_are_told_apart_by_their_id(tree: Place) -> None:
    first, second = (
        {"X-OpenWebUI-Chat-Id": f"8D3f2a9c-0000-4000-8000-00000000{n}111"} for n in "ab"
    )
    with serve_upstream(say("a")) as server, run_proxy(tree, server.url) as proxy:
        proxy.ask(HI, headers=first)
        proxy.ask(HI, headers=second)
        proxy.ask([*HI, {"role": "assistant", "content": "a"}, *HI], headers=first)
        assert proxy.stories() == ["who-are-you-0000a111", "who-are-you-0000b111"]
        assert len(proxy.record("who-are-you-0000a111")) == 4


def test_short_ids_of_chats_and_short_words_take_no_other_chat(tree: Place) -> None:
    hello = [{"role": "user", "content": "hi"}]
    answered = [*hello, {"role": "assistant", "content": "Hello!"}]
    with serve_upstream(say("Hello!")) as server, run_proxy(tree, server.url) as proxy:
        for name in ("chat", "hi-2", "hi-me", "hi-ration-1"):
            proxy.ask(HI, headers={"X-Cortexfs-Story": name})
        for ident in ("2", "me", "\xe9", "ration-1", "deliberation-1", "federation-1"):
            proxy.ask(hello, headers={"X-OpenWebUI-Chat-Id": ident})
        assert len(proxy.stories()) == 4 + 6
        proxy.ask([*answered, *HI], headers={"X-OpenWebUI-Chat-Id": "2"})
        assert len(proxy.stories()) == 4 + 6
        assert all(len(proxy.record(name)) == 2 for name in ("hi-2", "hi-me", "chat"))

        hey = [{"role": "user", "content": "hey"}, {"role": "assistant", "content": "Hello!"}]
        proxy.ask(hey[:1])
        proxy.ask([*hey, {"role": "user", "content": "Plan a trip."}])
        assert len(proxy.stories()) == 4 + 6 + 1
        proxy.ask([*hey, {"role": "user", "content": "Write a letter."}])
        assert len(proxy.stories()) == 4 + 6 + 2
        assert len(proxy.record("hey")) == 4
