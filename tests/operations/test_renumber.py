"""`renumber` after the merge of two clones that both made an atom with the same id."""

from __future__ import annotations

import json
import shutil
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest
from place import Place, build_tree
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree

EXPERIMENTS = "projects/flywheel/experiments"
FIRST = f"{EXPERIMENTS}/EXP-001.md"
SECOND = f"{EXPERIMENTS}/EXP-001-theirs.md"
NEW = f"{EXPERIMENTS}/EXP-002.md"
LOG = "projects/flywheel/_meta/access-log.jsonl"
NOTES = "projects/flywheel/notes.md"


class Clones(NamedTuple):
    """Two clones of one tree, in which nothing is common but the beginning."""

    ours: Place
    theirs: Place


def _commit(place: Place, message: str) -> str:
    place.git("add", "-A")
    place.git("commit", "-qm", message)
    return place.git("rev-parse", "HEAD").strip()


def _create(place: Place, summary: str, *tags: str) -> None:
    words = [word for tag in ("spin", *tags) for word in ("-t", tag)]
    place.ok("new", "experiment", "-p", "flywheel", "-s", summary, *words)


def _append(place: Place, path: str, text: str) -> None:
    place.write(path, (place.read(path) if (place.root / path).exists() else "") + text)


def _merge(clones: Clones, *, kept: str = FIRST, other: str = SECOND) -> Place:
    """Merge theirs into ours; their atom of the same path gets another file name."""
    ours, theirs = clones
    ours.git("fetch", "-q", str(theirs.root), "HEAD")
    subprocess.run(
        ["git", "merge", "-q", "FETCH_HEAD"], cwd=ours.root, capture_output=True, check=False
    )
    ours.git("checkout", "--ours", "--", ".") if _is_unmerged(ours) else None
    ours.write(kept, ours.git("show", f"HEAD:{FIRST}"))
    ours.write(other, ours.git("show", f"FETCH_HEAD:{FIRST}"))
    ours.ok("index", "regen", "--all", "--no-commit")
    _commit(ours, "merge")
    return ours


def _is_unmerged(place: Place) -> bool:
    return bool(place.git("ls-files", "--unmerged"))


@pytest.fixture
def clones(tmp_path: Path, copy_tree: CopyTree) -> Clones:
    """Both have a file of notes with ten lines, and then each makes EXP-001."""
    both = copy_tree(tmp_path / "clones", _build_clones).root
    return Clones(Place(both / "ours"), Place(both / "theirs"))


def _build_clones(both: Place) -> None:
    both.root.mkdir()
    ours, theirs = Place(both.root / "ours"), Place(both.root / "theirs")
    build_tree(ours)
    _append(ours, NOTES, "".join(f"line {number}\n" for number in range(10)))
    _commit(ours, "notes")
    shutil.copytree(ours.root, theirs.root)
    _create(ours, "Ours spins")
    _create(theirs, "Theirs spins")


def _insert(place: Place, line: int, text: str) -> None:
    lines = place.read(NOTES).splitlines(keepends=True)
    place.write(NOTES, "".join([*lines[:line], f"{text}\n", *lines[line:]]))


def _note_on_both_sides(clones: Clones) -> None:
    _insert(clones.ours, 1, "our EXP-001")
    _commit(clones.ours, "our note")
    _insert(clones.theirs, 9, "their EXP-001, [[EXP-001]] and flywheel/EXP-001")
    _commit(clones.theirs, "their note")


def _lines(place: Place, path: str) -> list[str]:
    return [line for line in place.read(path).splitlines() if "EXP-00" in line]


def test_a_ref_of_the_side_that_made_the_atom_is_rewritten(clones: Clones) -> None:
    _note_on_both_sides(clones)
    ours = _merge(clones)
    ran = ours.run("renumber", SECOND)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == [f"flywheel/EXP-002\t{NEW}", NOTES]
    assert _lines(ours, NOTES) == [
        "our EXP-001",
        "their EXP-002, [[EXP-002]] and flywheel/EXP-002",
    ]


