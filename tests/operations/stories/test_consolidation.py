"""Scenes and arcs in a tree: made by imports, messages and rebuilds, and left to a person."""

from __future__ import annotations

import json
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from place import build_tree

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chat_record import parse_record
from cortexfs.core.stories.message import Message
from cortexfs.operations.stories.append_message import append_message
from cortexfs.operations.stories.consolidate_story import consolidate_story
from cortexfs.operations.stories.import_story import import_story
from cortexfs.operations.stories.list_stories import list_stories
from cortexfs.operations.stories.rebuild_story import rebuild_story
from cortexfs.operations.stories.remove_story import remove_story
from cortexfs.operations.stories.rename_story import rename_story
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree, Place

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
PROJECT = "projects/flywheel"
SMALL = "stories:\n  messages-per-chunk: 2\n  consolidation: {waiting: 3, chunks: 2, scenes: 2}\n"
"""A scene has four messages, an arc eight; the first scene is due after six messages."""
FIRST = f"{PROJECT}/scenes/SCN-001.md"
MADE = f"{PROJECT}/chats/_consolidated.tsv"


def chat(count: int, begin: int = 1) -> list[Message]:
    """Make a chat in which every message can be told from every other."""
    return [
        Message(
            "",
            "",
            ("Melina", "Kael")[number % 2],
            "user",
            f"I promised Orin number {number} to come back to Dustwell and weep.",
        )
        for number in range(begin, begin + count)
    ]


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    tree.write("cortexfs.yaml", SMALL)
    opened = Session.open(str(tree.root), lambda: NOW)
    yield opened
    opened.close()


def names(root: Path) -> list[str]:
    found = [*root.glob(f"{PROJECT}/scenes/SCN-*"), *root.glob(f"{PROJECT}/arcs/ARC-*")]
    return sorted(path.stem for path in found)


def read_summaries(root: Path) -> dict[str, str]:
    paths = [*root.glob(f"{PROJECT}/scenes/SCN-*"), *root.glob(f"{PROJECT}/arcs/ARC-*")]
    return {path.name: path.read_text() for path in sorted(paths)} | {
        "made": (root / MADE).read_text() if (root / MADE).exists() else ""
    }


def test_waiting_chunks_become_scenes_and_scenes_an_arc(tree: Place, session: Session) -> None:
    for number in range(10):
        append_message(session, "flywheel", "road", chat(1, number + 1)[0])
        due = {5: 1, 6: 1, 7: 1, 8: 1}.get(number + 1, 0)
        assert number < 4 or len(names(tree.root)) >= due
    assert names(tree.root) == ["ARC-001", "SCN-001", "SCN-002"]
    fields = atom_text.parse_frontmatter(tree.read(FIRST)).fields
    assert fields["chunks"] == ("CH-0001", "CH-0002")
    assert (fields["messages"], fields["source"]) == ("1-4", "heuristic")
    assert fields["summary"] == "Orin and Dustwell"
    assert "- Kael: I promised Orin number 1 to come" in tree.read(FIRST)
    arc = tree.read(f"{PROJECT}/arcs/ARC-001.md")
    assert atom_text.parse_frontmatter(arc).fields["scenes"] == ("SCN-001", "SCN-002")
    assert arc.count("\n## ") == 2
    assert tree.git("status", "--porcelain") == "?? cortexfs.yaml\n"


def test_every_command_knows_scenes_and_arcs(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat(10))
    assert tree.run("check").code == 0, tree.run("check").out
    assert "Orin and Dustwell" in tree.ok("list", "scene")
    assert "flywheel/SCN-001" in tree.ok("find", "Orin number 1")
    assert "ARC-001" in tree.ok("graph", "flywheel/SCN-001")
    assert "CH-0002" in tree.ok("graph", "flywheel/SCN-001")
    assert "SCN-002" in tree.ok("show", "flywheel/ARC-001")
    tree.ok("index", "regen", "--all")
    assert "SCN-002" in tree.read(f"{PROJECT}/scenes/index.md")
    assert tree.run("index", "regen", "--all", "--check").code == 0


def test_a_changed_chunk_changes_its_scene_and_arc_only(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat(20))
    before = read_summaries(tree.root)
    texts = chat(20)
    texts[5] = texts[5]._replace(text="I swear that I will never forgive the Sons of Calydon.")
    import_story(session, "flywheel", "road", texts)
    after = read_summaries(tree.root)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"SCN-002.md", "ARC-001.md"}
    assert "Sons of Calydon" in after["SCN-002.md"]


