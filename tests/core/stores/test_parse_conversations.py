"""A conversation becomes a session; only what it lists as learned becomes a memory."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.core.stores.parse_conversations import MAX_SESSION_SUMMARY_CHARS
from cortexfs.core.stores.parse_store import StoreJson, parse_store, recognize_format

if TYPE_CHECKING:
    from cortexfs.core.stores.stored_values import StoreContents

LEARNED = "## Key Learnings\n\n- "


def parse(document: object) -> StoreContents:
    file = StoreJson(json.dumps(document))
    return parse_store(file, recognize_format(file))


def claude(*messages: tuple[str, str], **fields: object) -> dict[str, object]:
    return {
        "uuid": "c-1",
        "name": "Looms",
        "created_at": "2026-01-01T10:00:00Z",
        "updated_at": "2026-01-01T11:00:00Z",
        "chat_messages": [
            {"uuid": "m", "text": text, "sender": sender, "created_at": "2026-01-01T10:30:00Z"}
            for sender, text in messages
        ],
        **fields,
    }


def test_a_conversation_of_claude_becomes_one_session() -> None:
    found = parse([claude(("human", "What is a loom?"), ("assistant", "A machine."))])
    (session,) = found.sessions
    assert (session.session_id, session.started) == ("claude:c-1", "2026-01-01T10:00:00Z")
    assert session.summary == "Looms\n\nQuestion: What is a loom?\n\nAnswer: A machine."
    assert found.memories == ()


def test_the_summary_is_the_conversations_own_and_bounded() -> None:
    (session,) = parse([claude(("human", "a"), summary="long " * 1000)]).sessions
    assert session.summary.startswith("Looms\n\nlong long")
    assert len(session.summary) <= MAX_SESSION_SUMMARY_CHARS


def test_only_what_an_answer_lists_as_learned_is_a_memory() -> None:
    asked = ("human", f"{LEARNED}A person pasted this list into a question")
    answered = ("assistant", f"Yes.\n\n{LEARNED}Looms need even tension in the warp")
    (memory,) = parse([claude(asked, answered)]).memories
    assert memory.content == "Looms need even tension in the warp"
    assert (memory.type, memory.session_id, memory.tool) == ("passive", "claude:c-1", "claude")


def test_a_longer_version_of_a_conversation_has_the_same_origins() -> None:
    answered = ("assistant", f"{LEARNED}Looms need even tension in the warp")
    one = parse([claude(answered)])
    other = parse([claude(("human", "Hello"), answered, ("human", "Thanks"), answered)])
    assert [m.origin for m in one.memories] == [m.origin for m in other.memories]
    assert one.sessions[0].session_id == other.sessions[0].session_id


def test_text_in_the_parts_of_a_message_is_read_and_tool_calls_are_not() -> None:
    message = {
        "sender": "assistant",
        "content": [{"type": "tool_use", "text": 3}, {"type": "text", "text": "From a part."}],
    }
    (session,) = parse(
        [claude(chat_messages=[7, {"content": [{"type": "text"}]}, message])]
    ).sessions
    assert "Answer: From a part." in session.summary


def node(parent: str | None, role: str, text: str, *children: str) -> dict[str, object]:
    content = {"content_type": "text", "parts": [text, {"image": 1}]}
    message = {"author": {"role": role}, "content": content, "create_time": 1767261600.5}
    return {"message": message, "parent": parent, "children": list(children)}


def chatgpt(**nodes: object) -> dict[str, object]:
    return {
        "conversation_id": "g-1",
        "title": "Yarn",
        "create_time": 1767261600,
        "update_time": 1767265200.25,
        "mapping": {"root": {"message": None, "parent": None, "children": ["a"]}, **nodes},
        "current_node": "c",
    }


def test_the_branch_of_chatgpt_that_was_shown_last_is_read() -> None:
    talk = chatgpt(
        a=node("root", "user", "Which yarn?", "b", "c"),
        b=node("a", "assistant", "Wool (first try)"),
        c=node("a", "assistant", f"Linen.\n{LEARNED}Linen has no give in a warp"),
        s=node("root", "system", "You are helpful"),
    )
    found = parse([talk])
    (session,) = found.sessions
    assert session.session_id == "chatgpt:g-1"
    assert (session.started, session.ended) == ("2026-01-01T10:00:00Z", "2026-01-01T11:00:00Z")
    assert session.summary.startswith("Yarn\n\nQuestion: Which yarn?\n\nAnswer: Linen.")
    assert [memory.content for memory in found.memories] == ["Linen has no give in a warp"]


def test_a_cycle_in_the_mapping_ends() -> None:
    talk = chatgpt(a=node("c", "user", "Round"), c=node("a", "assistant", "and round"))
    assert "Question: Round" in parse([talk]).sessions[0].summary


def test_without_a_current_node_the_newest_leaf_is_read() -> None:
    talk = {**chatgpt(a=node("root", "user", "One", "c"), c=node("a", "assistant", "Two"))}
    del talk["current_node"]
    assert "Answer: Two" in parse([talk]).sessions[0].summary


def test_a_broken_conversation_is_reported_and_the_others_are_read() -> None:
    found = parse([claude(chat_messages=7), claude(("human", "Hi"))])
    assert [(each.place, each.message) for each in found.broken] == [
        ("[0]", "`chat_messages` is not a list")
    ]
    assert len(found.sessions) == 1


def test_a_private_part_that_goes_over_several_items_is_redacted() -> None:
    learned = f"{LEARNED}The <private>vault opens with\n- hunter2 and with no other word</private>"
    (memory,) = parse([claude(("assistant", f"{learned}\n- Looms need even tension"))]).memories
    assert memory.content == "Looms need even tension"


def test_sections_of_learnings_may_have_headings_of_the_settings() -> None:
    file = StoreJson(json.dumps([claude(("assistant", "## Gelernt\n\n- Looms need even tension"))]))
    assert parse_store(file, recognize_format(file)).memories == ()
    (memory,) = parse_store(file, recognize_format(file), ["gelernt"]).memories
    assert memory.content == "Looms need even tension"