def test_the_atom_that_kept_its_path_can_be_renumbered_as_well(clones: Clones) -> None:
    _note_on_both_sides(clones)
    ours = _merge(clones)
    assert ours.run("renumber", FIRST).err == ""
    assert _lines(ours, NOTES) == [
        "our EXP-002",
        "their EXP-001, [[EXP-001]] and flywheel/EXP-001",
    ]
    assert "Ours spins" in ours.read(NEW)


def test_a_ref_from_after_the_merge_or_uncommitted_is_reported_and_kept(clones: Clones) -> None:
    _note_on_both_sides(clones)
    ours = _merge(clones)
    _insert(ours, 4, "later EXP-001")
    _commit(ours, "later")
    _insert(ours, 7, "uncommitted EXP-001")
    ran = ours.run("renumber", SECOND)
    assert ran.err.splitlines()[:2] == [
        f"{NOTES}:5: may refer to either atom; check it",
        f"{NOTES}:8: may refer to either atom; check it",
    ]
    assert _lines(ours, NOTES) == [
        "our EXP-001",
        "later EXP-001",
        "uncommitted EXP-001",
        "their EXP-002, [[EXP-002]] and flywheel/EXP-002",
    ]


def test_a_ref_in_the_fields_of_an_atom_is_rewritten_and_the_index_follows(
    clones: Clones,
) -> None:
    words = ("new", "knowledge", "-p", "flywheel", "-s", "It spins", "-t", "spin")
    path = clones.theirs.ok(*words, "--evidence", "EXP-001").split()[1]
    text = clones.theirs.read(path)
    assert "evidence: [EXP-001]\n" in text
    ours = _merge(clones)
    assert ours.run("renumber", SECOND).err == ""
    assert ours.read(path) == text.replace("EXP-001", "EXP-002")
    index = ours.read(f"{EXPERIMENTS}/index.md").splitlines()
    rows = {ident: line for line in index for ident in ("EXP-001", "EXP-002") if ident in line}
    assert ("Ours spins" in rows["EXP-001"], "Theirs spins" in rows["EXP-002"]) == (True, True)
    findings = json.loads(ours.run("check", "--json").out)["findings"]
    assert [one for one in findings if one["severity"] == "error"] == []


def test_a_ref_of_an_atom_to_its_own_id_means_itself(clones: Clones) -> None:
    _append(clones.ours, FIRST, "\nEXP-001 is mine.\n")
    ours = _merge(clones)
    _append(ours, SECOND, "\nEXP-001 and [[EXP-001]] are this one.\n")
    _append(ours, FIRST, "\nEXP-001 again.\n")
    before = ours.read(FIRST)
    assert "either" not in ours.run("renumber", SECOND).err
    assert ours.read(NEW).endswith("\nEXP-002 and [[EXP-002]] are this one.\n")
    assert ours.read(FIRST) == before


def test_a_link_to_the_file_is_rewritten_if_its_side_decides(clones: Clones) -> None:
    _insert(clones.ours, 1, "see [ours](experiments/EXP-001.md)")
    _commit(clones.ours, "our link")
    ours = _merge(clones)
    _insert(ours, 5, "see [either](experiments/EXP-001.md)")
    _commit(ours, "later link")
    ran = ours.run("renumber", FIRST)
    assert ran.err.splitlines() == [f"{NOTES}:6: may refer to either atom; check it"]
    assert _lines(ours, NOTES) == [
        "see [ours](experiments/EXP-002.md)",
        "see [either](experiments/EXP-001.md)",
    ]


def test_a_wiki_link_by_the_file_name_that_only_one_has_is_rewritten(clones: Clones) -> None:
    ours = _merge(clones)
    _insert(ours, 1, "[[EXP-001-theirs]], not [[EXP-001]]")
    _insert(ours, 5, f"the file {SECOND}")
    _commit(ours, "by file name")
    ran = ours.run("renumber", SECOND)
    assert [line.partition(": ")[0] for line in ran.err.splitlines()] == [
        f"{NOTES}:2",
        f"{NOTES}:6",
    ]
    assert _lines(ours, NOTES) == ["[[EXP-002]], not [[EXP-001]]", f"the file {SECOND}"]


