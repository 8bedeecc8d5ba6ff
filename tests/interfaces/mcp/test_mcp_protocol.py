from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from mcp_client import ENVELOPE, INITIALIZE, PATIENCE_S, serve, serve_process
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place


@pytest.mark.soak
def test_the_first_request_is_answered_as_the_sdk_answers_it(tree: Place) -> None:
    with serve_process(tree) as (client, _):
        early = client.ask("initialize", **INITIALIZE)
    with serve_process(tree) as (client, _):
        client.ask("ping")
        late = client.ask("initialize", **INITIALIZE)
    assert early["result"] == late["result"]
    assert len(early["result"]["instructions"]) <= 2048


def test_a_discovery_is_answered_as_the_sdk_answers_it(tree: Place) -> None:
    with serve(tree) as client:
        early = client.ask("server/discover", _meta=ENVELOPE)
        late = client.ask("server/discover", _meta=ENVELOPE)
        tools = client.ask("tools/list", _meta=ENVELOPE)["result"]["tools"]
    assert early["result"] == late["result"]
    assert "cortex_find" in {tool["name"] for tool in tools}


@pytest.mark.soak
@pytest.mark.parametrize("version", ["2024-11-05", "2025-06-18", "1999-01-01"])
def test_the_version_is_that_of_the_client_or_the_newest(tree: Place, version: str) -> None:
    with serve(tree) as client:
        answer = client.ask("initialize", **{**INITIALIZE, "protocolVersion": version})
    known = version if version.startswith("202") else "2025-11-25"
    assert answer["result"]["protocolVersion"] == known


@pytest.mark.soak
@pytest.mark.parametrize(
    "params",
    [
        {},
        {**INITIALIZE, "protocolVersion": 5},
        {**INITIALIZE, "clientInfo": "me"},
        {**INITIALIZE, "capabilities": []},
    ],
)
def test_a_malformed_handshake_is_refused(tree: Place, params: dict[str, Any]) -> None:
    with serve(tree) as client:
        assert client.ask("initialize", **params)["error"]["code"] == -32602
        assert "result" in client.initialize()


def test_an_unknown_method_and_an_unknown_tool_are_refused_at_once(tree: Place) -> None:
    with serve(tree) as client:
        client.initialize()
        assert client.ask("no/such")["error"]["code"] == -32601
        assert client.ask("server/discover")["error"]["code"] == -32601
        unknown = client.ask("tools/call", name="no_such")["error"]
    assert unknown == {"code": -32602, "message": "no tool named `no_such`"}


BAD_LINES = {
    b"garbage": (-32700, None),
    b"[" * 100_000: (-32700, None),
    b"\xff\xfe": (-32700, None),
    b"[]": (-32600, None),
    b"7": (-32600, None),
    b'{"id": 5}': (-32600, 5),
    b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}': (-32600, "a"),
    b'{"jsonrpc": "2.0", "id": {}, "method": "ping"}': (-32600, None),
    b'{"jsonrpc": "2.0", "id": 8, "method": "ping", "params": 3}': (-32600, 8),
}


def test_a_line_that_is_no_message_gets_an_error_and_the_server_goes_on(tree: Place) -> None:
    with serve(tree) as client:
        client.initialize()
        for line, (code, ident) in BAD_LINES.items():
            client.send_line(line)
            answer = client.receive()
            assert (answer["error"]["code"], answer["id"]) == (code, ident), line[:50]
        assert client.ask("ping")["result"] == {}


@pytest.mark.soak
@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc": "2.0", "id": "a1", "method": "x", "params": {"a": "%s"}}',
        b'{"method": "x", "params": {"a": "%s"}, "jsonrpc": "2.0", "id": "a1"}',
        b'{"method": "x", "params": {"a": "%s"}, "id": "a1", "jsonrpc": "2.0"}',
    ],
)
def test_a_message_of_ten_megabytes_gets_an_error_with_its_id(tree: Place, line: bytes) -> None:
    with serve(tree) as client:
        client.initialize()
        client.send_line(line % (b"x" * 10_000_000))
        answer = client.receive()
        assert (answer["error"]["code"], answer["id"]) == (-32600, "a1")
        assert client.ask("ping")["result"] == {}


