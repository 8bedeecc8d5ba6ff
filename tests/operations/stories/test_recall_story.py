"""What of a story is recalled, and why."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
import tiny_model

from cortexfs.core.stories.build_field import add_build
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.message import Message
from cortexfs.errors import NoSuchStory
from cortexfs.operations.embed import embed
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.operations.stories.recall_story import Recall, RecallQuery, recall_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
FILLER = (
    "They walked on.",
    "The road was long.",
    "We ate bread.",
    "Then they slept.",
)
SCENES = {
    3: ("Kael", "My name is Kael. I swear I will bring your sister home from Dustwell."),
    20: ("Melina", "*wept* Voss killed my father at the mill. He is gone forever."),
    41: ("Kael", "I lost the copper lantern in the river."),
    60: ("Melina", "We danced in the rain, and laughed, and I was happy."),
}


def said(speaker: str, text: str) -> Message:
    return Message("", "", speaker, "user", text)


def chat(count: int = 80) -> list[Message]:
    filler = (said("Melina" if n % 2 else "Kael", f"{FILLER[n % 4]} {n}") for n in range(count))
    return [said(*SCENES[n]) if n in SCENES else each for n, each in enumerate(filler, start=1)]


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    opened = Session.open(str(tree.root), lambda: NOW)
    import_story(opened, "flywheel", "road", chat())
    yield opened
    opened.close()


def ask(session: Session, *texts: str, **more: int) -> Recall:
    """Recall for a typed question, or for messages `Name: text`."""
    pairs = (text.partition(": ") for text in texts)
    said_last = tuple(said(name, text) if sep else said("", name) for name, sep, text in pairs)
    query = RecallQuery(said_last, record_reads=False)._replace(**more)
    return recall_story(session, "flywheel", "road", query)


def test_the_best_message_answers_a_question(session: Session) -> None:
    found = ask(session, "Where did Kael lose the lantern?")
    best = found.memories[0]
    message = max(best.excerpt, key=lambda one: one.score)
    assert (message.number, message.speaker, message.text) == (41, *SCENES[41])
    assert (best.first, best.last, best.distance, found.messages) == (41, 48, 32, 80)


def test_the_parts_add_up_to_the_score(session: Session) -> None:
    for memory in ask(session, "Kael: Voss is gone.", "Melina: I weep for him.").memories:
        assert sum(part.value for part in memory.parts) == pytest.approx(memory.score, abs=1e-6)


def test_a_sad_moment_recalls_a_sad_one_and_a_happy_one_a_happy_one(session: Session) -> None:
    sad = ask(session, "Melina: I am mourning, and sobbed all night.", memories=20)
    happy = ask(session, "Melina: I grinned, delighted, and chuckled.", memories=20)

    def emotion(found: Recall, first: int) -> float:
        parts = next(dict(each.parts) for each in found.memories if each.first == first)
        return parts["emotion"]

    assert emotion(sad, 17) > emotion(sad, 57)
    assert emotion(happy, 57) > emotion(happy, 17)


def test_visible_messages_are_not_recalled(session: Session) -> None:
    lantern = "Where did Kael lose the lantern?"
    assert ask(session, lantern, visible=40).memories[0].last <= 40
    found = ask(session, lantern, visible=39, memories=20)
    partly = next(each for each in found.memories if each.first == 41)
    assert (partly.last, partly.distance) == (41, 39)
    assert ask(session, lantern, visible=80).memories == ()


def test_deleted_messages_are_none_of_the_visible_ones(session: Session, tree: Place) -> None:
    record = tree.root / "projects/flywheel/chats/road.jsonl"
    gone = "".join(f'{{"n":{n},"id":"m{n}","deleted":true}}\n' for n in (75, 76, 77, 79))
    record.write_text(record.read_text() + gone)
    rebuild_story(session, "flywheel", "road")
    question = "Then they slept 77?"  # message 78, the last but one
    assert ask(session, question, visible=1).memories[0].first == 73
    assert all(each.first < 73 for each in ask(session, question, visible=4).memories)
    best = ask(session, question, visible=1).memories[0]
    assert "Then they slept. 79" not in [each.text for each in best.excerpt]
    assert (best.last, best.distance) == (78, 2)


def test_a_recalled_message_has_the_number_that_the_record_gives_it(
    session: Session, tree: Place
) -> None:
    record = tree.root / "projects/flywheel/chats/road.jsonl"
    lines = [f'{{"n":{n},"id":"m{n}","deleted":true}}\n' for n in (42, 45)]
    swiped = {"n": 46, "id": "m46", "speaker": "Kael", "role": "user", "swiped": ["No heron."]}
    lines.append(json.dumps(swiped | {"text": "The heron statue is made of jade."}) + "\n")
    new = {"n": 81, "after": 43, "speaker": "Melina", "role": "user", "text": "My crown is brass."}
    lines.append(json.dumps(new) + "\n")
    new = {"n": 82, "after": 43, "speaker": "Melina", "role": "user", "text": "Owls ate my shoes."}
    lines.append(json.dumps(new) + "\n")
    record.write_text(record.read_text() + "".join(lines))
    rebuild_story(session, "flywheel", "road")
    texts = {entry.number: entry.message.text for entry in parse_record(record.read_text()).entries}
    for question in ("What is the heron statue made of?", "Is my crown brass?", "What did owls?"):
        found = ask(session, question, shown=8)
        assert all(texts[one.number] == one.text for each in found.memories for one in each.excerpt)
    chunk = tree.root / "projects/flywheel/chunks/CH-0006.md"
    assert "\nnumbers: [41-41, 43-43, 82-82, 81-81, 44-44, 46-48]\n" in chunk.read_text()
    old = re.sub(r"^(numbers|build): .*\n", "", chunk.read_text(), flags=re.MULTILINE)
    chunk.write_text(add_build(old))  # as it was made before chunks had this field
    rebuild_story(session, "flywheel", "road")
    assert "\nnumbers: [41-41, " in chunk.read_text()


def test_the_last_messages_of_the_story_are_not_recalled_for_themselves(session: Session) -> None:
    end = [f"{one.speaker}: {one.text}" for one in chat()[-12:]]
    assert max(each.last for each in ask(session, *end, memories=50).memories) == 68
    new = ask(session, *end, "Melina: And a new message.", memories=50)
    assert max(each.last for each in new.memories) == 68


def test_a_new_message_is_recalled_once_it_is_not_visible(session: Session) -> None:
    append_message(session, "flywheel", "road", said("Kael", "The heron statue is made of jade."))
    found = ask(session, "What is the heron statue made of?")
    assert 81 in [one.number for one in found.memories[0].excerpt]
    assert found.memories[0].distance == 0


def test_a_recall_is_a_read_and_reads_reinforce(session: Session, tree: Place) -> None:
    ask(session, "Where did Kael lose the lantern?", memories=1, record_reads=True)
    session.drain_spool()
    assert "CH-0006" in "".join(each.read_text() for each in tree.root.rglob("*.jsonl"))
    again = ask(session, "Where did Kael lose the lantern?").memories[0]
    assert dict(again.parts)["reinforcement"] > 0


def test_a_story_that_is_not_there_is_refused(session: Session) -> None:
    with pytest.raises(NoSuchStory, match="has no story `raod`"):
        recall_story(session, "flywheel", "raod", RecallQuery((said("", "Who?"),)))


def test_an_entity_with_an_impossible_number_of_mentions_is_known(
    session: Session, tree: Place
) -> None:
    path = next(tree.root.glob("projects/flywheel/entities/ENT-*-kael.md"))
    lines = path.read_text().split("\n")
    lines = [f"mentions: {'9' * 5000}" if each.startswith("mentions:") else each for each in lines]
    path.write_text("\n".join(lines))
    found = ask(session, "Kael: Who took the copper lantern?", "Melina: Kael?")
    assert "Kael" in {each.name for each in found.entities}


def test_hostile_questions_are_only_words(session: Session) -> None:
    for text in ('"', "-lantern", "kind:entity lantern", "tag:x", "../x", "\0", "", "CH-0001", "*"):
        ask(session, text)
    assert ask(session, "kind:entity lantern").memories[0].first == 41


def test_vectors_find_what_has_other_words(tree: Place) -> None:
    tree.write("cortexfs.yaml", "stories:\n  messages-per-chunk: 1\n")
    opened = tiny_model.opened(str(tree.root))
    told = chat()
    told[30] = said("Kael", "Automobile automobile automobile automobile")
    import_story(opened, "flywheel", "road", told)
    embed(opened)
    found = ask(opened, "car", memories=3)
    assert found.memories[0].first == 31
    assert dict(found.memories[0].parts)["semantic"] > 0.1
    opened.close()
