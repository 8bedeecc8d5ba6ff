"""The files of the chat: private, bounded, append-only, one writer each."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from chat_client import open_chat
from soak_cases import leave_to_soak

from cortexfs.core.chat.chat_message import ChatMessage, Role, format_message_line
from cortexfs.errors import NoSuchThread, OutsideTree, Refused, ThreadBusy
from cortexfs.session import chat_threads
from cortexfs.session.chat_threads import (
    delete_thread_file,
    list_thread_files,
    lock_thread,
    read_thread,
)
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place

KILLED = """
import os, sys
from cortexfs.operations.chat.send_message import ChatRequest, send_message
from cortexfs.session.session import Session
from datetime import UTC, datetime

root, number, part = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
real_write = os.write
seen = []

def write(file, content):
    if "/.cortexfs/chat/" in os.readlink(f"/proc/self/fd/{file}"):
        seen.append(file)
        if len(seen) == number:
            real_write(file, bytes(content)[: int(len(content) * part)])
            os.kill(os.getpid(), 9)
    return real_write(file, content)

os.write = write
session = Session.open(root, lambda: datetime.now(UTC))
list(send_message(session, ChatRequest("open tasks", "/", "t"), {"HOME": "/nobody"}))
"""
"""Send a message; die while the n-th line is written, when a part of it is on the disk."""


def make_message(text: str, thread: str = "t") -> ChatMessage:
    return ChatMessage("1", thread, Role.USER, text, "2026-05-06T12:00:00Z")


@pytest.fixture
def store(tree: Place) -> Tree:
    return Tree(str(tree.root))


def write(store: Tree, thread: str, *texts: str) -> None:
    with lock_thread(store, thread) as opened:
        for text in texts:
            opened.append(make_message(text, thread))


def folder(store: Tree) -> Path:
    return Path(store.root, ".cortexfs", "chat")


@pytest.mark.parametrize("part", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("number", leave_to_soak([1, 2], every=3))
def test_a_kill_in_the_middle_of_a_line_loses_no_other(
    tree: Place, number: int, part: float
) -> None:
    chat = open_chat(tree)
    before = [chat.ask("stats").content]
    argv = [sys.executable, "-c", KILLED, str(tree.root), str(number), str(part)]
    assert subprocess.run(argv, check=False).returncode == -signal.SIGKILL
    kept = read_thread(chat.session.tree, "t")
    whole = 2 + number - 1 + (part == 1.0)
    assert [each.content for each in kept] == ["stats", *before, "open tasks", "no open tasks"][
        :whole
    ]
    assert chat.say("stats") == before[0]
    assert [each.content for each in read_thread(chat.session.tree, "t")][whole:] == [
        "stats",
        *before,
    ]


def test_only_the_owner_can_read_a_thread(store: Tree) -> None:
    write(store, "t", "hi")
    modes = [os.stat(path).st_mode & 0o777 for path in (folder(store), folder(store) / "t.jsonl")]
    assert modes == [0o700, 0o600]


def test_of_two_sends_to_a_thread_one_is_refused(tree: Place) -> None:
    chat = open_chat(tree)
    with lock_thread(chat.session.tree, "t"):
        with pytest.raises(ThreadBusy):
            chat.ask("stats")
        with pytest.raises(ThreadBusy):
            delete_thread_file(chat.session.tree, "t")
        ran = tree.run("chat", "--thread", "t", "stats")
        assert (ran.code, ran.err.splitlines()[0]) == (
            4, "error: thread `t` is busy: another message is being answered")  # fmt: skip
        assert chat._replace(thread="other").say("stats")
    assert chat.say("stats")


def test_a_thread_that_was_deleted_begins_again(store: Tree) -> None:
    write(store, "t", "hi")
    delete_thread_file(store, "t")
    for refused in (delete_thread_file, read_thread):
        with pytest.raises(NoSuchThread):
            refused(store, "t")
    write(store, "t", "again")
    assert [each.content for each in read_thread(store, "t")] == ["again"]


def test_the_oldest_thread_makes_room(store: Tree, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_threads, "MAX_THREADS", 3)
    for number in range(3):
        write(store, f"t{number}", "hi")
        os.utime(folder(store) / f"t{number}.jsonl", (number, number))
    with lock_thread(store, "t0") as busy:
        busy.append(make_message("in use"))
        os.utime(folder(store) / "t0.jsonl", (0, 0))
        write(store, "t3", "hi")
    assert {each.thread_id for each in list_thread_files(store, 9)} == {"t0", "t1", "t2", "t3"}
    write(store, "t4", "hi")
    assert {each.thread_id for each in list_thread_files(store, 9)} == {"t2", "t3", "t4"}


def test_a_full_thread_takes_no_more(tree: Place, store: Tree) -> None:
    write(store, "t", *["x" * 60_000] * (chat_threads.MAX_THREAD_BYTES // 60_000 + 1))
    chat = open_chat(tree)
    with pytest.raises(Refused, match="thread `t` is full"):
        chat.ask("stats")
    assert {each.content[:1] for each in read_thread(store, "t")} == {"x"}
    assert chat._replace(thread="other").say("stats")


def test_foreign_files_are_no_threads(store: Tree) -> None:
    write(store, "t", "hi")
    line = format_message_line(make_message("hi"))
    for name in ("a.txt", "..jsonl", "b c.jsonl", "empty.jsonl"):
        (folder(store) / name).write_text("" if name == "empty.jsonl" else line)
    (folder(store) / "link.jsonl").symlink_to("t.jsonl")
    os.mkfifo(folder(store) / "pipe.jsonl")
    (folder(store) / "dir.jsonl").mkdir()
    (folder(store) / "bytes.jsonl").write_bytes(b"\xff\xfe\n\x00\n" + line.encode())
    assert {each.thread_id for each in list_thread_files(store, 99)} == {"t", "bytes"}
    for thread in ("link", "pipe", "dir"):
        with pytest.raises(OSError), lock_thread(store, thread):  # noqa: PT011 - each has its own
            pass


def test_a_link_in_place_of_the_folder_is_not_followed(store: Tree, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    folder(store).symlink_to(tmp_path / "elsewhere")
    assert list_thread_files(store, 9) == []
    attempts: list[Callable[[], object]] = [
        lambda: write(store, "t", "hi"), lambda: delete_thread_file(store, "t")
    ]  # fmt: skip
    for attempt in attempts:
        with pytest.raises(OutsideTree):
            attempt()
    assert list((tmp_path / "elsewhere").iterdir()) == []
