"""A server that is killed at any call of a change: nothing is lost, the next command goes on."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING

import pytest
from crash_law import (
    find_flaws_after_kill,
    find_flaws_after_next_command,
    find_flaws_in_git,
)
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from conftest import Pick
    from crash_scene import ProcessResult, Scene

SHIM = """
import itertools, os

numbers = itertools.count(1)
exists, write = os.path.exists, os.write


def with_kill(real):
    def wrapper(*args, **words):
        is_change = real is not os_open or args[1] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if is_change and exists(armed_path):
            number = next(numbers)
            write(record, f"{number}\\n".encode())
            if number == last:
                os.kill(os.getpid(), 9)
        return real(*args, **words)
    return wrapper


os_open = os.open
record = os_open(record_path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
write(record, f"{os.getpid()}\\n".encode())
for name in "open write fsync rename link unlink mkdir ftruncate".split():
    setattr(os, name, with_kill(getattr(os, name)))
"""
"""Count the calls that change a file, once a path exists; the last one kills the process."""

REQUESTS: dict[str, tuple[str, dict[str, object]]] = {
    "new": (
        "atoms",
        {
            "kind": "experiment",
            "project": "alpha",
            "summary": "A summary | of its own",
            "tags": ["codec"],
        },
    ),
    "undo": ("undo", {}),
    "mark": (
        "atoms/beta/EXP-002/mark",
        {"status": "superseded", "by": "beta/EXP-003", "reason": "Bias"},
    ),
    "claim": ("tasks/claim", {"owner": "lab-1", "project": "alpha"}),
    "issue": ("projects/alpha/issues", {"text": "Clock drifts", "problem": "3 s a day"}),
    "accept": ("decisions/alpha/DR-0001/accept", {}),
    "regen": ("indexes", {}),
}
"""The change that each command of the scene makes, as a request."""
PATIENCE_S = 60


class SocketConnection(HTTPConnection):
    """A connection to a socket file."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=PATIENCE_S)
        self.path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(PATIENCE_S)
        self.sock.connect(str(self.path))


def ask(scene: Scene, method: str, path: str, body: object = None) -> bytes:
    """Return the body of an answer; raises if the server is not there, or dies."""
    token = (scene.tree / ".cortexfs/server-token").read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    connection = SocketConnection(scene.folder / "socket")
    try:
        content = json.dumps(body).encode() if body is not None else None
        connection.request(method, f"/api/{path}", content, headers)
        answer = connection.getresponse()
        assert answer.status < 400, (method, path, answer.status, answer.read())
        return answer.read()
    finally:
        connection.close()


def wait_for_server(scene: Scene, serving: Future[ProcessResult]) -> None:
    """Wait until the server has made everything that the first request would need."""
    pause = threading.Event()
    while not serving.done():
        try:
            ask(scene, "GET", "v1/stats")
        except (OSError, HTTPException):
            pause.wait(0.01)
        else:
            return


@dataclass
class Serving:
    """A server of a scene, as it runs and as it has ended."""

    scene: Scene
    result: Future[ProcessResult]

    def arm(self) -> None:
        """Begin to count the calls that change a file."""
        (self.scene.folder / "armed").touch()

    def list_numbers(self) -> list[int]:
        """Return the process id, and the numbers of the calls."""
        return [int(line) for line in (self.scene.folder / "calls").read_text().split()]

    def end(self, how: signal.Signals) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.list_numbers()[0], how)


@contextmanager
def serve(scene: Scene, last: int = 0) -> Iterator[Serving]:
    """Serve the restored tree, and wait in the end until the server has ended."""
    scene.restore()
    paths = [scene.folder / name for name in ("armed", "calls", "socket")]
    for path in paths:
        path.unlink(missing_ok=True)
    armed, record, address = map(str, paths)
    values = f"armed_path, record_path, last = {(armed, record, last)!r}\n"
    with ThreadPoolExecutor(1) as threads:
        words = ("serve", "--socket", address)
        result = threads.submit(scene.cortexfs, *words, before=values + SHIM)
        wait_for_server(scene, result)
        serving = Serving(scene, result)
        try:
            yield serving
        finally:
            serving.end(signal.SIGTERM)


def serve_and_change(scene: Scene, command: str, last: int = 0) -> tuple[ProcessResult, int]:
    """Make a change over HTTP, and kill the server at the last call, or end it after the change.

    Returns how the server ended, with the answer as its output, and the number of calls.
    """
    answer = b""
    with serve(scene, last) as serving:
        serving.arm()
        with suppress(OSError, HTTPException):
            path, body = REQUESTS[command]
            answer = ask(scene, "POST", f"v1/{path}", body)
    _, *numbers = serving.list_numbers()
    return replace(serving.result.result(), out=answer.decode()), max(numbers)


def choose_points(count: int, wanted: int) -> list[int]:
    """Return the numbers of some calls, evenly spread."""
    return [(2 * number + 1) * count // (2 * wanted) + 1 for number in range(wanted)]


@pytest.mark.soak
@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("command", leave_to_soak(REQUESTS, every=len(REQUESTS)))
def test_a_killed_server_leaves_the_old_or_new_state_and_the_next_command_repairs_it(
    scene: Scene, command: str, soak: bool, pick: Pick
) -> None:
    scene.prepare(command)
    ended, count = serve_and_change(scene, command)
    assert ended.code == 0, ended
    assert not find_flaws_after_next_command(scene, command, ended)
    points = [*(pick(range(1, count + 1), 4) if soak else choose_points(count, 2))]
    kills = 0
    for last in points:
        ended, _ = serve_and_change(scene, command, last)
        is_killed = ended.code == -signal.SIGKILL
        assert is_killed or ended.code == 0, (last, ended)  # its threads make fewer calls at times
        assert not (is_killed and find_flaws_after_kill(scene, command, ended)), last
        assert not find_flaws_after_next_command(scene, command, ended), last
        kills += is_killed
    assert 2 * kills > len(points)


def save_until_it_ends(scene: Scene, writer: int, saved: list[str]) -> None:
    """Save memories and atoms until nobody answers; append what was acknowledged."""
    for number in range(1000):
        title = f"saved {writer} {number}"
        idea = {"kind": "idea", "summary": title, "tags": ["codec"]}
        memory = {"title": title, "content": f"**What**: {title}", "project": "alpha"}
        try:
            ask(scene, "POST", *(("v1/atoms", idea) if number % 2 else ("observations", memory)))
        except (OSError, HTTPException):
            return
        saved.append(title)


@pytest.mark.soak
@pytest.mark.xdist_group("kills")
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_what_a_server_has_acknowledged_is_there_once_however_it_ends(
    scene: Scene, how: signal.Signals
) -> None:
    saved, pause = list[str](), threading.Event()
    for wanted in range(5, 60, 10):
        saved.clear()
        with serve(scene) as serving, ThreadPoolExecutor(4) as writers:
            for writer in range(4):
                writers.submit(save_until_it_ends, scene, writer, saved)
            while len(saved) < wanted:
                pause.wait(0.001)
            serving.end(how)
        ended = serving.result.result()
        assert (ended.code, "bug" in ended.err) == (-how if how == signal.SIGKILL else 0, False)
        if how == signal.SIGTERM:
            assert not (scene.tree / ".cortexfs/pending.jsonl").exists()
        assert scene.plain("regen").code == 0
        listed = json.loads(scene.cortexfs("list", "--json").out)["atoms"]
        found = Counter(each["summary"] for each in listed)
        assert {title: found[title] for title in saved} == dict.fromkeys(saved, 1)
        assert not find_flaws_in_git(scene)