def test_what_a_person_edits_stays_and_what_a_person_removes_does_not_come_back(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat(20))
    assert names(tree.root) == ["ARC-001", "ARC-002", *(f"SCN-00{n}" for n in (1, 2, 3, 4))]
    mine = tree.read(FIRST) + "\nMine.\n"
    tree.write(FIRST, mine)
    (tree.root / PROJECT / "scenes/SCN-003.md").unlink()
    (tree.root / PROJECT / "arcs/ARC-001.md").unlink()
    edited = [m._replace(text=f"{m.text} Truly.") if n % 3 else m for n, m in enumerate(chat(20))]
    done = rebuild_story(session, "flywheel", "road")
    assert done.files.summaries.edited == (FIRST,)
    import_story(session, "flywheel", "road", edited)
    append_message(session, "flywheel", "road", chat(1, 99)[0])
    tree.write("cortexfs.yaml", SMALL.replace("chunks: 2", "chunks: 3"))
    rebuild_story(session, "flywheel", "road")
    tree.write("cortexfs.yaml", SMALL)
    rebuild_story(session, "flywheel", "road")
    assert tree.read(FIRST) == mine
    every = read_summaries(tree.root)
    spans = {
        (fields["id"][:3], fields["messages"])
        for name, text in every.items()
        if name != "made" and (fields := atom_text.parse_frontmatter(text).fields)
    }
    scenes = {("SCN", span) for span in ("1-4", "5-8", "13-16", "17-20")}
    assert spans == scenes | {("ARC", "13-16")}
    assert tree.run("check").code == 0, tree.run("check").out


def test_scenes_follow_the_name_of_their_story(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat(10))
    before = names(tree.root)
    rename_story(session, "flywheel", "road", "hill")
    assert "\nhill, messages 1 to 4 (CH-0001, CH-0002)\n" in tree.read(FIRST)
    assert rebuild_story(session, "flywheel", "hill").plan.commit_paths == ()
    assert names(tree.root) == before
    remove_story(session, "flywheel", "hill")
    assert (names(tree.root), tree.read(MADE)) == ([], "")
    import_story(session, "flywheel", "hill", chat(10))
    assert len(names(tree.root)) == 3


def test_without_consolidation_nothing_is_made_until_it_is_asked_for(
    tree: Place, session: Session
) -> None:
    tree.write("cortexfs.yaml", SMALL.replace("{waiting", "{enabled: off, waiting"))
    import_story(session, "flywheel", "road", chat(10))
    assert names(tree.root) == []
    dry = tree.run("story", "consolidate", "road", "-p", "flywheel", "--dry-run")
    assert "2 scenes, 1 arc: 3 written" in dry.err
    assert names(tree.root) == []
    done = json.loads(tree.ok("story", "consolidate", "road", "-p", "flywheel", "--json"))
    assert len(done["consolidated"]["written"]) == 3
    assert names(tree.root) == ["ARC-001", "SCN-001", "SCN-002"]
    rebuild_story(session, "flywheel", "road")
    assert names(tree.root) == ["ARC-001", "SCN-001", "SCN-002"]
    again = tree.run("story", "consolidate", "road", "-p", "flywheel")
    assert "0 written, 0 removed" in again.err
    assert tree.git("status", "--porcelain") == "?? cortexfs.yaml\n"


def test_an_append_makes_one_scene_of_many_that_are_due(tree: Place, session: Session) -> None:
    tree.write("cortexfs.yaml", SMALL.replace("{waiting", "{enabled: off, waiting"))
    import_story(session, "flywheel", "road", chat(20))
    tree.write("cortexfs.yaml", SMALL)
    append_message(session, "flywheel", "road", chat(1, 21)[0])
    assert names(tree.root) == ["SCN-001"]
    append_message(session, "flywheel", "road", chat(1, 22)[0])
    assert names(tree.root) == ["ARC-001", "SCN-001", "SCN-002"]


def test_nothing_waits_for_a_scene_of_which_all_messages_were_deleted(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat(8))
    record = f"{PROJECT}/chats/road.jsonl"
    gone = [f'{{"n":{number},"id":"m{number}","deleted":true}}\n' for number in range(5, 9)]
    tree.write(record, tree.read(record) + "".join(gone))
    rebuild_story(session, "flywheel", "road")
    for message in chat(12):
        append_message(session, "flywheel", "road", message)
    grown = names(tree.root)
    assert grown == ["ARC-001", "ARC-002", "SCN-001", "SCN-002", "SCN-003"]
    assert rebuild_story(session, "flywheel", "road").plan.commit_paths == ()


