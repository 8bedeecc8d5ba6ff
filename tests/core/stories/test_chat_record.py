"""The record of a chat: only added to, and what its messages are after each addition."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chat_record import (
    ChatRecord,
    RecordedMessage,
    format_record_line,
    parse_record,
)
from cortexfs.core.stories.chunk_messages import chunk_messages
from cortexfs.core.stories.end_of_record import NO_LINES, find_ordered_lines, parse_end_of_record
from cortexfs.core.stories.merge_messages import merge_messages
from cortexfs.core.stories.message import Message

SIZE = 3
texts = st.text("ab \n\"'{}\\é\N{GRINNING FACE}", min_size=1, max_size=4)
messages = st.builds(
    Message,
    st.just(""),
    st.sampled_from(["", "2026-05-06T20:31:10Z"]),
    st.sampled_from(["Melina", "Kael", "../x"]),
    st.sampled_from(["user", "assistant"]),
    texts,
    st.tuples() | st.tuples(texts),
)
histories = st.lists(st.lists(messages, min_size=1, max_size=9), min_size=1, max_size=4)


def make(*said: str) -> list[Message]:
    """Make messages of `Name: text`."""
    pairs = (each.partition(": ") for each in said)
    return [Message("", "", name, "user", text) for name, _, text in pairs]


def take_in(text: str, chat: list[Message]) -> str:
    """Return a record to which a version of its chat is added."""
    changes = merge_messages(parse_record(text), chat)
    return text + "".join(map(format_record_line, changes.entries))


def said(text: str) -> list[str]:
    return [f"{each.speaker}: {each.text}" for each in parse_record(text).messages]


@given(histories)
def test_the_record_has_the_messages_of_the_version_that_was_imported_last(
    history: list[list[Message]],
) -> None:
    text = ""
    for version in history:
        before, text = text, take_in(text, version)
        assert text.startswith(before)
        assert take_in(text, version) == text, "the same chat twice changes nothing"
        ours = [(each.speaker, each.text, each.swiped) for each in parse_record(text).messages]
        theirs = [(each.speaker, each.text, each.swiped) for each in version]
        assert any(ours[at : at + len(theirs)] == theirs for at in range(len(ours)))
    idents = [entry.message.ident for entry in parse_record(text).entries]
    assert len(set(idents)) == len(idents)


@given(histories)
def test_the_last_lines_are_enough_for_the_last_chunks(history: list[list[Message]]) -> None:
    text, ordered = "", NO_LINES
    for version in history:
        text = take_in(text, version)
        known, ordered = ordered, find_ordered_lines(text, ordered)
        assert ordered == find_ordered_lines(text), f"what is known changes nothing: {known}"
    whole, end = parse_record(text), parse_end_of_record(text, SIZE, ordered=ordered)
    last = (whole.last_number - 1) // SIZE + 1
    expected = [chunk for chunk in chunk_messages(whole.entries, SIZE) if chunk.number >= last]
    found = [chunk for chunk in chunk_messages(end.entries, SIZE) if chunk.number >= last]
    assert found == expected
    assert end.last_number == whole.last_number


def test_a_longer_version_appends_and_a_changed_one_changes_what_differs() -> None:
    text = take_in("", make("A: one", "B: two", "A: three", "B: four"))
    longer = take_in(text, make("A: one", "B: two", "A: three", "B: four", "A: five"))
    assert longer.removeprefix(text).count("\n") == 1
    edited = take_in(longer, make("A: one", "B: 2", "A: three", "B: four", "A: five"))
    assert said(edited) == ["A: one", "B: 2", "A: three", "B: four", "A: five"]
    assert edited.removeprefix(longer).count("\n") == 1
    inserted = take_in(edited, make("A: one", "C: also", "B: 2", "A: three", "B: four", "A: five"))
    assert said(inserted)[1] == "C: also"
    less = take_in(inserted, make("A: one", "B: 2", "B: four", "A: five"))
    assert said(less) == ["A: one", "B: 2", "B: four", "A: five"]


def test_a_part_of_a_chat_deletes_nothing_outside_of_it() -> None:
    chat = make("A: one", "B: two", "A: three", "B: four")
    text = take_in("", chat)
    assert take_in(text, chat[1:3]) == text
    other_end = take_in(text, make("A: three", "B: 4"))
    assert said(other_end) == ["A: one", "B: two", "A: three", "B: 4"]


def test_a_swiped_message_keeps_what_was_swiped_away() -> None:
    text = take_in("", [Message("", "", "A", "assistant", "one", ("uno",))])
    text = take_in(text, [Message("", "", "A", "assistant", "uno", ("one",))])
    assert parse_record(text).messages == [Message("m1", "", "A", "assistant", "uno", ("one",))]


def test_messages_with_ids_are_known_by_them() -> None:
    first = [Message("x1", "", "A", "user", "one"), Message("x2", "", "A", "user", "one")]
    text = take_in("", first)
    changed = [first[0], first[1]._replace(text="two", speaker="B")]
    assert parse_record(take_in(text, changed)).messages == changed


def test_another_chat_is_not_taken_for_a_version() -> None:
    record = ChatRecord(
        tuple(RecordedMessage(n, m) for n, m in enumerate(make(*["A: a"] * 4), start=1))
    )
    assert merge_messages(record, make("X: y")).is_unrelated
    assert not merge_messages(record, make("A: a")).is_unrelated


def test_a_broken_line_is_left_out_alone() -> None:
    text = take_in("", make("A: one", "B: two"))
    first, second, _ = text.split("\n")
    broken = f'{first}\n{{"n":\n[]\n{{"n":0}}\n{{"n":7,"text":8}}\n{{"n":7}}\n{second}\n'
    record = parse_record(broken)
    assert [each.text for each in record.messages] == ["one", "two"]
    assert [each.line for each in record.broken] == [2, 3, 4, 5, 6]


@given(histories, st.integers(1, 4))
def test_each_message_is_in_one_chunk_in_order(history: list[list[Message]], size: int) -> None:
    text = ""
    for version in history:
        text = take_in(text, version)
    record = parse_record(text)
    chunks = chunk_messages(record.entries, size)
    found = [message for chunk in chunks for message in chunk.messages]
    assert sorted(each.ident for each in found) == sorted(each.ident for each in record.messages)
    assert [chunk.number for chunk in chunks] == sorted({chunk.number for chunk in chunks})


def test_an_appended_message_changes_the_last_chunk_and_an_edit_its_own() -> None:
    chat = make(*(f"A: {number}" for number in range(10)))
    text = take_in("", chat)
    before = chunk_messages(parse_record(text).entries, SIZE)
    edited = take_in(text, [*chat[:4], *make("A: four"), *chat[5:], *make("A: 10")])
    after = chunk_messages(parse_record(edited).entries, SIZE)
    changed = [chunk.number for chunk, other in zip(before, after, strict=True) if chunk != other]
    assert changed == [2, 4]
    assert [(chunk.first, chunk.last) for chunk in after] == [(1, 3), (4, 6), (7, 9), (10, 11)]


def test_a_chunk_of_inserted_messages_alone_keeps_its_place() -> None:
    record = parse_record(
        "".join(
            format_record_line(entry)
            for entry in (
                RecordedMessage(1, Message("a", "", "Kael", "user", "x"), is_deleted=True),
                RecordedMessage(2, Message("b", "", "Kael", "user", "x"), is_deleted=True),
                RecordedMessage(3, Message("c", "", "Kael", "user", "x")),
                RecordedMessage(4, Message("d", "", "Kael", "user", "x"), after=1),
            )
        )
    )
    found = [(each.number, each.first, each.last) for each in chunk_messages(record.entries, 2)]
    assert found == [(1, 1, 1), (2, 3, 3)]


def test_a_broken_last_line_takes_no_number_from_the_messages_before_it() -> None:
    text = take_in("", make(*[f"A: {number}" for number in range(1, 2 * SIZE + 1)]))
    broken = (
        *('{"n":7,"id":"m7","time":"","speaker":"A","role":"user","text":""}', '{"n":7,"id":"m'),
        *('{"n":99999999999,"text":"x"}', f'{{"n":{"9" * 5000},"text":"x"}}', "{}", "x"),
    )
    for line in broken:
        assert parse_end_of_record(f"{text}{line}\n", SIZE).last_number == 2 * SIZE, line[:40]


def test_what_cannot_be_written_is_left_out_of_a_record_that_comes_from_elsewhere() -> None:
    said_so = r'"speaker":"A\n```\n# B","role":"user","text":"a\ud800b \u0000c\ud83d\ude00"'
    text = rf'{{"n":1,"id":"m\ud800","time":"",{said_so},"swiped":["\udfff x"]}}' + "\n"
    found = parse_record(text).messages
    assert found == [
        Message("m", "", "A ``` # B", "user", "a\ufffdb c\N{GRINNING FACE}", ("\ufffd x",))
    ]
    assert take_in(text, found) == text
    deleted = RecordedMessage(1, found[0], is_deleted=True)
    assert format_record_line(deleted).encode() == b'{"n":1,"id":"m","deleted":true}\n'
