"""`show` prints an atom, its backlinks and its history, and counts as a read."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest
from place import build_tree

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

PATH = "projects/flywheel/experiments/EXP-001.md"


def _atom(ident: str, body: str = "", **more: str) -> str:
    fields = {"id": ident, "date": "2026-03-01", "project": "flywheel", "summary": "s", **more}
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}tags: [a]\n---\n\n{body}\n"


def _build_place(tree: Place) -> None:
    build_tree(tree)
    tree.write(PATH, _atom("EXP-001", "# Where it began\n"))
    tree.write("projects/flywheel/experiments/EXP-002.md", _atom("EXP-002", "after EXP-001"))
    tree.write("projects/flywheel/knowledge/K-001.md", _atom("K-001", evidence="[EXP-001]"))
    tree.write("projects/flywheel/knowledge/K-002.md", _atom("K-002", "```\nEXP-001\n```"))
    tree.write("projects/flywheel/knowledge/K-003.md", _atom("K-003", "see EXP-0010, XEXP-001"))
    tree.ok("project", "new", "sundial", "--goal", "x")
    other = _atom("K-001", "flywheel/EXP-001").replace("project: flywheel", "project: sundial")
    tree.write("projects/sundial/knowledge/K-001.md", other)
    short = other.replace("flywheel/", "").replace("K-001", "K-002")
    tree.write("projects/sundial/knowledge/K-002.md", short)
    tree.git("add", ".")
    tree.git("commit", "-qm", "the first word")
    tree.write(PATH, _atom("EXP-001", "# Where it began\n\nmore\n"))
    tree.git("commit", "-qam", "the second word")


@pytest.fixture
def place(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", _build_place)


def _show(place: Place, *words: str) -> dict[str, Any]:
    return json.loads(place.ok("show", "--json", *words))


def test_show_prints_the_text_backlinks_and_history(place: Place) -> None:
    document = _show(place, "flywheel/EXP-001")
    assert document["content"] == place.read(PATH)
    assert document["backlinks"] == ["flywheel/EXP-002", "flywheel/K-001", "sundial/K-001"]
    assert [past["subject"] for past in document["history"]] == [
        "the second word",
        "the first word",
    ]
    plain = place.ok("show", "flywheel/EXP-001")
    assert plain.startswith(place.read(PATH).rstrip("\n"))
    assert "backlinks: flywheel/EXP-002, flywheel/K-001, sundial/K-001" in plain


def test_a_read_is_counted_after_the_next_drain(place: Place) -> None:
    for _ in range(3):
        place.ok("show", "flywheel/EXP-001")
    place.ok("show", "flywheel/EXP-001", "--no-track")
    place.ok("hook", "drain")
    assert _show(place, "flywheel/EXP-001", "--no-track")["atom"]["refs"] == 3
    log = place.read("projects/flywheel/_meta/access-log.jsonl")
    assert {json.loads(line)["tool"] for line in log.splitlines()} == {"cortexfs"}
    assert place.git("status", "--porcelain") == ""


def test_a_short_ref_means_the_current_project_or_the_only_one_with_that_id(place: Place) -> None:
    assert _show(place, "EXP-001")["atom"]["ref"] == "flywheel/EXP-001"
    ran = place.run("show", "K-001")
    assert ran.code == 3
    assert "`flywheel/K-001`, `sundial/K-001`" in ran.err


def test_two_files_with_one_id_are_reported_with_their_paths(place: Place) -> None:
    folder = "projects/flywheel/experiments"
    place.write(f"{folder}/EXP-008.md", place.read(f"{folder}/EXP-001.md"))
    assert f"`{folder}/EXP-001.md`, `{folder}/EXP-008.md`" in place.run("show", "EXP-001").err


def test_a_ref_of_an_unknown_project_names_the_project(place: Place) -> None:
    ran = place.run("mark", "lighthause/EXP-999", "superseded")
    assert (ran.code, "no project named `lighthause`" in ran.err) == (3, True), ran


def test_a_project_that_is_given_as_a_word_is_hinted_to_its_option(place: Place) -> None:
    assert "name a project with -p" in place.run("status", "show", "flywheel").err


def test_an_unknown_ref_is_refused_with_the_nearest(place: Place) -> None:
    ran = place.run("show", "flywheel/EXP-0001")
    assert (ran.code, "`flywheel/EXP-001`" in ran.err) == (3, True)


def test_a_broken_atom_is_found_by_its_file_name(place: Place) -> None:
    place.write("projects/flywheel/experiments/EXP-009.md", "---\nid: [\n---\nbroken\n")
    assert "broken" in place.ok("show", "flywheel/EXP-009")


def test_a_read_only_tree_can_be_read(place: Place) -> None:
    place.ok("list")
    spool = place.root / ".cortexfs/spool"
    shutil.rmtree(spool)
    spool.write_text("a file where the notes should lie")
    assert "Where it began" in place.ok("show", "flywheel/EXP-001")


def test_the_first_entities_of_an_atom_are_shown_below_it(place: Place) -> None:
    names = [f"src/{letter}.rs" for letter in "abcdefghijkl"]
    place.write(PATH, _atom("EXP-001", f"Changed {', '.join(names)}."))
    assert f"\nmentions: {', '.join(names[:10])} (+2 more)\n" in place.ok("show", "EXP-001")
    entities = _show(place, "EXP-001")["entities"]
    assert len(entities) == 12
    assert entities[0] == {"type": "file", "name": "src/a.rs"}
    assert "mentions:" not in place.ok("show", "EXP-002")
