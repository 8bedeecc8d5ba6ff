"""Requests and answers of chat completions: read, and changed without another byte."""

from __future__ import annotations

import json

import pytest
from chat_upstream import event, events
from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chat_api.chat_request import ChatRequest, read_chat_request
from cortexfs.core.stories.chat_api.place_memories import (
    MemoryPlace,
    apply_changes,
    expand_prompts,
    insert_memories,
    list_prompts,
    remove_story_of_model,
)
from cortexfs.core.stories.chat_api.read_answer import read_answer
from cortexfs.core.stories.chat_api.said_in_exchange import read_exchange
from cortexfs.core.stories.message import Message

STREAM = "text/event-stream; charset=utf-8"
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def request_of(*messages: dict[str, object], **others: object) -> ChatRequest:
    found = read_chat_request(json.dumps({"messages": messages, **others}).encode())
    assert found
    return found


def say(role: str, content: object, **others: object) -> dict[str, object]:
    return {"role": role, "content": content, **others}


@given(st.dictionaries(st.text(max_size=6), values, max_size=4), st.sampled_from([None, 1, 4]))
def test_a_memory_changes_no_other_byte(others: dict[str, object], indent: int | None) -> None:
    messages = [say("system", "s"), say("user", "ü 😀"), say("assistant", None)]
    document = {**others, "messages": messages, "model": "m"}
    text = json.dumps(document, indent=indent, ensure_ascii=False)
    body = text.encode()
    request = read_chat_request(body)
    assert request
    changed = apply_changes(request, insert_memories(request, "a memory", MemoryPlace.LAST))
    added = b'{"role": "system", "content": "a memory"}, '
    assert changed.count(added) == 1
    assert changed.replace(added, b"", 1) == body
    assert json.loads(changed)["messages"] == [
        messages[0], say("system", "a memory"), *messages[1:],
    ]  # fmt: skip


def test_what_json_readers_change_stays_as_it_is() -> None:
    body = b'{"a":1e400,"a":1.10,"n":123456789012345678901,"model":"m#road","messages":[]}'
    request = read_chat_request(body)
    assert request
    assert request.story == "road"
    changed = apply_changes(request, remove_story_of_model(request))
    assert changed == body.replace(b"m#road", b"m")


OTHER_BODIES = (
    b"", b"null", b"[]", b"{", b'{"messages": 1}', b'{"messages": [}', b"\xff\xfe", b'{"messages"}',
    b'{"messages": []} x', b'{"a": [' + b"[" * 100_000, b"{1: 2}", b'{"messages": [],}',
)  # fmt: skip


@for_each(OTHER_BODIES)
def test_a_body_of_another_form_is_no_chat(body: bytes) -> None:
    assert read_chat_request(body) is None


def test_memories_go_before_the_last_question_or_to_the_first_prompt() -> None:
    request = request_of(say("system", "rules"), say("user", "one"), say("user", "two"))
    last = apply_changes(request, insert_memories(request, "M", MemoryPlace.LAST))
    assert [each["content"] for each in json.loads(last)["messages"]] == [
        "rules",
        "one",
        "M",
        "two",
    ]
    assert not insert_memories(request, "M", MemoryPlace.FIRST)
    first = apply_changes(request, expand_prompts(request, {}, "M", MemoryPlace.FIRST))
    assert json.loads(first)["messages"][0]["content"] == "rules\n\nM"
    assert not insert_memories(request, "M", MemoryPlace.NONE)
    bare = request_of(say("user", "one"))
    first = apply_changes(bare, insert_memories(bare, "M", MemoryPlace.FIRST))
    assert json.loads(first)["messages"][0] == say("system", "M")


def test_macros_are_expanded_in_prompts_and_not_in_what_is_said() -> None:
    parts = [
        {"type": "text", "text": "of {{arc}}"},
        {"type": "image_url", "image_url": {"url": "x"}},
    ]
    request = request_of(
        say("system", "{{arc}}", name="n"), say("developer", parts), say("user", "{{arc}}"),
        say("assistant", "{{arc}}"), say("tool", "{{arc}}"),
    )  # fmt: skip
    assert list_prompts(request) == ["{{arc}}", "of {{arc}}"]
    texts = {"{{arc}}": 'the "arc"', "of {{arc}}": 'of the "arc"'}
    changes = expand_prompts(request, texts, "M", MemoryPlace.LAST)
    told = json.loads(apply_changes(request, changes))["messages"]
    assert told[0] == say("system", 'the "arc"', name="n")
    assert told[1]["content"] == [{"type": "text", "text": 'of the "arc"'}, parts[1]]
    assert [each["content"] for each in told[2:]] == ["{{arc}}"] * 3