WRONG_PARAMS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools/call", {}),
    ("tools/call", {"name": 7}),
    ("tools/call", {"name": "cortex_find", "arguments": []}),
    ("tools/call", {"name": "cortex_find", "arguments": "codec"}),
    ("resources/read", {}),
    ("resources/read", {"uri": 7}),
    ("prompts/get", {"name": []}),
    ("prompts/get", {"name": "no_such"}),
    ("prompts/get", {"name": "record_experiment"}),
)


def test_params_of_wrong_types_are_refused(tree: Place) -> None:
    with serve(tree) as client:
        client.initialize()
        for method, params in WRONG_PARAMS:
            assert client.ask(method, **params)["error"]["code"] == -32602, params
            assert client.ask("ping")["result"] == {}


@pytest.mark.soak
def test_twenty_calls_in_parallel_are_all_answered(sample: Place) -> None:
    with serve(sample) as client:
        client.initialize()
        sent = {
            client.send("tools/call", name="cortex_find", arguments={"query": "sensor"})
            for _ in range(20)
        }
        answers = [client.receive() for _ in range(20)]
    assert {answer["id"] for answer in answers} == sent
    assert len({answer["result"]["content"][0]["text"] for answer in answers}) == 1


def test_requests_are_answered_also_if_the_input_ends_right_after_them(tree: Place) -> None:
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "cortex_check"}},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "cortexfs", "--root", str(tree.root), "mcp"],
        input="\n".join(map(json.dumps, lines)),
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [1, 2]


@pytest.mark.soak
def test_the_server_ends_when_its_output_is_closed(tree: Place) -> None:
    with serve_process(tree) as (client, process):
        client.initialize()
        client.answers.close()
        client.send("ping")
        client.send("ping")
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize("number", leave_to_soak([signal.SIGTERM, signal.SIGINT], every=2))
def test_a_signal_ends_the_server(tree: Place, number: signal.Signals) -> None:
    with serve_process(tree) as (client, process):
        client.initialize()
        client.ask("ping")
        process.send_signal(number)
        assert process.wait(PATIENCE_S) == 0


def test_the_server_ends_when_its_parent_dies_though_the_input_stays_open(tree: Place) -> None:
    """Another process holds the write end of the pipe, as a sibling of the server may."""
    read_end, write_end = os.pipe()
    command = [sys.executable, "-m", "cortexfs", "--root", str(tree.root), "mcp"]
    script = (
        "import subprocess, sys\n"
        f"server = subprocess.Popen({command!r}, stdin=0, stdout=subprocess.PIPE)\n"
        "server.stdout.readline()\n"
        "print(server.pid, flush=True)\n"
    )
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": INITIALIZE}
    os.write(write_end, json.dumps(request).encode() + b"\n")
    parent = subprocess.run(
        [sys.executable, "-c", script],
        stdin=read_end,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    server = os.pidfd_open(int(parent.stdout)) if hasattr(os, "pidfd_open") else -1
    try:
        assert _ends(server)
    finally:
        for descriptor in {read_end, write_end, server} - {-1}:
            os.close(descriptor)


def _ends(process: int) -> bool:
    """Wait until a process has ended, through its descriptor."""
    if process < 0:
        return True
    poll = select.poll()
    poll.register(process, select.POLLIN)
    return bool(poll.poll(PATIENCE_S * 1000))


def test_without_a_tree_the_server_refuses_to_start(tree: Place) -> None:
    ran = tree.run("mcp", "--root", str(tree.root / "nowhere"))
    assert (ran.code, ran.err.splitlines()[0]) == (
        3,
        f"error: no tree at {tree.root / 'nowhere'}",
    )


def test_a_choice_of_no_tool_is_wrong_usage(tree: Place) -> None:
    assert tree.run("mcp", "--tools", "cortex_fnid").code == 2


def test_other_commands_do_not_import_the_sdk(sample: Place) -> None:
    code = (
        "import sys; sys.argv = ['cortexfs', 'list']\n"
        "import cortexfs.interfaces.mcp.serve_stdio, cortexfs.interfaces.mcp.tool_table\n"
        "try:\n    from cortexfs.interfaces.cli.app import main; main()\n"
        "except SystemExit: print({'mcp', 'mcp_types', 'pydantic', 'anyio'} & {*sys.modules})\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=sample.root, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"
