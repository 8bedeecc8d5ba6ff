"""The SDK's own client, over stdio and over HTTP."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

PATIENCE_S = 60
CALLS: dict[str, dict[str, object]] = {
    "cortex_find": {"query": "sensor"},
    "cortex_show": {"ref": "driftwood/EXP-009"},
    "cortex_new": {
        "kind": "experiment",
        "project": "driftwood",
        "summary": "Runs",
        "tags": ["codec"],
    },
    "cortex_mark": {"ref": "driftwood/EXP-009", "status": "deprecated"},
    "cortex_brief": {"project": "driftwood"},
    "cortex_check": {},
    "cortex_tasks": {},
    "story_append": {
        "story": "road",
        "speaker": "Mel",
        "text": "I promise.",
        "project": "driftwood",
    },
    "story_list": {"project": "driftwood"},
    "story_render": {"story": "road", "project": "driftwood"},
    "story_recall": {"story": "road", "query": "Who promised?", "project": "driftwood"},
    "story_correct": {
        "entity": "Mel",
        "change": "type",
        "value": "faction",
        "project": "driftwood",
    },
}


async def call_every_tool(client: Client) -> set[str]:
    """Call each tool of the tree, which must succeed; give the names of those listed."""
    listed = await client.list_tools()
    for name, arguments in CALLS.items():
        done = await client.call_tool(name, arguments)
        assert not done.is_error, (name, done.content)
        assert done.structured_content is None
    assert (await client.list_resources()).resources
    assert (await client.list_prompts()).prompts
    return {tool.name for tool in listed.tools}


@pytest.mark.parametrize("mode", leave_to_soak(["legacy", "auto"], every=2))
def test_it_lists_and_calls_every_tool_over_stdio(sample: Place, mode: Any) -> None:
    arguments = ["-m", "cortexfs", "--root", str(sample.root), "mcp", "--tools", "tree,story"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))

    async def drive() -> set[str]:
        with anyio.fail_after(PATIENCE_S):
            async with Client(stdio_client(server), mode=mode) as client:
                return await call_every_tool(client)

    assert anyio.run(drive) == set(CALLS)


@contextmanager
def serve_http(place: Place) -> Iterator[str]:
    """Start a server on a free port; give its address."""
    words = [sys.executable, "-m", "cortexfs", "--root", str(place.root), "mcp", "--http", "0"]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        try:
            yield line.split()[1].rstrip(";")
        finally:
            process.terminate()
            process.wait(PATIENCE_S)


def read_token(place: Place) -> str:
    return place.read(".cortexfs/mcp-token").strip()


def post(address: str, body: bytes, **headers: str) -> int:
    """Post a body; give the status of the answer."""
    names = {key.replace("_", "-"): value for key, value in headers.items()}
    accept = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    request = urllib.request.Request(address, body, {**accept, **names})  # noqa: S310
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return int(answer.status)
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


def post_in_pieces(address: str, size: int, token: str) -> bytes:
    """Begin a request, read the first line of the answer, then send the body and read the rest."""
    place = urllib.parse.urlsplit(address)
    head = f"POST {place.path} HTTP/1.1\r\nHost: {place.netloc}\r\nContent-Length: {size}\r\n"
    fields = f"Authorization: Bearer {token}\r\nContent-Type: application/json\r\nConnection: close"
    with socket.create_connection((place.hostname, place.port), PATIENCE_S) as connection:
        connection.sendall(f"{head}{fields}\r\n\r\n".encode())
        with connection.makefile("rb") as answer:
            status = answer.readline()
            for _ in range(0, size, PIECE):
                connection.sendall(b"x" * PIECE)
            assert b"the body has more than 1048576 bytes" in answer.read()
    return status


PIECE = 64 * 1024
INITIALIZE = (
    b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion":'
    b' "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}'
)


def test_over_http_a_request_needs_the_token_and_a_host_and_origin_of_this_machine(
    sample: Place,
) -> None:
    with serve_http(sample) as address:
        key = {"Authorization": f"Bearer {read_token(sample)}"}
        assert post(address, INITIALIZE, **key) == 200
        assert post(address, INITIALIZE) == 401
        assert post(address, INITIALIZE, Authorization="Bearer wrong") == 401
        assert post(address, INITIALIZE, Authorization=read_token(sample)) == 401
        assert post(address, INITIALIZE, **key, Host="evil.example") == 421
        assert post(address, INITIALIZE, **key, Origin="http://evil.example") == 403
        assert post(address, b"x" * (1024 * 1024 + 1), **key) == 413
        too_large = post_in_pieces(address, 32 * PIECE, read_token(sample))
        assert too_large.startswith(b"HTTP/1.1 413 ")
        assert post(address, b"garbage", **key) == 400
        assert post(address, INITIALIZE, **key) == 200


@pytest.mark.soak
def test_the_token_is_made_once_and_only_its_owner_can_read_it(sample: Place) -> None:
    with serve_http(sample):
        first = read_token(sample)
    with serve_http(sample):
        assert read_token(sample) == first
    path = sample.root / ".cortexfs/mcp-token"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    path.chmod(0o644)
    ran = sample.run("mcp", "--http", "0")
    assert (ran.code, ran.err.split()[:4]) == (3, ["error:", "others", "can", "read"])


@pytest.mark.parametrize("typed", ["99999", "a b:80", "http://x", "127.0.0.1:", ":80"])
def test_a_wrong_address_is_wrong_usage(sample: Place, typed: str) -> None:
    assert sample.run("mcp", "--http", typed).code == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "0", "000.0", "[::]", "[::0]"])  # noqa: S104
def test_a_server_on_every_address_is_refused(sample: Place, host: str) -> None:
    ran = sample.run("mcp", "--http", f"{host}:0")
    assert (ran.code, ran.err.split("address")[0]) == (3, "error: a server on every ")