def test_the_reads_of_the_other_atom_stay(clones: Clones) -> None:
    ours = _merge(clones)
    line = '{{"ts":"2026-05-06T20:31:10Z","file":"{}"}}\n'
    ours.write(LOG, line.format("EXP-001.md") + line.format("EXP-001-theirs.md"))
    _commit(ours, "reads")
    ours.ok("renumber", SECOND)
    assert ours.read(LOG) == line.format("EXP-001.md") + line.format("EXP-002.md")


def test_a_changed_summary_leaves_the_atom_at_its_path(clones: Clones) -> None:
    _note_on_both_sides(clones)
    clones.ours.write(FIRST, clones.ours.read(FIRST).replace("Ours spins", "Ours spins faster"))
    _commit(clones.ours, "faster")
    ours = _merge(clones)
    assert ours.run("renumber", SECOND).err == ""
    assert _lines(ours, NOTES)[0] == "our EXP-001"


@pytest.mark.parametrize("renumbered", leave_to_soak([FIRST, SECOND], every=2))
def test_an_atom_that_nothing_identifies_leaves_every_ref_as_it_is(
    clones: Clones, renumbered: str
) -> None:
    _note_on_both_sides(clones)
    for place in clones:
        lines = place.read(FIRST).splitlines(keepends=True)
        changed = [line for line in lines if not line.startswith(("summary:", "date:"))]
        place.write(FIRST, "".join([*changed, "\n"]))
        _commit(place, "bare")
    ours = _merge(clones)
    before = ours.read(NOTES)
    assert ours.run("renumber", renumbered).err.count(f"{NOTES}:") == 2
    assert ours.read(NOTES) == before


def test_a_dry_run_shows_the_lines_and_undo_brings_every_byte_back(clones: Clones) -> None:
    _note_on_both_sides(clones)
    ours = _merge(clones)
    head, names = (
        ours.git("rev-parse", "HEAD").strip(),
        (NOTES, FIRST, SECOND, f"{EXPERIMENTS}/index.md"),
    )
    before = [ours.read(name) for name in names]
    shown = ours.ok("renumber", SECOND, "--dry-run")
    assert "+their EXP-002, [[EXP-002]] and flywheel/EXP-002\n" in shown
    assert ours.git("rev-parse", "HEAD").strip() == head
    ours.ok("renumber", SECOND)
    assert ours.git("rev-list", "--count", f"{head}..HEAD").strip() == "1"
    assert ours.git("status", "--porcelain") == ""
    ours.ok("undo")
    assert [ours.read(name) for name in names] == before


def test_a_copy_has_none_of_the_refs_from_before_it(clones: Clones) -> None:
    _insert(clones.ours, 1, "our EXP-001")
    _commit(clones.ours, "our note")
    clones.ours.write(SECOND, clones.ours.read(FIRST))
    _commit(clones.ours, "a copy")
    assert clones.ours.run("renumber", SECOND).err == ""
    assert _lines(clones.ours, NOTES) == ["our EXP-001"]


def test_refs_to_a_removed_atom_with_the_same_id_stay(clones: Clones) -> None:
    ours = clones.ours
    ours.git("rm", "-q", FIRST)
    _insert(ours, 1, "the removed EXP-001")
    _commit(ours, "removed")
    _create(ours, "Ours spins again")
    _note_on_both_sides(clones)
    ours = _merge(clones)
    assert f"{NOTES}:3: may refer to either" in ours.run("renumber", FIRST, "--dry-run").err
    ran = ours.run("renumber", SECOND)
    assert "the removed EXP-001" in _lines(ours, NOTES)
    assert f"{NOTES}:3: may refer to either" in ran.err


def test_an_unreadable_history_decides_nothing(clones: Clones) -> None:
    _note_on_both_sides(clones)
    ours = _merge(clones)
    their_note = ours.git("log", "--format=%H", "-1", "--grep=their note").strip()
    (ours.root / f".git/objects/{their_note[:2]}/{their_note[2:]}").unlink()
    ran = ours.run("renumber", SECOND, "--no-commit")
    assert (ran.code, ran.err.count(f"{NOTES}:")) == (0, 2)
