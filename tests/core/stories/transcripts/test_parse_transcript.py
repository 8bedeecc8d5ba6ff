"""Small transcripts in the shape that each program writes, and what is read of them."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chat_record import RecordedMessage, format_record_line
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.parse_transcript import parse_transcript, recognize_format
from cortexfs.core.stories.transcripts.transcript import Transcript, TranscriptFormat

if TYPE_CHECKING:
    from collections.abc import Iterator

TAVERN = [
    {"user_name": "Ada", "character_name": "Melina", "create_date": "2026-5-6 @20h 31m 10s 123ms"},
    {"name": "Melina", "is_user": False, "is_system": False, "send_date": "May 6, 2026 8:31pm",
     "mes": "*bows* Welcome.", "swipes": ["Hm.", "*bows* Welcome."], "swipe_id": 1, "extra": {}},
    {"name": "Ada", "is_user": True, "is_system": False, "send_date": 1778099470000, "mes": "Hi"},
    {"name": "", "is_user": False, "is_system": True, "send_date": "2026-05-06T20:33:00.000Z",
     "mes": "Night fell.", "extra": {"type": "narrator"}},
]  # fmt: skip


def gpt_node(key: str, parent: str, role: str, *parts: object, **more: object) -> dict[str, object]:
    """Make a node of an export of ChatGPT."""
    said = {"id": key, "author": {"role": role, "name": None}, "create_time": 1778099470.5,
            "content": {"content_type": "text", "parts": list(parts)}, "recipient": "all",
            **more}  # fmt: skip
    return {"id": key, "message": said, "parent": parent, "children": []}


def gpt_export() -> list[dict[str, object]]:
    nodes = {
        "root": {"id": "root", "message": None, "parent": None, "children": ["sys"]},
        "sys": gpt_node("sys", "root", "system", ""),
        "q": gpt_node("q", "sys", "user", "What is it?"),
        "old": gpt_node("old", "q", "assistant", "A lamp."),
        "tool": gpt_node("tool", "q", "tool", "searching"),
        "new": gpt_node("new", "q", "assistant", "A light", {"content_type": "image"}),
    }
    nodes["q"]["children"] = ["old", "tool", "new", "old", 7]
    return [{"title": "Lamps", "mapping": nodes, "current_node": "new"}, {"title": "empty"}]


CLAUDE = [
    {"uuid": "c1", "name": "Maps", "chat_messages": [
        {"uuid": "1", "sender": "human", "text": "Draw it", "content": [],
         "created_at": "2026-05-06T20:31:10.123456Z"},
        {"uuid": "2", "sender": "assistant", "text": "",
         "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done"}]},
    ]}
]  # fmt: skip
CODE = [
    {"type": "summary", "summary": "Fix the clock", "leafUuid": "u2"},
    {"type": "user", "uuid": "u1", "sessionId": "s", "timestamp": "2026-05-06T20:31:10.000Z",
     "message": {"role": "user", "content": "Fix it"}},
    {"type": "user", "uuid": "u0", "sessionId": "s", "isMeta": True,
     "message": {"role": "user", "content": "Caveat"}},
    {"type": "assistant", "uuid": "a1", "sessionId": "s",
     "message": {"id": "msg1", "role": "assistant",
                 "content": [{"type": "text", "text": "I look"}]}},
    {"type": "assistant", "uuid": "a2", "sessionId": "s", "message": {"id": "msg1",
     "role": "assistant", "content": [{"type": "tool_use", "name": "Read", "input": {}}]}},
    {"type": "assistant", "uuid": "a3", "sessionId": "s",
     "message": {"id": "msg1", "role": "assistant",
                 "content": [{"type": "text", "text": "Fixed"}]}},
    {"type": "user", "uuid": "u3", "sessionId": "s", "message": {"role": "user",
     "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]}},
]  # fmt: skip
DISCORD = {
    "guild": {"id": "1", "name": "G"}, "channel": {"id": "2", "name": "general"},
    "messages": [
        {"id": "10", "type": "Default", "timestamp": "2026-05-06T22:31:10.1+02:00",
         "content": "look",
         "author": {"id": "3", "name": "kael", "nickname": "Kael", "isBot": False},
         "attachments": [{"id": "4", "url": "https://x.example/a.png", "fileName": "a.png"}]},
        {"id": "11", "type": "GuildMemberJoin", "timestamp": "2026-05-06T20:32:00+00:00",
         "content": "Joined the server.", "author": {"name": "voss", "isBot": True}},
    ],
}  # fmt: skip
NARROW = "\N{NARROW NO-BREAK SPACE}"
WHATSAPP = f"""\
[06/05/26, 8:31:10{NARROW}PM] Melina: \N{LEFT-TO-RIGHT MARK}Messages are encrypted
[06/05/26, 8:32:00{NARROW}PM] Melina: first
second: line
[13/05/26, 12:05:00{NARROW}AM] Kael: <Media omitted>
"""
PLAIN = """\
Melina: Hello there.
It goes on.

