"""`undo` reverts the last change made through cortexfs, and nothing else."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.core.access import plan_drain
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES, IGNORE_BULLETIN_MESSAGE
from cortexfs.history.find_repository import find_repository
from cortexfs.operations import regenerate_indexes

if TYPE_CHECKING:
    from place import Place

EXPERIMENTS = "projects/flywheel/experiments"
ATOM = f"{EXPERIMENTS}/EXP-001.md"

Photo = dict[str, bytes | None]


def photograph(place: Place) -> Photo:
    """Return every file with its bytes, and every folder."""
    return {
        str(path.relative_to(place.root)): path.read_bytes() if path.is_file() else None
        for path in place.root.rglob("*")
        if not {".git", ".cortexfs"} & set(path.relative_to(place.root).parts)
    }


def create_atom(place: Place, *more: str) -> str:
    words = ("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "speed")
    return place.ok(*words, *more).split("\t")[0]


def subjects(place: Place, count: int = 1) -> list[str]:
    return place.git("log", f"-{count}", "--format=%s").splitlines()


def test_undo_restores_the_previous_bytes_in_one_commit(tree: Place) -> None:
    before, head = photograph(tree), tree.git("rev-parse", "HEAD")
    create_atom(tree)
    output = tree.ok("undo")
    assert photograph(tree) == before
    assert output.splitlines()[0] == "undo: new experiment flywheel/EXP-001: Spin"
    assert ATOM in output.splitlines()
    assert tree.git("rev-parse", "HEAD~2") == head
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("diff", "HEAD~2", "--stat") == ""


def test_undo_of_many_files_names_ten_and_counts_the_others(tree: Place) -> None:
    for number in range(12):
        path = f"{EXPERIMENTS}/EXP-{number + 1:03}.md"
        tree.write(path, f"---\nid: EXP-{number + 1:03}\ndate: 2026-05-01\n---\n")
    tree.ok("commit", "-m", "twelve")
    ran = tree.run("undo")
    paths = json.loads(tree.ok("redo", "--json"))["undone"][0]["paths"]
    _, *shown, rest = ran.out.splitlines()
    assert set(shown) < set(paths)
    assert (len(shown), rest) == (10, f"and {len(paths) - 10} more files")


def test_undo_and_redo_go_back_and_forth(tree: Place) -> None:
    photos = [photograph(tree)]
    for _ in range(3):
        create_atom(tree)
        photos.append(photograph(tree))
    at = 3
    for word in ("undo", "undo", "redo", "undo", "undo", "redo", "redo", "redo"):
        tree.ok(word)
        at += 1 if word == "redo" else -1
        assert photograph(tree) == photos[at]
    assert tree.run("redo").code == 3
    assert subjects(tree) == ["redo: new experiment flywheel/EXP-003: Spin"]


def test_several_changes_are_undone_newest_first_and_redone_one_by_one(tree: Place) -> None:
    states = [photograph(tree)]
    create_atom(tree)
    states.append(photograph(tree))
    tree.ok("edit", "flywheel/EXP-001", "-s", "Turn")
    states.append(photograph(tree))
    create_atom(tree, "--link", "EXP-001")
    states.append(photograph(tree))
    assert tree.ok("undo", "-n", "3").splitlines()[:3] == [
        "undo: new experiment flywheel/EXP-002: Spin",
        "undo: edit flywheel/EXP-001: summary",
        "undo: new experiment flywheel/EXP-001: Spin",
    ]
    assert photograph(tree) == states[0]
    for at in (1, 2, 3):
        tree.ok("redo")
        assert photograph(tree) == states[at]


def test_several_changes_are_one_plan_in_a_dry_run_or_without_a_commit(tree: Place) -> None:
    before = photograph(tree)
    create_atom(tree)
    tree.ok("edit", "flywheel/EXP-001", "-s", "Turn")
    after, head = photograph(tree), tree.git("rev-parse", "HEAD")
    assert f"--- {ATOM}\n+++ /dev/null\n" in tree.ok("undo", "-n", "2", "--dry-run")
    assert photograph(tree) == after
    document = json.loads(tree.ok("undo", "-n", "2", "--no-commit", "--json"))
    assert [each["subject"] for each in document["undone"]] == [
        "edit flywheel/EXP-001: summary",
        "new experiment flywheel/EXP-001: Spin",
    ]
    assert (photograph(tree), tree.git("rev-parse", "HEAD")) == (before, head)


def test_if_one_of_several_changes_cannot_be_undone_none_is(tree: Place) -> None:
    create_atom(tree)
    create_atom(tree)
    tree.write(ATOM, tree.read(ATOM) + "mine\n")
    before, head = photograph(tree), tree.git("rev-parse", "HEAD")
    ran = tree.run("undo", "-n", "2")
    assert (ran.code, f"changed since: {ATOM}" in ran.err) == (3, True), ran
    ran = tree.run("undo", "-n", "99")
    assert (ran.code, "can be undone" in ran.err) == (3, True), ran
    assert tree.run("undo", "-n", "2", "HEAD").code == 2
    assert (photograph(tree), tree.git("rev-parse", "HEAD")) == (before, head)


def test_after_a_new_change_there_is_nothing_to_redo(tree: Place) -> None:
    create_atom(tree)
    tree.ok("undo")
    tree.ok("new", "idea", "-s", "Another", "-t", "a")
    ran = tree.run("redo")
    assert (ran.code, "nothing to redo" in ran.err) == (3, True)
    tree.ok("undo")
    assert tree.run("undo").code == 0  # the project that the tree began with
    assert not (tree.root / ATOM).exists()


def test_one_commit_is_undone_where_no_later_change_overlaps(tree: Place) -> None:
    create_atom(tree)
    first = tree.git("rev-parse", "HEAD").strip()
    tree.ok("new", "idea", "-s", "Another", "-t", "a")
    tree.ok("undo", first[:10])
    assert not (tree.root / ATOM).exists()
    assert "already undone" in tree.run("undo", first).err
    tree.ok("redo")
    tree.ok("edit", "flywheel/EXP-001", "-s", "Later")
    ran = tree.run("undo", first)
    assert (ran.code, ATOM in ran.err) == (3, True)
    tree.git("commit", "-q", "--allow-empty", "-m", "mine")
    assert "git revert" in tree.run("undo", "HEAD").err


def test_undo_of_a_new_project_removes_its_folders(tree: Place) -> None:
    before = photograph(tree)
    tree.ok("project", "new", "sundial", "--goal", "Know the time")
    tree.ok("undo")
    assert photograph(tree) == before
    assert "sundial" not in tree.ok("project", "list")


def test_undo_of_the_first_atom_of_a_kind_removes_its_folder(tree: Place) -> None:
    before = photograph(tree)
    words = ("new", "observation", "-p", "flywheel", "-s", "x", "-t", "t", "--set", "type=note")
    tree.ok(*words)
    tree.ok("undo")
    assert photograph(tree) == before


def test_a_folder_that_holds_something_else_stays(tree: Place) -> None:
    tree.ok("project", "new", "sundial", "--goal", "Know the time")
    tree.write("projects/sundial/notes.txt", "mine\n")
    tree.ok("undo")
    assert [path for path in photograph(tree) if path.startswith("projects/sundial/")] == [
        "projects/sundial/notes.txt"
    ]


def test_a_dry_run_shows_the_reverse_diff_and_touches_nothing(tree: Place) -> None:
    create_atom(tree)
    before, head = photograph(tree), tree.git("rev-parse", "HEAD")
    output = tree.ok("undo", "--dry-run")
    assert f"--- {ATOM}\n+++ /dev/null\n" in output
    plan = json.loads(tree.ok("undo", "--dry-run", "--json"))["plan"]
    assert plan["summary"] == "undo: new experiment flywheel/EXP-001: Spin"
    assert (photograph(tree), tree.git("rev-parse", "HEAD")) == (before, head)


def test_the_json_document_names_the_undone_commit(tree: Place) -> None:
    create_atom(tree)
    commit = tree.git("rev-parse", "HEAD").strip()
    document = json.loads(tree.ok("undo", "--json"))
    [undone] = document["undone"]
    assert undone["commit"] == commit
    assert undone["subject"] == "new experiment flywheel/EXP-001: Spin"
    assert ATOM in undone["paths"]
    assert document["commit"] == tree.git("rev-parse", "HEAD").strip()


def test_a_later_commit_by_hand_of_other_files_stays(tree: Place) -> None:
    create_atom(tree)
    tree.write("projects/flywheel/STATUS.md", "# By hand\n")
    tree.git("commit", "-qam", "mine")
    tree.ok("undo")
    assert tree.read("projects/flywheel/STATUS.md") == "# By hand\n"
    assert not (tree.root / ATOM).exists()


def test_uncommitted_changes_of_other_files_stay(tree: Place) -> None:
    create_atom(tree)
    tree.write("projects/flywheel/STATUS.md", "# Staged\n")
    tree.git("add", "projects/flywheel/STATUS.md")
    tree.write("projects/flywheel/roadmap.md", "# Edited\n")
    work = tree.git("status", "--porcelain")
    tree.ok("undo")
    assert tree.git("status", "--porcelain") == work


def test_undo_passes_over_housekeeping_commits(tree: Place) -> None:
    create_atom(tree)
    tree.ok("show", "EXP-001")
    tree.ok("index", "regen", "--all")
    assert subjects(tree, 2) == ["chore: regenerate indexes", "chore: update access log"]
    tree.ok("undo")
    assert not (tree.root / ATOM).exists()
    assert tree.run("index", "regen", "--all", "--check").code == 0


def test_every_housekeeping_message_is_recognized() -> None:
    assert {
        regenerate_indexes.COMMIT_MESSAGE,
        plan_drain.COMMIT_MESSAGE,
        "chore: rotate access log",
        IGNORE_BULLETIN_MESSAGE,
    } == HOUSEKEEPING_MESSAGES


def test_reads_counted_since_the_change_survive_undo(tree: Place) -> None:
    create_atom(tree)
    tree.write(ATOM, tree.read(ATOM).replace("tags:", "refs: 0\ntags:"))
    tree.ok("commit", "-m", "let it carry refs")
    tree.write(ATOM, tree.read(ATOM).replace("speed", "speed, torque"))
    tree.ok("commit", "-m", "another tag")
    tree.ok("show", "EXP-001")
    tree.ok("index", "regen", "--all")
    tree.ok("undo")
    assert "refs: 1\n" in tree.read(ATOM)
    assert "torque" not in tree.read(ATOM)
    assert "| 1 | 20" in tree.read(f"{EXPERIMENTS}/index.md")
    assert tree.run("index", "regen", "--all", "--check").code == 0


def test_an_index_with_the_same_rows_keeps_its_time(tree: Place) -> None:
    create_atom(tree)
    index = tree.read(f"{EXPERIMENTS}/index.md")
    words = ("new", "experiment", "-p", "flywheel", "-s", "Later", "-t", "t")
    tree.ok(*words, CORTEXFS_NOW="2026-12-01T00:00")
    tree.ok("undo")
    assert tree.read(f"{EXPERIMENTS}/index.md") == index


def test_the_id_of_an_undone_atom_is_used_again(tree: Place) -> None:
    assert create_atom(tree) == "flywheel/EXP-001"
    tree.ok("undo")
    assert create_atom(tree) == "flywheel/EXP-001"


def test_a_change_after_an_undo_is_the_next_to_be_undone(tree: Place) -> None:
    create_atom(tree)
    tree.ok("undo")
    before = photograph(tree)
    tree.ok("new", "experiment", "-p", "flywheel", "-s", "Otherwise", "-t", "t")
    tree.ok("undo")
    assert photograph(tree) == before


def test_undo_without_a_commit_changes_the_files_and_is_not_repeated(tree: Place) -> None:
    before = photograph(tree)
    create_atom(tree)
    tree.ok("undo", "--no-commit")
    assert photograph(tree) == before
    ran = tree.run("undo")
    assert (ran.code, "already undone" in ran.err) == (3, True)
    tree.ok("commit", "-m", "as it was")
    assert tree.git("status", "--porcelain") == ""


def test_undo_and_redo_of_an_edit_by_hand_restore_its_exact_bytes(tree: Place) -> None:
    create_atom(tree)
    text = tree.read(ATOM)
    tree.write(ATOM, text.replace("\n", "\r\n") + "no line end")
    tree.ok("commit", "-m", "by hand")
    by_hand = (tree.root / ATOM).read_bytes()
    tree.ok("undo")
    assert tree.read(ATOM) == text
    tree.ok("redo")
    assert (tree.root / ATOM).read_bytes() == by_hand


def test_an_undo_that_was_killed_is_completed_by_the_next(tree: Place) -> None:
    before = photograph(tree)
    page, other = "projects/flywheel/mission.md", "projects/flywheel/roadmap.md"
    for path in (page, other):
        tree.write(path, tree.read(path) + "\nMore.\n")
    tree.ok("commit", "-m", "more")
    after = photograph(tree)
    tree.ok("undo")
    whole = tree.git("log", "-1", "--format=%B")
    tree.git("reset", "-q", "--hard", "HEAD~1")
    assert photograph(tree) == after
    old = before[page]
    assert old is not None
    (tree.root / page).write_bytes(old)  # the only file that it came to
    history = find_repository(str(tree.root))
    assert history
    message = whole.rpartition("\nCortexfs-Change")[0]
    history.commit(message, [page], signed=True)
    assert subjects(tree, 2) == ["undo: more", "more"]
    for word, expected in (("undo", before), ("redo", after), ("undo", before)):
        tree.ok(word)
        assert photograph(tree) == expected
