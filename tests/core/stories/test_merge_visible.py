"""What a record gets from the part of a chat that a front end shows its model."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.chat_record import ChatRecord, RecordedMessage, add_entries
from cortexfs.core.stories.merge_visible import VisibleChat, count_shared, merge_visible
from cortexfs.core.stories.message import Message

NOW = "2026-05-06T20:31:00Z"


def chat(*texts: str) -> tuple[Message, ...]:
    """Make a chat in which an assistant speaks first; `a|b` was swiped from a to b."""
    made = []
    for number, text in enumerate(texts):
        *swiped, current = text.split("|")
        role = ("assistant", "user")[number % 2]
        made.append(Message("", "", role, role, current, tuple(swiped)))
    return tuple(made)


def record_of(*texts: str) -> ChatRecord:
    numbered = enumerate(chat(*texts), 1)
    return ChatRecord(tuple(RecordedMessage(n, m._replace(ident=f"m{n}")) for n, m in numbered))


def merge(record: ChatRecord, *texts: str) -> ChatRecord:
    """Merge a chat whose last message is the answer."""
    messages = chat(*texts)
    answered = (*messages[:-1], messages[-1]._replace(time=NOW))
    changes = merge_visible(record, VisibleChat(answered, has_answer=True))
    return add_entries(record, changes.entries)


def texts_of(record: ChatRecord) -> list[str]:
    return ["|".join((*each.swiped, each.text)) for each in record.messages]


def test_a_question_and_its_answer_are_added() -> None:
    assert texts_of(merge(record_of("hi"), "hi", "who?", "me")) == ["hi", "who?", "me"]


def test_a_regenerated_answer_keeps_the_former_one_as_swiped() -> None:
    record = merge(record_of("hi", "who?", "me"), "hi", "who?", "nobody")
    assert texts_of(record) == ["hi", "who?", "me|nobody"]
    again = merge(record, "hi", "who?", "somebody")
    assert texts_of(again) == ["hi", "who?", "me|nobody|somebody"]
    assert merge_visible(again, VisibleChat(tuple(again.messages))).entries == ()


def test_going_back_to_a_former_answer_swaps_it() -> None:
    record = record_of("hi", "who?", "me|nobody")
    assert texts_of(merge(record, "hi", "who?", "me", "and?", "so")) == [
        "hi", "who?", "nobody|me", "and?", "so",
    ]  # fmt: skip


def test_an_answer_that_a_front_end_has_trimmed_is_an_edit() -> None:
    record = record_of("hi", "who?", "me. And th")
    assert texts_of(merge(record, "hi", "who?", "me.", "and?", "so")) == [
        "hi", "who?", "me.", "and?", "so",
    ]  # fmt: skip


def test_a_continued_answer_is_not_swiped() -> None:
    assert texts_of(merge(record_of("hi", "who?", "me"), "hi", "who?", "me and you")) == [
        "hi", "who?", "me and you",
    ]  # fmt: skip


def test_what_is_cut_off_or_hidden_stays() -> None:
    past = [f"message {number}" for number in range(1, 41)]
    record = record_of(*past)
    assert texts_of(merge(record, *past[-4:], "new", "answer")) == [*past, "new", "answer"]
    shown = [*past[:2], *past[-4:], "new", "answer"]
    assert texts_of(merge(record, *shown)) == [*past, "new", "answer"]


def test_one_deleted_message_is_deleted_and_a_branch_replaces_what_followed() -> None:
    past = [f"message {number}" for number in range(1, 11)]
    without = [*past[:4], *past[6:], "new", "answer"]
    assert texts_of(merge(record_of(*past), *without)) == without
    branch = [*past[:6], "else", "answer"]
    assert len(branch) % 2 == 0
    assert texts_of(merge(record_of(*past), *branch)) == branch


def test_a_chat_that_shares_too_little_follows_the_record() -> None:
    past = ["hi", "yes", *(f"message {number}" for number in range(30))]
    assert texts_of(merge(record_of(*past), "hi", "yes", "answer")) == [
        *past, "hi", "yes", "answer",
    ]  # fmt: skip
    assert texts_of(merge(record_of(*past), "other", "words")) == [*past, "other", "words"]


def test_a_greeting_alone_makes_no_chat_the_same() -> None:
    record = record_of("hello there", "who?", "me")
    assert not count_shared(record, VisibleChat(chat("hello there", "another question")))
    assert count_shared(record, VisibleChat(chat("hello there", "who?"))) == 2
    assert not count_shared(record, VisibleChat(chat("greeting", "words")))
    longer = record_of("hello there", "who?", "me", "and?", "so", "on", "and on")
    assert not count_shared(longer, VisibleChat(chat("hello there")))


def test_a_few_short_words_make_no_chat_the_same_if_it_differs() -> None:
    hello = "Hello! How can I help you today?"
    said = ["greeting", "hi", hello, "Plan a trip to the coast.", "To which one?"]
    other = ["greeting", "hi", hello, "Write a letter."]
    assert not count_shared(record_of(*said), VisibleChat(chat(*other)))
    assert count_shared(record_of(*said[:3]), VisibleChat(chat(*other))) == 3
    assert count_shared(record_of(*said), VisibleChat(chat(*said, "That one."))) == 5
    assert count_shared(record_of(*said), VisibleChat(chat(*said[:4], "To the south?"))) == 4
    long = [*said, "ok"]
    assert not count_shared(record_of(*long), VisibleChat(chat("a", "b", "c", "ok", "d", "e")))
    edited = ["greeting", "hi", f"{hello} {hello}", "Write a letter."]
    assert count_shared(record_of(*edited, "To whom?"), VisibleChat(chat(*edited[:3], "Go."))) == 3


texts = st.lists(st.integers(0, 999).map("said {}".format), min_size=2, max_size=30, unique=True)


@given(texts, st.integers(0, 30), st.data())
def test_a_chat_that_is_played_through_is_recorded_once(
    said: list[str], window: int, data: st.DataObject
) -> None:
    """Whatever part a front end shows, and however often an answer is made anew."""
    said = said[: len(said) // 2 * 2 + 1] if len(said) % 2 else said[:-1]
    record = ChatRecord()
    for end in range(3, len(said) + 1, 2):
        shown = said[:end]
        cut = min(window, len(shown) - 3) // 2 * 2
        for _ in range(data.draw(st.integers(1, 2))):
            record = merge(record, *shown[cut:])
    wanted = said if len(said) >= 3 else []
    assert [each.text for each in record.messages] == wanted
    assert not any(each.swiped for each in record.messages)