**Kael:** And I say: stop.
User: ok
"""


def lines_of(entries: list[dict[str, object]]) -> str:
    return "".join(f"{json.dumps(entry)}\n" for entry in entries)


def read(text: str) -> Transcript:
    found = parse_transcript(text)
    assert found is not None
    return found


def only(text: str) -> tuple[str, list[Message]]:
    """Return the title and the messages of a transcript of one conversation."""
    (conversation,) = read(text).conversations
    return conversation.title, list(conversation.messages)


def test_what_is_attached_or_embedded_is_named() -> None:
    asset = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://x"}
    spoken = {"content_type": "audio_transcription", "text": "aloud"}
    named = {"attachments": [{"name": "map.png", "id": "file-1"}]}
    nodes = {
        "a": gpt_node("a", "", "user", asset, "Look"),
        "b": gpt_node("b", "a", "user", asset, metadata=named),
        "c": gpt_node("c", "b", "user", spoken),
    }
    export = [{"title": "x", "mapping": nodes, "current_node": "c"}]
    texts = [message.text for message in only(json.dumps(export))[1]]
    assert texts == ["[attached: image]\n\nLook", "[attached: map.png]", "aloud"]
    said = {"uuid": "1", "sender": "human", "text": "See", "attachments": [{"file_name": "a.txt"}],
            "files": [{"file_name": "b.png"}]}  # fmt: skip
    _, (message,) = only(json.dumps([{"uuid": "c", "name": "n", "chat_messages": [said]}]))
    assert message.text == "See\n[attached: a.txt]\n[attached: b.png]"
    embed = {"title": "News", "description": "It rained", "fields": [{"name": "a", "value": "b"}]}
    post = {"id": "1", "type": "Reply", "content": "", "author": {"name": "kael"},
            "timestampEdited": "2026-05-06T20:31:10+00:00", "reference": {"messageId": "9"},
            "embeds": [embed], "stickers": [{"name": "wave"}]}  # fmt: skip
    _, (message,) = only(json.dumps({"channel": {"name": "g"}, "messages": [post]}))
    assert message.text == "News\nIt rained\na: b\n[attached: wave]"


def test_dates_of_sillytavern_may_have_no_spaces() -> None:
    for date in ("2026-5-6@20h31m10s123ms", "2026-5-6 @20h 31m 10s 123ms", "May 6, 2026 8:31 PM"):
        line = {"name": "A", "is_user": False, "mes": "x", "send_date": date}
        _, (message,) = only(lines_of([TAVERN[0], line]))
        assert message.time.startswith("2026-05-06T20:31:"), date


RECORD = "".join(
    format_record_line(RecordedMessage(n, Message(f"m{n}", "", "A", "user", text)))
    for n, text in enumerate(("one", "two"), start=1)
)
SAMPLES = {
    TranscriptFormat.RECORD: RECORD,
    TranscriptFormat.SILLYTAVERN: lines_of(TAVERN),
    TranscriptFormat.CHATGPT: json.dumps(gpt_export()),
    TranscriptFormat.CLAUDE: json.dumps(CLAUDE, indent=2),
    TranscriptFormat.CLAUDE_CODE: lines_of(CODE),
    TranscriptFormat.DISCORD: json.dumps(DISCORD, indent=2),
    TranscriptFormat.WHATSAPP: WHATSAPP,
    TranscriptFormat.PLAIN: PLAIN,
}


@for_each(SAMPLES)
def test_a_format_is_recognized_by_its_content(form: TranscriptFormat) -> None:
    assert recognize_format(SAMPLES[form]) is form
    windows = SAMPLES[form].replace("\n", "\r\n")
    assert read(f"\ufeff{windows}")._replace(refused=()) == read(SAMPLES[form])._replace(refused=())


def test_sillytavern_has_swipes_narrators_and_three_kinds_of_dates() -> None:
    _, messages = only(SAMPLES[TranscriptFormat.SILLYTAVERN])
    assert messages == [
        Message("", "2026-05-06T20:31:00Z", "Melina", "assistant", "*bows* Welcome.", ("Hm.",)),
        Message("", "2026-05-06T20:31:10Z", "Ada", "user", "Hi"),
        Message("", "2026-05-06T20:33:00Z", "", "system", "Night fell."),
    ]


def test_chatgpt_shows_the_current_branch_and_keeps_the_other_answers() -> None:
    found = read(SAMPLES[TranscriptFormat.CHATGPT])
    (conversation,) = found.conversations
    assert conversation.title == "Lamps"
    assert conversation.messages == (
        Message("q", "2026-05-06T20:31:10Z", "User", "user", "What is it?"),
        Message("new", "2026-05-06T20:31:10Z", "ChatGPT", "assistant", "A light", ("A lamp.",)),
    )
    assert [each.reason for each in found.refused] == ["`current_node` names no message"]


def test_claude_and_claude_code_have_what_was_said() -> None:
    title, messages = only(SAMPLES[TranscriptFormat.CLAUDE])
    assert (title, [each.text for each in messages]) == ("Maps", ["Draw it", "Done"])
    title, messages = only(SAMPLES[TranscriptFormat.CLAUDE_CODE])
    assert title == "Fix the clock"
    assert [(each.speaker, each.text) for each in messages] == [
        ("User", "Fix it"),
        ("Claude", "I look\n\nFixed"),
    ]


def test_a_reply_of_discord_names_whom_it_answers() -> None:
    def say(ident: str, name: str, answers: str = "", **more: object) -> dict[str, object]:
        reply = {"type": "Reply", "reference": {"messageId": answers}} if answers else {}
        author = {"name": name, "isBot": False}
        return {"id": ident, "type": "Default", "content": "ok", "author": author, **reply, **more}

    entries = [
        say("1", "Nora\n[the] kind"),
        say("2", "Theo", "1"),
        say("3", "Theo", "2"),
        say("4", "Nora", "99"),
        say("5", "Theo", "1", type="Default"),
        say("6", "Theo", reference=None, type="Reply"),
    ]
    channel = {"guild": {"id": "1"}, "channel": {"id": "2", "name": "c"}, "messages": entries}
    _, messages = only(json.dumps(channel))
    texts = [each.text for each in messages]
    assert texts == ["ok", "[reply to Nora [the] kind]\nok", "ok", "ok", "ok", "ok"]


def test_discord_has_nicknames_attachments_and_system_messages() -> None:
    title, messages = only(SAMPLES[TranscriptFormat.DISCORD])
    assert title == "general"
    assert messages == [
        Message("10", "2026-05-06T20:31:10Z", "Kael", "user", "look\n[attached: a.png]"),
        Message("11", "2026-05-06T20:32:00Z", "voss", "system", "Joined the server."),
    ]


@for_each(
    [
        (WHATSAPP, ["2026-05-06T20:31:10Z", "2026-05-06T20:32:00Z", "2026-05-13T00:05:00Z"]),
        ("06.08.2026, 13:23 - Ash: Hey\n", ["2026-08-06T13:23:00Z"]),
        ("6/8/26, 1:23 pm - Ash: Hey\n", ["2026-06-08T13:23:00Z"]),
        ("2026-08-06, 13:23 - Ash: Hey\n", ["2026-08-06T13:23:00Z"]),
        ("28-09-16 11:20:19: Tara: Hey\n", ["2016-09-28T11:20:19Z"]),
        # with the month first, time would go back
        (
            "1/2/26, 9:00 - A: x\n2/1/26, 9:00 - A: x\n3/1/26, 9:00 - A: x\n",
            ["2026-01-02T09:00:00Z", "2026-02-01T09:00:00Z", "2026-03-01T09:00:00Z"],
        ),
    ]
)
def test_whatsapp_writes_dates_in_many_ways(case: tuple[str, list[str]]) -> None:
    text, times = case
    assert [each.time for each in only(text)[1]] == times


def test_whatsapp_has_messages_of_several_lines_and_system_lines() -> None:
    _, messages = only(WHATSAPP)
    assert messages[1].text == "first\nsecond: line"
    _, messages = only("06.08.2026, 13:18 - You created the group\n06.08.2026, 13:23 - A: Hey\n")
    assert [(each.role, each.speaker) for each in messages] == [("system", ""), ("user", "A")]


def test_plain_lines_continue_until_the_next_name() -> None:
    _, messages = only(PLAIN)
    assert [(each.speaker, each.text) for each in messages] == [
        ("Melina", "Hello there.\nIt goes on."),
        ("Kael", "And I say: stop."),
        ("User", "ok"),
    ]
    prose = only("Melina: He wrote, and this is what he said: no.\nsee https://x.example\n")[1]
    assert len(prose) == 1


@for_each(
    [
        ("nobody\nMelina: a\n", 1),
        (f"{SAMPLES[TranscriptFormat.SILLYTAVERN]}{{broken\n", 5),
        (f"{RECORD}[]\n", 3),
        ("40.40.2026, 13:23 - A: x\n06.08.2026, 13:23 - A: y\n", 1),
        (json.dumps(CLAUDE)[:-1] + ',\n{"uuid": ', 2),
    ]
)
def test_what_is_broken_is_refused_alone_with_its_line(case: tuple[str, int]) -> None:
    text, line = case
    found = read(text)
    assert [each.line for each in found.refused] == [line]
    assert found.conversations[0].messages


def replace_each(value: object, new: object) -> Iterator[object]:
    """Yield a JSON value with each part of it replaced in turn."""
    yield new
    if isinstance(value, dict):
        yield from ({**value, key: got} for key in value for got in replace_each(value[key], new))
    if isinstance(value, list):
        for at, each in enumerate(value):
            yield from ([*value[:at], got, *value[at + 1 :]] for got in replace_each(each, new))


@for_each([[], {}, None, 1e308, 10**400, "\ud800"])
def test_any_value_in_the_place_of_another_is_refused_or_read(new: object) -> None:
    documents = {
        TranscriptFormat.CHATGPT: gpt_export(),
        TranscriptFormat.CLAUDE: CLAUDE,
        TranscriptFormat.DISCORD: DISCORD,
    }
    for form, document in documents.items():
        for changed in replace_each(document, new):
            parse_transcript(json.dumps(changed), form)
    for line in CODE:
        for changed in replace_each(line, new):
            parse_transcript(json.dumps(changed), TranscriptFormat.CLAUDE_CODE)


def test_a_text_is_cleaned_and_otherwise_kept() -> None:
    hostile = "\x1b[31mred\x1b[0m \x1b]0;title\x07\u202eup \x00<b>&amp;</b> [[x]] # no\x07\n\n"
    token = "ghp_" + "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hI6"
    entry = {"n": 1, "id": "a\nb", "time": "", "speaker": "../x\x1b[2J", "role": "?"}
    text = json.dumps({**entry, "text": f"{hostile}{token}"})
    (message,) = only(text)[1]
    clean = "red up <b>&amp;</b> [[x]] # no\n\n[secret]"
    assert message == Message("a b", "", "../x[2J", "user", clean)
    tavern = json.dumps({"name": "../x\x1b[2J\n", "mes": hostile + token, "is_user": True})
    (message,) = only(tavern)[1]
    assert (message.speaker, message.text) == ("../x[2J", clean)


def test_what_is_no_transcript_is_not_recognized() -> None:
    for text in ("", "just a text", '{"a": 1}', "[1, 2]", "[" * 5000, "key = value"):
        assert recognize_format(text) is None


@given(st.text(max_size=200), st.sampled_from([*TranscriptFormat]))
def test_any_text_can_be_parsed_as_any_format(text: str, form: TranscriptFormat) -> None:
    found = parse_transcript(text, form)
    assert found is not None
    assert all(each.text.strip() for chat in found.conversations for each in chat.messages)


@for_each(SAMPLES)
def test_a_message_of_a_megabyte_and_a_long_file_take_linear_time(form: TranscriptFormat) -> None:
    def cpu_s(text: str) -> float:
        begin = time.process_time()
        parse_transcript(text, form)
        return time.process_time() - begin

    for unit in ("A: ", "[", "1/1/26, 1:11 - A: b\n", "A: b\n", "a ", "\x1b]", '"', "{"):
        short, long = unit * (4000 // len(unit)), unit * (40_000 // len(unit))
        assert cpu_s(long) < 40 * max(cpu_s(short), 0.005), unit
