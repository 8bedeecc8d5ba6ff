"""A chat that is imported again changes only what differs, whatever program has written it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place

PROJECT = ("-p", "flywheel")


class Said(NamedTuple):
    """A message: its number, who says it (even numbers: the user), the text, other texts."""

    number: int
    text: str
    swiped: tuple[str, ...] = ()

    @property
    def speaker(self) -> str:
        return ("Ada", "Melina")[self.number % 2]


CHAT = [Said(number, f"number {number} of what was said") for number in range(20)]
LONGER = [*CHAT, Said(20, "one more"), Said(21, "and another")]
EDITED = [*CHAT[:9], Said(9, "something else"), *CHAT[10:]]
SWIPED = [*CHAT[:19], Said(19, "the better answer", (CHAT[19].text,))]
SHORTER = [*CHAT[:5], *CHAT[6:]]


def write_lines(entries: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def write_tavern(chat: list[Said]) -> str:
    head: dict[str, object] = {"user_name": "Ada", "character_name": "Melina", "chat_metadata": {}}
    return write_lines(
        [head]
        + [
            {"name": each.speaker, "is_user": each.speaker == "Ada", "mes": each.text,
             "send_date": "May 6, 2026 8:31pm", "swipes": [*each.swiped, each.text]}
            for each in chat
        ]
    )  # fmt: skip


def write_chatgpt(chat: list[Said]) -> str:
    nodes: dict[str, dict[str, object]] = {}
    for place, each in enumerate(chat):
        parent = f"n{chat[place - 1].number}" if place else None
        following = f"n{chat[place + 1].number}" if place + 1 < len(chat) else None
        own = make_node(f"n{each.number}", each, each.text)
        children = [following] if following else []
        nodes[f"n{each.number}"] = {"parent": parent, "children": children, "message": own}
        for number, other in enumerate(each.swiped):
            key = f"n{each.number}s{number}"
            nodes[key] = {"parent": parent, "children": [], "message": make_node(key, each, other)}
            nodes[str(parent)]["children"] = [key, f"n{each.number}"]
    export = {"title": "road", "mapping": nodes, "current_node": f"n{chat[-1].number}"}
    return json.dumps([export])


def make_node(key: str, said: Said, text: str) -> dict[str, object]:
    role = "user" if said.speaker == "Ada" else "assistant"
    return {"id": key, "author": {"role": role}, "content": {"parts": [text]}, "create_time": 1.5}


def write_claude(chat: list[Said]) -> str:
    said = [
        {"uuid": f"u{each.number}", "sender": "human" if each.speaker == "Ada" else "assistant",
         "text": each.text, "created_at": "2026-05-06T20:31:10Z"}
        for each in chat
    ]  # fmt: skip
    return json.dumps([{"uuid": "c", "name": "road", "chat_messages": said}])


def write_claude_code(chat: list[Said]) -> str:
    return write_lines(
        [
            {"type": "user" if each.speaker == "Ada" else "assistant", "uuid": f"u{each.number}",
             "sessionId": "s", "timestamp": "2026-05-06T20:31:10Z",
             "message": {"role": "x", "content": [{"type": "text", "text": each.text}]}}
            for each in chat
        ]
    )  # fmt: skip


def write_discord(chat: list[Said]) -> str:
    said = [
        {"id": str(100 + each.number), "type": "Default", "content": each.text,
         "timestamp": "2026-05-06T20:31:10+00:00", "author": {"name": each.speaker}}
        for each in chat
    ]  # fmt: skip
    return json.dumps({"channel": {"name": "road"}, "messages": said})


def write_whatsapp(chat: list[Said]) -> str:
    return "".join(f"06.05.26, 20:31 - {each.speaker}: {each.text}\n" for each in chat)


def write_plain(chat: list[Said]) -> str:
    return "".join(f"{each.speaker}: {each.text}\n" for each in chat)


def write_record(chat: list[Said]) -> str:
    return write_lines(
        [
            {"n": place, "id": f"m{each.number}", "time": "", "speaker": each.speaker,
             "role": "user", "text": each.text, "swiped": list(each.swiped)}
            for place, each in enumerate(chat, start=1)
        ]
    )  # fmt: skip


WRITERS: dict[str, Callable[[list[Said]], str]] = {
    "sillytavern": write_tavern,
    "chatgpt": write_chatgpt,
    "claude": write_claude,
    "claude-code": write_claude_code,
    "discord": write_discord,
    "whatsapp": write_whatsapp,
    "plain": write_plain,
    "record": write_record,
}


def bring(tree: Place, text: str, *, by_stdin: bool) -> tuple[str, list[int]]:
    """Import a chat; return its format, and what is new, changed, deleted, written."""
    source = "-" if by_stdin else str(tree.write("../chat.txt", text))
    words = ("story", "import", source, "--name", "road", *PROJECT, "--json")
    done = tree.run(*words, feed=text if by_stdin else "")
    assert done.code == 0, done
    found = json.loads(done.out)["imported"]
    assert found["refused"] == []
    (story,) = found["stories"]
    return found["format"], [story[key] for key in ("added", "changed", "deleted", "chunks")]


@pytest.mark.parametrize("by_stdin", leave_to_soak([False, True], every=2))
@pytest.mark.parametrize("name", WRITERS)
def test_only_what_differs_is_changed(
    tree: Place, name: str, soak: bool, *, by_stdin: bool
) -> None:
    def put(chat: list[Said]) -> list[int]:
        form, counts = bring(tree, WRITERS[name](chat), by_stdin=by_stdin)
        assert form == name
        return counts

    record = tree.root / "projects/flywheel/chats/road.jsonl"
    assert put(CHAT) == [20, 0, 0, 3]
    before = record.read_text()
    assert put(CHAT) == [0, 0, 0, 0]
    assert record.read_text() == before
    assert put(EDITED) == [0, 1, 0, 1]
    if soak:
        assert put(CHAT) == [0, 1, 0, 1]
        assert put(SWIPED) == [0, 1, 0, 1]
        assert put(CHAT) == [0, 1, 0, 1]
        assert put(SHORTER) == [0, 0, 1, 1]
    else:
        assert put(SWIPED) == [0, 2, 0, 2]
        assert put(SHORTER) == [0, 1, 1, 2]
    assert put(CHAT) == [1, 0, 0, 1]
    assert put(LONGER) == [2, 0, 0, 1]
    assert put(LONGER) == [0, 0, 0, 0]
    assert record.read_text().startswith(before)
