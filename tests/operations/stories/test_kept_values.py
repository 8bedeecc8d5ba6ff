"""What a session keeps of stories is what the files have, and not too much of it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.stories.message import Message
from cortexfs.operations.spool_read import spool_reads
from cortexfs.operations.stories import kept_values
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.describe_story import describe_story
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.kept_values import KeptValue, KeptValues, get_kept_values
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.operations.stories.recall_story import RecallQuery, recall_story
from cortexfs.operations.stories.story_memory import StoryMemory
from cortexfs.session.change_observer import ChangeObserver
from cortexfs.session.session import Session

if TYPE_CHECKING:
    import pytest
    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
CHAT = [Message("", "", "Kael", "user", f"Melina has {n} lamps.") for n in range(80)]
QUERY = RecallQuery((Message("", "", "", "user", "Who has 33 lamps?"),), record_reads=False)


def open_session(tree: Place) -> Session:
    return Session.open(str(tree.root), lambda: NOW)


def describe_memory(session: Session) -> tuple[object, ...]:
    """Return all that a memory says of a story."""
    with session.read() as view:
        memory = StoryMemory(session, view, "flywheel", "road")
        chunks, names = memory.read_chunks(), memory.read_names()
        entities = memory.read_entities(each.ref for each in names.entities)
        texts = memory.read_texts(chunks.by_ref.values())
        messages = {ref: text.messages for ref, text in texts.items()}
        return chunks, names, entities, messages, memory.list_summaries()


def test_a_session_that_has_read_knows_what_a_new_one_reads(tree: Place) -> None:
    session = open_session(tree)
    import_story(session, "flywheel", "road", CHAT)
    chunk = tree.root / "projects/flywheel/chunks/CH-0002.md"

    def spool_read() -> None:
        with session.read() as view:
            spool_reads(view, ["projects/flywheel/chunks/CH-0001.md"])
        session.drain_spool()

    for change in (
        lambda: append_message(session, "flywheel", "road", CHAT[3]),
        lambda: chunk.write_text(chunk.read_text().replace("lamps", "dogs")),
        spool_read,
        chunk.unlink,
        lambda: import_story(session, "flywheel", "other", CHAT[:9]),
        lambda: None,
    ):
        describe_memory(session)
        change()
        fresh = open_session(tree)
        assert describe_memory(session) == describe_memory(fresh)
        fresh.close()
    session.close()


def test_a_request_with_an_observer_uses_what_its_session_keeps(tree: Place) -> None:
    """As each call of MCP is one: what it has parsed is there for the next call."""
    session = open_session(tree)
    import_story(session, "flywheel", "road", CHAT)
    recall_story(session.with_observer(ChangeObserver()), "flywheel", "road", QUERY)
    kept = get_kept_values(session)
    assert kept.by_key
    assert get_kept_values(session.with_observer(ChangeObserver())) is kept
    session.close()


def test_values_of_many_texts_are_dropped(tree: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    session = open_session(tree)
    import_story(session, "flywheel", "road", CHAT)
    monkeypatch.setattr(kept_values, "MAX_CHARS", 4000)
    before = recall_story(session, "flywheel", "road", QUERY)
    describe_story(session, "flywheel", "road")
    kept = get_kept_values(session)
    assert kept.chars == sum(each.chars for each in kept.by_key.values()) <= 4000
    assert recall_story(session, "flywheel", "road", QUERY) == before
    session.close()


def test_what_was_needed_last_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_values, "MAX_CHARS", 30)
    kept = KeptValues()
    for key in "abc":
        kept.keep(key, KeptValue("1", key, 10))
    kept.get_all(["a"])
    kept.keep("d", KeptValue("1", "d", 10))
    kept.keep("d", KeptValue("2", "d", 10))
    assert (list(kept.by_key), kept.chars) == (["c", "a", "d"], 30)


def test_a_value_that_is_taken_is_nobody_elses() -> None:
    kept = KeptValues()
    kept.keep("a", KeptValue("1", "a", 10))
    assert kept.take("a") == KeptValue("1", "a", 10)
    assert (kept.take("a"), kept.chars, kept.by_key) == (None, 0, {})


def test_what_a_message_needs_is_dropped_like_all_else_and_made_anew(
    tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = open_session(tree)
    import_story(session, "flywheel", "road", CHAT[:-2])
    for limit in (4000, 10):
        append_message(session, "flywheel", "road", CHAT[-2])
        monkeypatch.setattr(kept_values, "MAX_CHARS", limit)
        append_message(session, "flywheel", "road", CHAT[-1])
        kept = get_kept_values(session)
        assert kept.chars <= limit or len(kept.by_key) == 1
    assert rebuild_story(session, "flywheel", "road").plan.writes == ()
    session.close()


def test_threads_that_recall_while_messages_come_find_the_same(tree: Place) -> None:
    session = open_session(tree)
    import_story(session, "flywheel", "road", CHAT)
    session.serve_reads(0.0)

    def recall(number: int) -> set[str]:
        if number % 4 == 0:
            append_message(session, "flywheel", "road", CHAT[number])
        found = recall_story(session, "flywheel", "road", QUERY)
        return {each.story for each in [found]} | {found.memories[0].ref}

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(recall, range(24)))
    assert answers == [{"road", "flywheel/CH-0005"}] * 24
    session.close()
