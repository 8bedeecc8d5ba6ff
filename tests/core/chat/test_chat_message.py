"""The stored line of a message."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.chat.chat_message import (
    MAX_STORED_CALLS,
    ChatMessage,
    PendingChange,
    Role,
    ToolCall,
    format_message_line,
    is_thread_id,
    parse_message_line,
)

TEXTS = st.text(max_size=30)
ARGS = st.dictionaries(TEXTS, TEXTS, max_size=3)
CALLS = st.builds(ToolCall, TEXTS, TEXTS, ARGS, TEXTS, TEXTS, TEXTS)
MESSAGES = st.builds(
    ChatMessage, TEXTS, TEXTS, st.sampled_from(Role), TEXTS, TEXTS, TEXTS,
    st.lists(CALLS, max_size=MAX_STORED_CALLS).map(tuple),
    st.none() | st.builds(PendingChange, TEXTS, ARGS, TEXTS, TEXTS),
)  # fmt: skip


@given(MESSAGES)
def test_a_message_is_read_as_it_was_written(message: ChatMessage) -> None:
    line = format_message_line(message)
    assert line.count("\n") == 1
    assert line.isascii()
    assert parse_message_line(line) == message


@given(MESSAGES, st.data())
def test_a_torn_line_is_no_message(message: ChatMessage, data: st.DataObject) -> None:
    line = format_message_line(message).rstrip()
    assert parse_message_line(line[: data.draw(st.integers(0, len(line) - 1))]) is None


def test_a_foreign_line_is_no_message() -> None:
    good = json.loads(format_message_line(ChatMessage("1", "t", Role.USER, "hi", "")))
    call = ToolCall("show", "1", {})._asdict() | {"args": [["ref"]]}
    for changed in (
        {"role": "system"}, {"content": 1}, {"content": None}, {"tool_calls": {}}, {"pending": [1]},
        {"pending": [{}]}, {"other": ""}, {"content": "x" * 300_000},
        {"tool_calls": [None] * 300_000}, {"pending": [None] * 2}, {"tool_calls": [call]},
        {"tool_calls": [{}]},
    ):  # fmt: skip
        assert parse_message_line(json.dumps({**good, **changed})) is None
    args = json.dumps({**good, "tool_calls": [{**call, "args": [[]] * 300_000}]})
    assert parse_message_line(args) is None
    assert parse_message_line("[" * 100_000) is None
    assert parse_message_line(json.dumps(good)) is not None


def test_a_thread_id_is_a_plain_file_name() -> None:
    assert all(map(is_thread_id, ("a", "A-1_b", "0" * 64)))
    assert not any(map(is_thread_id, ("", ".", "..", "a/b", "a.b", "-a", "a\n", "ä", "0" * 65)))
