"""The list of threads has both ends of each, and does not parse what is between them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from cortexfs.core.chat.chat_message import ChatMessage, Role, ToolCall, format_message_line
from cortexfs.session.chat_threads import list_thread_files, read_thread
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from place import Place

THREADS, MESSAGES = 20, 60


def make_message(thread: int, number: int) -> ChatMessage:
    calls = tuple(ToolCall("find", f"c{each}", {"query": "x"}, "word " * 200) for each in range(5))
    name, moment = f"t{thread}", "2026-05-06T12:00:00.000Z"
    return ChatMessage(f"m{number}", name, Role.USER, "text", moment, "", calls)


def test_only_the_ends_of_threads_are_parsed(tree: Place) -> None:
    for thread in range(THREADS):
        lines = [format_message_line(make_message(thread, number)) for number in range(MESSAGES)]
        text = "".join(["foreign\n", *lines, '{"id": "torn'])
        tree.write(f".cortexfs/chat/t{thread}.jsonl", text)
    opened, began = Tree.open(str(tree.root)), time.thread_time()
    found = list_thread_files(opened, THREADS)
    listed = time.thread_time()
    messages = [read_thread(opened, each.thread_id) for each in found]
    assert (listed - began) < (time.thread_time() - listed) / 2
    assert [(each.first, each.last, each.message_count) for each in found] == [
        (every[0], every[-1], len(every)) for every in messages
    ]
    assert [len(each) for each in messages] == [MESSAGES] * THREADS
