"""The proxy as a process: how it starts, what it refuses, and that killing it loses nothing."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import closing, contextmanager, redirect_stderr, suppress
from http.client import HTTPConnection, HTTPResponse
from typing import TYPE_CHECKING

import pytest
from chat_upstream import held_stream, say, serve_upstream, stream
from running_proxy import PROJECT

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.start_server import print_if_read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

RECORD = f"projects/{PROJECT}/chats/road.jsonl"
HI = {"role": "user", "content": "Who are you?"}


@contextmanager
def start(place: Place, url: str, *words: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start the proxy on a free port; yield its process, and the port once it listens."""
    given = ("--upstream", url, "--port", "0", "-p", PROJECT, *words)
    command = (
        sys.executable,
        "-m",
        "cortexfs",
        "story",
        "serve",
        "--root",
        str(place.root),
        *given,
    )
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        try:
            yield process, int(line.partition("/v1")[0].rpartition(":")[2])
        finally:
            process.send_signal(signal.SIGINT)
            process.stderr.read()


@contextmanager
def ask(port: int, *messages: dict[str, str]) -> Iterator[HTTPResponse]:
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        document = {"model": "m", "stream": True, "messages": messages}
        connection.request("POST", "/v1/chat/completions", json.dumps(document))
        with connection.getresponse() as answer:
            yield answer


def play(port: int, *messages: dict[str, str]) -> bytes:
    with ask(port, *messages) as answer:
        return answer.read()


def said(place: Place) -> list[str]:
    return [each.text for each in parse_record(place.read(RECORD)).messages]


def test_what_was_said_is_committed_when_the_proxy_ends(tree: Place) -> None:
    with serve_upstream(stream("Hel", "lo")) as server:
        with start(tree, server.url, "--story", "road") as (_, port):
            play(port, HI)
        assert said(tree) == ["Who are you?", "Hello"]
        assert tree.git("status", "--porcelain") == ""


def test_after_a_kill_in_an_answer_the_next_question_records_what_was_missed(tree: Place) -> None:
    half = {"role": "assistant", "content": "first"}
    question = {"role": "user", "content": "And then?"}
    with serve_upstream(stream("Kael"), held_stream("first", "last"), say("after it")) as server:
        with start(tree, server.url, "--story", "road") as (process, port):
            play(port, HI)
            with ask(port, HI, {"role": "assistant", "content": "Kael"}, question) as answer:
                assert b"first" in answer.readline()
                process.kill()
                process.wait()
        with start(tree, server.url, "--story", "road") as (_, port):
            history = (HI, {"role": "assistant", "content": "Kael"}, question, half)
            play(port, *history, {"role": "user", "content": "Go on"})
        assert said(tree) == ["Who are you?", "Kael", "And then?", "first", "Go on", "after it"]
        assert tree.run("check").code == 0
        assert tree.git("status", "--porcelain") == ""


def test_what_cannot_be_served_is_refused_before_the_start(tree: Place) -> None:
    command = ("story", "serve", "-p", PROJECT, "--upstream")
    assert tree.run(*command, "localhost").code == 2
    assert tree.run(*command, "http://127.0.0.1:1", "--key-env", "NO_SUCH").code == 2
    others = tree.run(*command, "http://127.0.0.1:1", "--host", "192.0.2.1")
    assert (others.code, "--token-file" in others.err) == (3, True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    own = tree.run(*command, f"http://localhost:{port}/v1", "--port", str(port))
    assert (own.code, "the proxy itself" in own.err) == (3, True)
    assert tree.run(*command, "http://127.0.0.1:1", "--story", "../x").code == 3
    assert tree.run("story", "serve", "-p", "nowhere", "--upstream", "http://127.0.0.1:1").code == 3
    assert os.listdir(tree.root / "projects" / PROJECT).count("chats") == 0


def test_the_proxy_goes_on_when_nobody_reads_what_it_says() -> None:
    run = CommandContext(OutputPrinter(), None, ExecutionMode.COMMIT)
    read, written = os.pipe()
    os.close(read)
    with suppress(BrokenPipeError), open(written, "w", buffering=1, encoding="utf-8") as nowhere:
        with pytest.raises(BrokenPipeError), redirect_stderr(nowhere):
            run.output.print_message("not recorded")
        with redirect_stderr(nowhere):
            print_if_read(run, "not recorded")