def test_a_stream_is_read_without_tools_thoughts_and_usage() -> None:
    body = b": comment\n\n" + event({"reasoning_content": "hm"}) + b"".join(events("Hel", "lo"))
    assert read_answer(body, STREAM) == ("Hello",)
    assert read_answer(body.replace(b"\n", b"\r\n"), STREAM) == ("Hello",)
    assert read_answer(body[: body.find(b"lo") + 4], STREAM) == ("Hel",)  # cut off
    tools = event({"tool_calls": [{"index": 0, "function": {"name": "f"}}]})
    assert read_answer(tools, STREAM) == ()
    several = event({"content": "b"}, 1) + event({"content": "a"}, 0) + event({"content": "c"}, 99)
    assert read_answer(several, STREAM) == ("a", "b")
    assert read_answer(event({"content": "<think>\nhm</think>\n\nWell."}), STREAM) == ("Well.",)


@for_each(
    (b"", b"{", b"[]", b'{"choices": [1, {"index": "x"}, {"message": 3}]}', b"\xff", b"data: {")
)
def test_an_answer_of_another_form_says_nothing(body: bytes) -> None:
    assert read_answer(body, "application/json") == read_answer(body, STREAM) == ()


def test_a_document_is_read() -> None:
    message = {"role": "assistant", "content": [{"type": "text", "text": "Hello"}]}
    body = json.dumps({"choices": [{"index": 0, "message": message}]}).encode()
    assert read_answer(body, "application/json") == ("Hello",)


def names(request: ChatRequest, *recorded: Message, answer: str = "") -> list[str]:
    chat = read_exchange(request, (answer,) if answer else (), recorded, "")
    return [f"{each.speaker}: {each.text}" for each in chat.messages]


BETWEEN = say("system", "Write Sera's next reply in a fictional chat between Sera and Jack Ash.")


def test_speakers_come_from_names_prefixes_and_the_prompt() -> None:
    assert names(request_of(say("user", "hi", name="Jack"))) == ["Jack: hi"]
    assert names(request_of(say("assistant", "hi"), say("user", "ho"))) == [
        "Assistant: hi",
        "User: ho",
    ]
    tavern = request_of(BETWEEN, say("assistant", "hi"), say("user", "ho"))
    assert names(tavern, answer="Sera: so") == [
        "Sera: hi", "Jack Ash: ho", "Sera: so",
    ]  # fmt: skip
    group = say("system", "[Start a new group chat. Group members: Mel, Kael]")
    spoken = request_of(group, say("assistant", "Mel: hi"), say("user", "Note: no name"))
    assert names(spoken) == ["Mel: hi", "User: Note: no name"]


def test_a_text_of_the_record_keeps_its_speaker() -> None:
    recorded = (Message("m1", "", "Mel", "user", "hi"), Message("m2", "", "Kael", "user", "ho"))
    assert names(request_of(say("user", "hi"), say("assistant", "ho")), *recorded) == [
        "Mel: hi", "Kael: ho",
    ]  # fmt: skip
    assert names(request_of(say("user", "Mel: hi"), say("user", "Kael: new")), *recorded) == [
        "Mel: hi", "Kael: new",
    ]  # fmt: skip


@pytest.mark.parametrize("nudge", [[], [say("system", "[Continue your last message.]")]])
def test_an_answer_that_goes_on_with_a_message_is_joined(nudge: list[dict[str, object]]) -> None:
    request = request_of(say("user", "who?"), say("assistant", "It is"), *nudge)
    assert names(request, answer=" me.") == ["User: who?", "Assistant: It is me."]
    other = request_of(say("user", "who?"), say("assistant", "me"), say("system", "Write as Kael."))
    assert names(other, answer="or me") == ["User: who?", "Assistant: me", "Assistant: or me"]


def test_questions_that_a_front_end_asks_by_itself_are_tasks() -> None:
    assert request_of(say("user", "### Task:\nGenerate a title")).is_task
    assert not request_of(say("user", "hi")).is_task
