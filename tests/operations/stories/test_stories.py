"""Stories in a tree: what an import, a new message and a rebuild leave on the disk."""

from __future__ import annotations

import json
import re
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from place import build_tree

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.message import Message
from cortexfs.errors import NoSuchStory, Refused
from cortexfs.operations.stories import story_record
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.explain_chunk import explain_chunk
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.import_transcript import TranscriptFile, import_transcript
from cortexfs.operations.stories.list_stories import list_stories
from cortexfs.operations.stories.read_chat import read_chat
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree, Place

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
CHUNKS, CHATS = "projects/flywheel/chunks", "projects/flywheel/chats"
FIRST = f"{CHUNKS}/CH-0001.md"
SMALL_CHUNKS = "stories:\n  messages-per-chunk: 3\n"
steps = st.lists(
    st.tuples(st.sampled_from(["append", "edit", "swipe", "delete", "insert"]), st.integers(0, 30)),
    min_size=1,
    max_size=8,
)


def chat(*texts: str) -> list[Message]:
    """Make a chat of two speakers."""
    return [
        Message("", "", ("Melina", "../x")[number % 2], "user", text)
        for number, text in enumerate(texts)
    ]


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def files(root: Path) -> dict[str, str]:
    """Read what a story has in a tree."""
    found = [*root.glob(f"{CHUNKS}/CH-*.md"), *root.glob(f"{CHATS}/*")]
    return {str(path.relative_to(root)): path.read_text() for path in sorted(found)}


def change(messages: list[Message], step: str, at: int) -> list[Message]:
    """Return the next version of a chat."""
    place = at % len(messages) if messages else 0
    new = Message("", "", "Melina", "user", f"{step} {at}")
    if step == "insert":
        return [*messages[:place], new, *messages[place:]]
    if not messages:
        return [new]
    old = messages[place]
    if step == "delete" and len(messages) > 1 and place < len(messages) - 1:
        return [*messages[:place], *messages[place + 1 :]]
    if step == "edit":
        return [*messages[:place], old._replace(text=f"{old.text}!"), *messages[place + 1 :]]
    swiped = old._replace(text=new.text, swiped=(*old.swiped, old.text))
    return [*messages[:place], swiped, *messages[place + 1 :]]


