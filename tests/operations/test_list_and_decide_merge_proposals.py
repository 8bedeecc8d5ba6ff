"""Similar memories are proposed; a person or an agent accepts or rejects each merge."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import tiny_model
from place import build_tree

from cortexfs.operations.embed import embed
from cortexfs.operations.list_merge_proposals import list_merge_proposals

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

NOW = {"CORTEXFS_NOW": "2026-05-06T20:31:10+00:00"}
FOLDER = "projects/flywheel/observations"


def _memory(place: Place, number: int, content: str, folder: str = FOLDER) -> str:
    path = f"{folder}/OBS-{number:03d}.md"
    head = f"---\nid: OBS-{number:03d}\ndate: 2026-05-0{number}\nproject: flywheel\n"
    place.write(path, f"{head}summary: Note {number}\ntags: [a]\ntype: fact\n---\n\n{content}\n")
    return path


def _build_grown(tree: Place) -> None:
    build_tree(tree)
    _memory(tree, 1, "The export job retries a failed upload 3 times.")
    _memory(tree, 2, "A failed upload is retried 5 times by the export job.")
    _memory(tree, 3, "Nothing in common with the others at all.")
    _memory(tree, 4, "The export job retries a failed upload 3 times.", "user/observations")
    tree.git("add", "-A")
    tree.git("commit", "-qm", "grown")
    tree.ok("index", "regen", "--all", **NOW)


@pytest.fixture
def grown(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with two similar memories, and a personal one."""
    return copy_tree(tmp_path / "tree", _build_grown)


def _propose(place: Place, *words: str) -> list[dict[str, Any]]:
    return json.loads(place.ok("maintain", "--proposals", "--json", *words, **NOW))["proposals"]


def _read(place: Place, number: int) -> str:
    return place.read(f"{FOLDER}/OBS-{number:03d}.md")


def test_a_proposal_has_both_texts_and_what_differs_and_changes_nothing(grown: Place) -> None:
    head = grown.git("rev-parse", "HEAD")
    (found,) = _propose(grown)
    assert (found["earlier"]["ref"], found["later"]["ref"]) == (
        "flywheel/OBS-001",
        "flywheel/OBS-002",
    )
    assert found["earlier"]["content"] == "The export job retries a failed upload 3 times."
    assert (found["kind"], found["keeps"]) == ("newer replaces older", "flywheel/OBS-002")
    assert found["differences"] == ["1, 3 → 2, 5"]
    shown = grown.ok("maintain", "--proposals", **NOW)
    assert "  # keeps " in shown, "the line is a command that can be pasted"
    assert ", importance 0." in shown
    assert shown.startswith(f"{found['id']} newer replaces older: similarity 0.")
    assert "  differs: 1, 3 → 2, 5\n" in shown
    assert grown.git("rev-parse", "HEAD") == head
    assert json.loads(grown.ok("maintain", "--apply", "--json", **NOW))["merges"] == []


def test_an_accepted_proposal_keeps_the_newer_and_undo_restores_every_byte(grown: Place) -> None:
    before = _read(grown, 1), _read(grown, 2)
    (found,) = _propose(grown)
    done = json.loads(grown.ok("maintain", "--accept", found["id"], "--json", **NOW))
    assert (done["kept"], done["merged"][0]["ref"]) == ("flywheel/OBS-002", "flywheel/OBS-001")
    assert "status: superseded:flywheel/OBS-002\ndeleted-at:" in _read(grown, 1)
    assert "relations: [supersedes flywheel/OBS-001]" in _read(grown, 2)
    assert "duplicates:" not in _read(grown, 2)
    subject = "merge flywheel/OBS-001 into flywheel/OBS-002: newer replaces older"
    assert grown.git("log", "-1", "--format=%s").strip() == subject
    assert _propose(grown) == []
    grown.ok("undo", **NOW)
    assert (_read(grown, 1), _read(grown, 2)) == before
    assert _propose(grown) == [found]


def test_the_memory_that_stays_can_be_chosen(grown: Place) -> None:
    (found,) = _propose(grown)
    ran = grown.run("maintain", "--accept", found["id"], "--keep", "3", **NOW)
    assert (ran.code, "hint: --keep flywheel/OBS-002 or flywheel/OBS-001" in ran.err) == (3, True)
    grown.ok("maintain", "--accept", found["id"], "--keep", "OBS-001", **NOW)
    assert "status: superseded:flywheel/OBS-001" in _read(grown, 2)


def test_a_rejected_proposal_comes_back_only_when_a_text_has_changed(grown: Place) -> None:
    before = _read(grown, 2)
    (found,) = _propose(grown)
    grown.ok("maintain", "--reject", found["id"], **NOW)
    assert f"reviewed: [flywheel/OBS-001 2026-05-06#{found['id']}]\n" in _read(grown, 2)
    assert grown.run("check", **NOW).code == 0
    assert _propose(grown) == []
    path = f"{FOLDER}/OBS-001.md"
    grown.write(path, _read(grown, 1).replace("tags: [a]", "tags: [a, b]"))
    assert _propose(grown) == []
    grown.write(path, _read(grown, 1).replace("3 times", "4 times"))
    assert len(_propose(grown)) == 1
    grown.write(path, _read(grown, 1).replace("4 times", "3 times").replace("[a, b]", "[a]"))
    grown.ok("undo", **NOW)
    assert (_read(grown, 2), _propose(grown)) == (before, [found])


def test_an_unknown_id_and_uncommitted_changes_are_refused(grown: Place) -> None:
    ran = grown.run("maintain", "--reject", "0123456789", **NOW)
    assert (ran.code, "no proposal `0123456789`" in ran.err) == (3, True)
    (found,) = _propose(grown)
    mine = _read(grown, 2) + "\n"
    grown.write(f"{FOLDER}/OBS-002.md", mine)
    for option in ("--accept", "--reject"):
        ran = grown.run("maintain", option, found["id"], **NOW)
        assert (ran.code, "uncommitted changes" in ran.err) == (3, True)
    assert _read(grown, 2) == mine


def test_one_option_at_a_time(grown: Place) -> None:
    for words in (("--apply", "--proposals"), ("--accept", "a", "--reject", "a"), ("--keep", "1")):
        assert grown.run("maintain", *words).code == 2


def test_control_characters_of_a_memory_do_not_reach_the_terminal(grown: Place) -> None:
    _memory(grown, 5, "The export job retries \x1b]0;x\a a failed upload 3 times, always.")
    shown = grown.ok("maintain", "--proposals", **NOW)
    assert "OBS-005" in shown
    assert "\x1b" not in shown


def test_the_settings_set_the_similarity(grown: Place) -> None:
    grown.write("cortexfs.yaml", "maintenance:\n  proposals: 0.95\n")
    assert _propose(grown) == []
    grown.write("cortexfs.yaml", "maintenance:\n  proposals: 0\n")
    assert len(_propose(grown)) == 3


def test_vectors_find_what_words_do_not(tree: Place) -> None:
    _memory(tree, 1, "car car car doctor doctor doctor")
    _memory(tree, 2, "automobile vehicle automobile physician surgeon physician")
    session = tiny_model.opened(str(tree.root))
    assert list_merge_proposals(session).total == 0
    embed(session)
    (found,) = list_merge_proposals(session).proposals
    session.close()
    assert (found.pair.found_by, found.pair.earlier.record.number) == ("vectors", 1)
    assert found.pair.similarity > 0.7
