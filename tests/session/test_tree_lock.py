"""The lock of a tree: one writer at a time, named in the lock file, and a timeout for others."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest
from tree_strategies import open_session, write_tree

from cortexfs.errors import Refused, TreeLocked
from cortexfs.session.tree_lock import hold_tree_lock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place

HOLD_LOCK = """
import sys
from cortexfs.session.tree_lock import hold_tree_lock
with hold_tree_lock(sys.argv[1], "cortexfs regen", 30.0):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def root() -> Iterator[Path]:
    with write_tree({"CORTEX.md": b"# Tree\n"}) as root:
        yield root


@pytest.fixture
def holder(root: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock until its input ends."""
    argv = [sys.executable, "-c", HOLD_LOCK, str(root)]
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        yield process
        process.kill()


@pytest.mark.parametrize("stopped", [False, True])
def test_a_lock_timeout_names_the_holder(
    root: Path, holder: subprocess.Popen[bytes], stopped: bool
) -> None:
    if stopped:
        holder.send_signal(signal.SIGSTOP)
    expected = rf"locked by cortexfs regen \(pid {holder.pid}\) since \d\d:\d\d:\d\d"
    with pytest.raises(TreeLocked, match=expected), hold_tree_lock(str(root), "cortexfs new", 0.05):
        raise AssertionError
    assert TreeLocked("x").exit_code == 4


def test_the_lock_is_free_when_its_holder_is_killed(
    root: Path, holder: subprocess.Popen[bytes]
) -> None:
    entered = threading.Event()

    def enter() -> None:
        with hold_tree_lock(str(root), "cortexfs new", 30.0):
            entered.set()

    waiting = threading.Thread(target=enter)
    waiting.start()
    assert not entered.is_set()
    holder.kill()
    waiting.join()
    assert entered.is_set()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe{",
        b"[" * 400,
        b'{"command": 3, "pid": "x", "since": 1}',
        b'{"command": "a", "pid": 1, "since": 1e400}',
        b'{"command": "a", "pid": 1, "since": 99999999999999999999}',
        b'{"command": "a", "pid": 1' + b" " * 10_000,
    ],
)
def test_a_damaged_lock_file_names_another_program(
    root: Path, holder: subprocess.Popen[bytes], content: bytes
) -> None:
    assert holder.poll() is None
    (root / ".cortexfs/lock").write_bytes(content)
    with (
        pytest.raises(TreeLocked, match="locked by another program"),
        hold_tree_lock(str(root), "cortexfs new", 0.0),
    ):
        raise AssertionError


def test_the_content_of_a_lock_file_is_shown_on_one_line_and_cut(
    root: Path, holder: subprocess.Popen[bytes]
) -> None:
    assert holder.poll() is None
    name = "evil\\u001b[31m\\n" + "x" * 300
    (root / ".cortexfs/lock").write_text(f'{{"command": "{name}", "pid": 7, "since": 0}}')
    with pytest.raises(TreeLocked) as refused, hold_tree_lock(str(root), "cortexfs new", 0.0):
        raise AssertionError
    assert "\x1b" not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 160


def test_waiting_for_another_thread_has_the_same_timeout(root: Path) -> None:
    with open_session(root) as session:
        session.wait_s = 0.05
        inside, release = threading.Event(), threading.Event()
        refused = []

        def hold() -> None:
            with session._make_writer()._hold_lock():
                inside.set()
                release.wait()

        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait()
        try:
            session.drain_spool()
        except TreeLocked as error:
            refused.append(str(error))
        release.set()
        thread.join()
    assert f"(pid {os.getpid()})" in refused[0]


def test_a_lock_that_is_a_link_is_refused(root: Path) -> None:
    (root / ".cortexfs").mkdir()
    (root / ".cortexfs/lock").symlink_to(root / "made-through-a-link")
    with (
        pytest.raises(Refused, match=r"/\.cortexfs/lock is a symlink$") as refused,
        hold_tree_lock(str(root), "x", 1.0),
    ):
        raise AssertionError
    assert refused.value.hint == f"`rm -r {root}/.cortexfs/lock`"
    assert not (root / "made-through-a-link").exists()


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket"])
def test_a_lock_that_is_not_a_regular_file_is_refused_at_once(
    tree: Place, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = tree.root / ".cortexfs/lock"
    lock.unlink()
    if kind == "pipe":
        os.mkfifo(lock)
    elif kind == "folder":
        lock.mkdir()
    else:
        listening = socket.socket(socket.AF_UNIX)
        monkeypatch.chdir(lock.parent)  # the name of a socket must be short
        listening.bind("lock")
        listening.close()
    ran = tree.run("hook", "drain")
    assert (ran.code, ran.out) == (3, ""), ran
    assert f"{lock} is not a regular file" in ran.err
    assert f"`rm -r {lock}`" in ran.err


def test_a_command_that_does_not_get_the_lock_exits_4(
    tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    argv = [sys.executable, "-c", HOLD_LOCK, str(tree.root)]
    monkeypatch.setenv("CORTEXFS_LOCK_WAIT", "0.1")
    with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"held\n"
        ran = tree.run("hook", "drain")
        process.kill()
    assert ran.code == 4
    assert f"locked by cortexfs regen (pid {process.pid}) since " in ran.err