def test_two_stories_have_scenes_of_their_own(tree: Place, session: Session) -> None:
    for name in ("road", "hill"):
        for message in chat(10):
            append_message(session, "flywheel", name, message)
    assert names(tree.root) == ["ARC-001", "ARC-002", *(f"SCN-00{n}" for n in (1, 2, 3, 4))]
    before = read_summaries(tree.root)
    for name in ("road", "hill"):
        assert rebuild_story(session, "flywheel", name).plan.commit_paths == ()
    assert read_summaries(tree.root) == before
    stories = [atom_text.parse_frontmatter(text).fields.get("story") for text in before.values()]
    assert (stories.count("road"), stories.count("hill")) == (3, 3)


def test_what_a_killed_run_wrote_is_known_again(tree: Place, session: Session) -> None:
    import_story(session, "flywheel", "road", chat(10))
    before = read_summaries(tree.root)
    (tree.root / MADE).unlink()
    append_message(session, "flywheel", "road", chat(1, 11)[0])
    rebuild_story(session, "flywheel", "road")
    assert read_summaries(tree.root) == before


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> Path:
    """A tree with small chunks and scenes."""
    place = copy_tree(tmp_path_factory.mktemp("small") / "tree", build_tree)
    place.write("cortexfs.yaml", SMALL)
    return place.root


kinds = st.sampled_from(["append", "edit", "delete", "insert", "append 3"])
steps = st.lists(st.tuples(kinds, st.integers(0, 40)), min_size=1, max_size=8)


@settings(max_examples=max(3, settings().max_examples // 3))
@given(st.integers(0, 17), steps)
def test_scenes_that_grew_bit_by_bit_are_those_of_a_rebuild(
    small: Path, begin: int, history: list[tuple[str, int]]
) -> None:
    for folder in ("chunks", "chats", "scenes", "arcs", "entities"):
        shutil.rmtree(small / PROJECT / folder, ignore_errors=True)
    session = Session.open(str(small), lambda: NOW)
    messages = chat(begin)
    if messages:
        import_story(session, "flywheel", "road", messages, mode=ExecutionMode.WRITE)
    for step, at in history:
        place = at % len(messages) if messages else 0
        if step.startswith("append") or not messages:
            for each in chat(3 if step == "append 3" else 1, 100 + at):
                append_message(session, "flywheel", "road", each, mode=ExecutionMode.WRITE)
        else:
            new = {"edit": [chat(1, 200 + at)[0]], "delete": []}.get(
                step, [chat(1, 300 + at)[0], messages[place]]
            )
            changed = [*messages[:place], *new, *messages[place + 1 :]]
            import_story(session, "flywheel", "road", changed, mode=ExecutionMode.WRITE)
        record = parse_record((small / PROJECT / "chats/road.jsonl").read_text())
        messages = [m._replace(ident="") for m in record.messages]
    plan = rebuild_story(session, "flywheel", "road", mode=ExecutionMode.DRY_RUN).plan
    assert [write.path for write in plan.writes] == []
    before = read_summaries(small)
    for folder in ("scenes", "arcs", "chats/_consolidated.tsv"):
        shutil.rmtree(small / PROJECT / folder, ignore_errors=True)
    (small / MADE).unlink(missing_ok=True)
    consolidate_story(session, "flywheel", "road", mode=ExecutionMode.WRITE)
    assert _without_ids(read_summaries(small)) == _without_ids(before)
    session.close()


def _without_ids(found: dict[str, str]) -> list[list[str]]:
    """Return the lines of scenes and arcs that do not depend on their ids."""
    texts = (text.split("\n") for name, text in found.items() if name != "made")
    left = ("id:", "build:", "analysis:", "scenes:", "# ", "SCN-", "road, ")
    return sorted([line for line in lines if not line.startswith(left)] for lines in texts)


def test_the_list_says_how_many_scenes_are_due_after_other_settings(
    tree: Place, session: Session
) -> None:
    import_story(session, "flywheel", "road", chat(20))
    (found,) = list_stories(session, "flywheel")
    assert (found.scenes, found.arcs, found.due, found.told) == (4, 2, 0, 0)
    tree.write("cortexfs.yaml", SMALL.replace("chunks: 2", "chunks: 3"))
    (found,) = list_stories(session, "flywheel")
    assert found.due > 0
    assert "to be made; run `cortexfs story rebuild road`" in tree.run("story", "list").err
    rebuild_story(session, "flywheel", "road")
    (found,) = list_stories(session, "flywheel")
    assert (found.scenes, found.arcs, found.due) == (3, 1, 0)
