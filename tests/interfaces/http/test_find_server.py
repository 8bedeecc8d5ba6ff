"""Which server is that of the tree: one that proves it, whatever a file or a stranger says."""

from __future__ import annotations

import json
import os
import stat
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from place import build_sample
from running_server import PATIENCE_S, RunningServer, make_server_fixture

from cortexfs.errors import Refused
from cortexfs.interfaces.cli.start_server import ServerAddress, find_running_server, open_server
from cortexfs.interfaces.http import find_server as probing
from cortexfs.interfaces.http.find_server import find_server
from cortexfs.interfaces.http.listening_socket import open_listener
from cortexfs.session.server_file import (
    SERVER_FILE,
    ServerPlace,
    announce_server,
    find_announced_server,
)

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable, Iterator
    from pathlib import Path

OK = b"HTTP/1.1 200 OK\r\n\r\n"


server = make_server_fixture(build_sample)


@contextmanager
def stranger(answer: Callable[[bytes], bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the port of another program that takes one request, and what it was sent."""
    received: list[bytes] = []

    def serve(listener: socket.socket) -> None:
        client, _ = listener.accept()
        with client:
            received.append(client.recv(10_000))
            client.sendall(answer(received[0]))

    with open_listener("127.0.0.1", 0) as listener:
        thread = threading.Thread(target=serve, args=(listener,), daemon=True)
        thread.start()
        yield listener.getsockname()[1], received
        thread.join(PATIENCE_S)


def relay(server: RunningServer, request: bytes) -> bytes:
    """Ask the tree's own server what a stranger was asked."""
    path = request.split()[1].decode()
    return OK + server.send("GET", path, None, {}).body


def test_the_server_of_the_tree_is_found_on_any_port(server: RunningServer) -> None:
    for port in (server.access.port, 1):
        found = find_running_server(server.session, ServerAddress(port=port))
        assert found
        assert found.address == f"http://127.0.0.1:{server.access.port}"
        assert found.access.hosts == server.access.hosts
    file = server.place.root / ".cortexfs" / SERVER_FILE
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    named = {"pid": os.getpid(), "host": "127.0.0.1", "port": server.access.port}
    assert json.loads(file.read_text()) == named


def test_a_stranger_proves_nothing_and_is_not_sent_the_token(
    server: RunningServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(probing, "PROBE_S", 0.2)
    token, recorded = server.access.token, server.send("GET", "/health?challenge=1", None, {}).body
    assert b"server" in recorded
    answers: list[Callable[[bytes], bytes]] = [
        lambda _: OK + recorded,
        lambda request: OK + request,
        lambda request: relay(server, request),
        lambda _: OK + b"[" * 9_000,
        lambda _: b"\xff" * 100_000,
        lambda _: b"",
    ]
    for answer in answers:
        with stranger(answer) as (port, received):
            assert find_server("127.0.0.1", port, token) is None
        assert token.encode() not in b"".join(received)
    with open_listener("127.0.0.1", 0) as silent:
        assert find_server("127.0.0.1", silent.getsockname()[1], token) is None
    assert find_server("127.0.0.1", server.access.port, f"{token[:-1]}_") is None


def test_health_proves_nothing_without_a_new_and_short_challenge(server: RunningServer) -> None:
    for path in ("/health", "/health?challenge=", f"/health?challenge={'x' * 65}"):
        assert server.send("GET", path, None, {}).json() == {"status": "ok"}
    proofs = {server.send("GET", f"/health?challenge={n}", None, {}).body for n in range(3)}
    assert len(proofs) == 3


def test_a_port_in_use_says_by_whom(server: RunningServer) -> None:
    port = server.access.port
    with (
        pytest.raises(Refused, match=f"port {port} is used by this tree's own server") as own,
        open_server(server.session, ServerAddress(port=port)),
    ):
        pass
    assert "`cortexfs ui --link`" in str(own.value.hint)
    with (
        stranger(lambda _: OK) as (port, _),
        pytest.raises(Refused, match=f"port {port} is used by another program") as other,
        open_server(server.session, ServerAddress(port=port)),
    ):
        pass
    assert "--port" in str(other.value.hint)


HOSTILE = (
    "",
    "null",
    "[]",
    "[" * 400,
    "{" * 100_000,
    '{"host": "127.0.0.1"}',
    '{"host": "192.0.2.1", "port": 80}',
    '{"host": "example.org", "port": 80}',
    '{"host": null, "port": 80}',
    '{"host": 2130706433, "port": 80}',
    *(f'{{"host": "127.0.0.1", "port": {port}}}' for port in ("0", "-1", "65536", "true", '"80"')),
    f'{{"host": "127.0.0.1", "port": {"9" * 300}}}',
)


def test_a_hostile_file_names_no_server(tmp_path: Path) -> None:
    file = tmp_path / ".cortexfs" / SERVER_FILE
    assert find_announced_server(str(tmp_path)) is None
    file.parent.mkdir(0o700)
    for content in HOSTILE:
        file.write_text(content)
        assert find_announced_server(str(tmp_path)) is None, content[:80]
    file.unlink()
    good = tmp_path / "good"
    good.write_text('{"host": "127.0.0.1", "port": 80}')
    for make in (lambda: file.symlink_to(good), lambda: os.mkfifo(file)):
        make()
        assert find_announced_server(str(tmp_path)) is None
        with announce_server(str(tmp_path), ServerPlace("127.0.0.1", 80)):
            assert find_announced_server(str(tmp_path)) == ServerPlace("127.0.0.1", 80)
        assert not os.path.lexists(file)
    assert good.read_text() == '{"host": "127.0.0.1", "port": 80}'


def test_the_file_of_another_server_stays(tmp_path: Path) -> None:
    root, first, second = str(tmp_path), ServerPlace("127.0.0.1", 1), ServerPlace("::1", 2)
    with announce_server(root, second):
        with announce_server(root, first):
            assert find_announced_server(root) == first
            tmp_path.joinpath(".cortexfs", SERVER_FILE).write_text(json.dumps(second._asdict()))
        assert find_announced_server(root) == second
    tmp_path.joinpath(".cortexfs", SERVER_FILE).unlink()
    tmp_path.joinpath(".cortexfs", SERVER_FILE).mkdir()
    with announce_server(root, first):
        assert find_announced_server(root) is None