@pytest.fixture(scope="module")
def chunked(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Path:
    """A tree whose chunks have three messages."""
    place = copy_tree(tmp_path_factory.mktemp("chunked") / "tree", build_tree)
    place.write("cortexfs.yaml", SMALL_CHUNKS)
    return place.root


@settings(max_examples=max(3, settings().max_examples // 3))
@given(steps)
def test_what_was_changed_bit_by_bit_equals_a_rebuild(
    chunked: Path, history: list[tuple[str, int]]
) -> None:
    for folder in (CHUNKS, CHATS):
        shutil.rmtree(chunked / folder, ignore_errors=True)
    session = Session.open(str(chunked), lambda: NOW)
    messages = [Message("", "", "Melina", "user", f"start {number}") for number in range(7)]
    import_story(session, "flywheel", "road", messages, mode=ExecutionMode.WRITE)
    for step, at in history:
        if step == "append":
            said = Message("", "", "Kael", "user", f"append {at}")
            append_message(session, "flywheel", "road", said, mode=ExecutionMode.WRITE)
        else:
            messages = change(messages, step, at)
            import_story(session, "flywheel", "road", messages, mode=ExecutionMode.WRITE)
        record = parse_record((chunked / CHATS / "road.jsonl").read_text())
        messages = [m._replace(ident="") for m in record.messages]
    before = files(chunked)
    plan = rebuild_story(session, "flywheel", "road", mode=ExecutionMode.DRY_RUN).plan
    assert (plan.writes, plan.removes, plan.appends) == ((), (), ())
    shutil.rmtree(chunked / CHUNKS)
    rebuild_story(session, "flywheel", "road", mode=ExecutionMode.WRITE)
    assert _without_ids(files(chunked)) == _without_ids(before)
    session.close()


def _without_ids(found: dict[str, str]) -> list[str]:
    """Return the chunks in the order of their messages; a removed chunk's id is not used again."""
    texts = [text for path, text in found.items() if path.endswith(".md")]
    lines = [re.sub(r"^(?:id: |build: |# CH-).*$", "", text, flags=re.MULTILINE) for text in texts]
    return sorted(lines)


def test_an_import_is_one_commit_and_the_same_again_changes_nothing(
    tree: Place, session: Session
) -> None:
    texts = [f"{number} lamps" for number in range(20)]
    done = import_story(session, "flywheel", "road", chat(*texts))
    assert tree.git("log", "-1", "--format=%s").strip() == "story flywheel/road: 20 new messages"
    assert tree.git("status", "--porcelain") == ""
    assert (done.changes.added, len(done.files.chunks.writes)) == (20, 3)
    before = files(tree.root)
    again = import_story(session, "flywheel", "road", chat(*texts))
    assert again.plan.commit_paths == ()
    edited = import_story(session, "flywheel", "road", chat(*texts[:9], "none", *texts[10:], "end"))
    assert (edited.changes.changed, edited.changes.added) == (1, 1)
    after = files(tree.root)
    changed = {path for path in after if after[path] != before.get(path)}
    expected = {f"{CHUNKS}/CH-0002.md", f"{CHUNKS}/CH-0003.md", f"{CHATS}/road.jsonl"}
    assert changed == expected | {f"{CHATS}/_generated.tsv"}
    assert after[f"{CHATS}/road.jsonl"].startswith(before[f"{CHATS}/road.jsonl"])


def test_nothing_that_was_said_becomes_a_finding_a_link_or_a_file(
    tree: Place, session: Session
) -> None:
    said = ("# x\n---\nid: EXP-001\n---", "[[K-009]] EXP-999 <!--", "```\n[[K-008]]", "\x1b[2J")
    hostile = "".join(
        json.dumps({"name": "../x [[K-7]] EXP-998", "mes": text, "is_user": True}) + "\n"
        for text in said
    )
    done = import_transcript(session, "flywheel", TranscriptFile(hostile, "road"))
    assert [each.changes.added for each in done.stories] == [3]
    assert tree.run("check").code == 0, tree.run("check").out
    assert {path.name for path in tree.root.glob("projects/flywheel/chunks/*")} == {
        "CH-0001.md",
        "index.md",
    }
    assert "EXP-999" in tree.ok("find", "EXP-999")
    edges = json.loads(tree.run("graph", "flywheel/CH-0001", "--json").out)["edges"]
    assert {edge["from"] for edge in edges} <= {"flywheel/ENT-001"}


def test_a_message_is_appended_to_the_last_chunk_or_begins_the_next(
    tree: Place, session: Session
) -> None:
    for number in range(10):
        said = Message("", "", "Melina", "", f"message {number}")
        done = append_message(session, "flywheel", "road", said)
        assert done.number == number + 1
        assert done.chunk_path == f"{CHUNKS}/CH-000{1 if number < 8 else 2}.md"
    (summary,) = list_stories(session, "flywheel")
    assert (summary.messages, summary.chunks, summary.outdated) == (10, 2, 0)
    assert summary.last_time == "2026-05-06T20:31:10Z"
    other = append_message(session, "flywheel", "hill", Message("", "", "Kael", "", "Here"))
    assert other.chunk_path == f"{CHUNKS}/CH-0003.md"
    more = append_message(session, "flywheel", "hill", Message("", "", "Kael", "", "There"))
    assert more.chunk_path == f"{CHUNKS}/CH-0003.md"
    assert tree.git("status", "--porcelain") == ""


def test_a_long_record_goes_on_in_another_file(
    session: Session, tree: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(story_record, "MAX_PART_BYTES", 300)
    texts = [f"message {number}" for number in range(9)]
    import_story(session, "flywheel", "road", chat(*texts[:7]))
    append_message(session, "flywheel", "road", Message("", "", "Melina", "user", texts[7]))
    import_story(session, "flywheel", "road", chat(*texts))
    names = [path.name for path in sorted((tree.root / CHATS).iterdir())]
    assert names[1:3] == ["road.2.jsonl", "road.3.jsonl"]
    (summary,) = list_stories(session, "flywheel")
    assert (summary.messages, summary.broken) == (9, 0)
    assert tree.git("status", "--porcelain") == ""


def test_old_chunks_are_neither_stale_nor_cold(tree: Place, session: Session) -> None:
    import_story(
        session, "flywheel", "road", [Message("", "2020-01-01T10:00:00Z", "A", "user", "b")]
    )
    assert "CH-0001" in tree.ok("list", "--cold")
    assert "CH-0001" not in tree.ok("maintain")


def test_other_settings_are_noticed_and_a_rebuild_applies_them(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat(*(f"m {number}" for number in range(10))))
    tree.write("cortexfs.yaml", SMALL_CHUNKS)
    assert [each.outdated for each in list_stories(session, "flywheel")] == [2]
    done = rebuild_story(session, "flywheel", "road")
    assert (done.outdated, done.chunk_count) == (2, 4)
    assert [each.outdated for each in list_stories(session, "flywheel")] == [0]
    tree.write("cortexfs.yaml", "")
    done = rebuild_story(session, "flywheel", "road")
    assert len(done.files.chunks.removes) == 2
    assert tree.git("status", "--porcelain") == "?? cortexfs.yaml\n"


def test_a_chunk_that_a_person_changed_is_kept(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat("one", "two"))
    edited = tree.read(FIRST).replace("tags: [story]", "tags: [story, mine]")
    assert edited != tree.read(FIRST)
    tree.write(FIRST, edited)
    done = rebuild_story(session, "flywheel", "road")
    assert done.files.chunks.edited == (FIRST,)
    append_message(session, "flywheel", "road", Message("", "", "Melina", "user", "three"))
    assert tree.read(FIRST) == edited
    (tree.root / FIRST).unlink()
    rebuild_story(session, "flywheel", "road")
    assert "three" in tree.read(FIRST)


def test_a_line_like_a_field_of_a_chunk_is_no_change_by_a_person(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat("build: the ship\nrefs: 3"))
    append_message(session, "flywheel", "road", Message("", "", "Melina", "user", "three"))
    assert "three" in tree.read(FIRST)
    assert rebuild_story(session, "flywheel", "road").files.chunks.edited == ()


def test_a_record_that_comes_from_elsewhere_is_taken_as_it_is(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat(*(f"say {number}" for number in range(8))))
    record = tree.read(f"{CHATS}/road.jsonl")
    hostile = (
        r'{"n":9,"speaker":"\ud800\n```\n# x","role":"user","text":"\u0000\ud800 it"}',
        *('{"n":10,"text":""}', f'{{"n":{"9" * 5000},"text":"x"}}', "[" * 100_000, '{"n":11'),
    )
    tree.write(f"{CHATS}/road.jsonl", record + "\n".join(hostile))
    added = append_message(session, "flywheel", "road", Message("", "", "Melina", "user", "last"))
    assert added.number == 10
    rebuild_story(session, "flywheel", "road")
    assert "say 0" in tree.read(FIRST)
    assert tree.read(f"{CHUNKS}/CH-0002.md").endswith(
        "```text\n``` # x (user):\n\ufffd it\n```\n\n```text\n"
        "Melina (user, 2026-05-06T20:31:10Z):\nlast\n```\n"
    )
    assert rebuild_story(session, "flywheel", "road").plan.commit_paths == ()


def test_a_message_with_the_highest_number_is_the_last_one(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat("one"))
    path = f"{CHATS}/road.jsonl"
    tree.write(path, tree.read(path) + '{"n":999999999,"speaker":"A","role":"user","text":"x"}\n')
    assert rebuild_story(session, "flywheel", "road").chunk_count == 2
    assert rebuild_story(session, "flywheel", "road").plan.commit_paths == ()
    with pytest.raises(Refused, match="highest number"):
        append_message(session, "flywheel", "road", Message("", "", "A", "user", "three"))


def test_an_inserted_message_is_read_with_the_chunk_of_the_one_before_it(
    tree: Place, session: Session
) -> None:
    texts = [f"say {number}" for number in range(20)]
    import_story(session, "flywheel", "road", chat(*texts))
    new = Message("", "", "Kael", "user", "new")
    import_story(session, "flywheel", "road", [*chat(*texts)[:2], new, *chat(*texts)[2:]])
    assert "\nnew\n" in tree.read(FIRST)
    said = {each.entry.message.text: each for each in read_chat(session, "flywheel", "road")}
    chunks = {text: said[text].chunk for text in ("say 1", "new", "say 19")}
    idents = [chunk.ident for chunk in chunks.values() if chunk]
    assert idents == ["CH-0001", "CH-0001", "CH-0003"]


def test_a_record_of_which_a_part_is_missing_is_read_without_it(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat("one"))
    line = '{"n":2,"id":"m2","speaker":"A","role":"user","text":"two"}\n'
    tree.write(f"{CHATS}/road.999999.jsonl", line)
    assert rebuild_story(session, "flywheel", "road").messages == 2


def test_the_parts_of_a_chunk_are_explained(session: Session, tree: Place) -> None:
    import_story(session, "flywheel", "road", chat('He wept. "I swear it," he said.'))
    found = explain_chunk(session, "CH-0001", str(tree.root))
    assert found.is_core
    assert found.salience.score == round(sum(part.value for part in found.salience.parts), 4)
    assert f'salience: "{found.salience.score:.4f}"\n' in tree.read(FIRST)
    tree.ok("new", "experiment", "-s", "a", "-t", "b")
    with pytest.raises(Refused, match="no chunk"):
        explain_chunk(session, "flywheel/EXP-001", str(tree.root))


def test_another_chat_a_wrong_name_and_an_empty_message_are_refused(session: Session) -> None:
    import_story(session, "flywheel", "road", chat("a", "b", "c", "d"))
    with pytest.raises(Refused, match="no message of this chat"):
        import_story(session, "flywheel", "road", chat("x", "y"))
    with pytest.raises(Refused, match="cannot be the name"):
        import_story(session, "flywheel", "../road", chat("x"))
    with pytest.raises(Refused, match="empty"):
        append_message(session, "flywheel", "road", Message("", "", "A", "", " \x1b[0m\n"))
    with pytest.raises(NoSuchStory, match="no story `raod`"):
        rebuild_story(session, "flywheel", "raod")


def test_the_commands_print_what_was_done(tree: Place) -> None:
    path = tree.write("chat.txt", "lost line\nMelina: Hello.\nKael: I promise, Melina.\n")
    place = ("-p", "flywheel")
    dry = tree.run("story", "import", str(path), *place, "--dry-run")
    assert not (tree.root / CHATS).exists()
    assert "line 1" in dry.err
    done = json.loads(tree.ok("story", "import", str(path), *place, "--json"))
    assert done["imported"]["format"] == "plain"
    assert done["imported"]["stories"][0]["added"] == 2
    assert tree.run("story", "append", "chat", "--speaker", "Ada", feed="Bye").code == 0
    listed = json.loads(tree.ok("story", "list", "--json"))["stories"]
    assert (listed[0]["story"], listed[0]["messages"]) == ("chat", 3)
    explained = tree.ok("story", "explain", "CH-0001")
    assert "flag promise\t0.0600" in explained
    assert "nothing" not in tree.ok("find", "promise")
    assert json.loads(tree.ok("story", "rebuild", "chat", "--json"))["rebuilt"]["written"] == 0


def test_check_and_doctor_say_which_stories_other_settings_made(tree: Place) -> None:
    (tree.root.parent / "chat.txt").write_text("Melina: Who are you?\nKael: I am Kael.\n" * 3)
    tree.write("cortexfs.yaml", SMALL_CHUNKS)
    for name in ("road", "lane"):
        tree.ok("story", "import", str(tree.root.parent / "chat.txt"), "--name", name)
    before = tree.ok("check")
    assert "story-outdated" not in before
    assert "other settings" not in tree.run("doctor").out
    tree.write("cortexfs.yaml", f"{SMALL_CHUNKS}  salience: {{flag: 0.2}}\n")
    found = tree.ok("check")
    for name in ("road", "lane"):
        line = f"{CHATS}/{name}.jsonl:1: 2 chunks made with other settings"
        assert f"{line}; `cortexfs story rebuild {name} -p flywheel`" in found
    said = tree.run("doctor").out
    assert "road: 2 chunks made with other settings" in said
    assert "cortexfs story rebuild road -p flywheel" in said
    tree.write(FIRST, tree.read(FIRST) + "\nmine\n")
    tree.ok("story", "rebuild", "road", "-p", "flywheel")
    tree.ok("story", "rebuild", "lane", "-p", "flywheel")
    assert "story-outdated" not in tree.ok("check")
    assert "other settings" not in tree.run("doctor").out
