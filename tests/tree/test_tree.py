from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.atom import FileText
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.changes.plan import Append, Remove, Write
from cortexfs.errors import AtomChanged, NoTree
from cortexfs.tree.tree import Tree
from cortexfs.tree.write_files import append_lines, remove_drafts, write_files

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

ATOM = "projects/p/experiments/EXP-001.md"
OTHER = "projects/p/experiments/EXP-002.md"
LOG = "projects/p/_meta/access-log.jsonl"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "projects").mkdir()
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    return tmp_path


@pytest.fixture
def opened_tree(root: Path) -> Tree:
    return Tree.open(str(root))


def read_all(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def test_a_folder_without_cortex_md_and_projects_is_not_a_tree(tmp_path: Path) -> None:
    with pytest.raises(NoTree):
        Tree.open(str(tmp_path))
    with pytest.raises(NoTree):
        Tree.open(str(tmp_path / "nowhere"))


def test_a_plan_with_an_unexpected_text_writes_nothing(opened_tree: Tree, root: Path) -> None:
    write_files(opened_tree.root, [Write(ATOM, "one\n")])
    before = read_all(root)
    for expected in ("another\n", "one", None):
        with pytest.raises(AtomChanged):
            write_files(opened_tree.root, [Write(OTHER, "new\n"), Write(ATOM, "two\n", expected)])
        assert read_all(root) == before
    with pytest.raises(AtomChanged):
        write_files(opened_tree.root, [Write(OTHER, "two\n", "was never there\n")])
    assert read_all(root) == before


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=30), min_size=1))
def test_a_written_text_is_read_back_byte_for_byte(
    tmp_path_factory: pytest.TempPathFactory, texts: list[str]
) -> None:
    root = tmp_path_factory.mktemp("tree")
    tree, before = Tree(str(root)), None
    for text in texts:
        write_files(tree.root, [Write(ATOM, text, before)])
        assert (root / ATOM).read_bytes() == text.encode()
        assert tree.read_text_or_flaw(ATOM) == FileText(ATOM, text)
        assert tree.read_text_lossy(ATOM) == text
        before = text


def test_appending_creates_the_log_and_its_folder(opened_tree: Tree, root: Path) -> None:
    append_lines(opened_tree.root, Append(LOG, ("one\n", "two\n")))
    append_lines(opened_tree.root, Append(LOG, ("three\n",)))
    assert (root / LOG).read_bytes() == b"one\ntwo\nthree\n"


FLAW_OF = {
    "folder": "not-a-file",
    "pipe": "not-a-file",
    "link": "symlink",
    "dangling link": "symlink",
    "latin-1": "not-utf8",
    "large": "file-too-large",
}


@pytest.mark.parametrize("what", FLAW_OF)
def test_an_unreadable_file_is_a_flaw_at_once(opened_tree: Tree, root: Path, what: str) -> None:
    path = root / ATOM
    path.parent.mkdir(parents=True)
    match what:
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "link":
            path.symlink_to(root / "CORTEX.md")
        case "dangling link":
            path.symlink_to("nowhere")
        case "latin-1":
            path.write_bytes("one\ntwo\nthr\u00ebe\n".encode("latin-1"))
        case "large":
            with path.open("wb") as large:
                large.truncate(17 << 20)
    flaw = opened_tree.read_text_or_flaw(ATOM)
    assert getattr(flaw, "code", "") == FLAW_OF[what]
    assert getattr(flaw, "line", 0) == (3 if what == "latin-1" else 1)
    assert opened_tree.is_file(ATOM) == (what in {"latin-1", "large"})


def test_an_atom_that_is_not_a_file_hangs_no_command(tree: Place) -> None:
    tree.ok("new", "experiment", "-s", "The good one", "-t", "x")
    folder = tree.root / "projects/flywheel/experiments"
    os.mkfifo(folder / "EXP-002.md")
    (folder / "EXP-003.md").mkdir()
    (folder / "EXP-004.md").symlink_to("/dev/zero")
    (folder / "EXP-005.md").symlink_to("nowhere")
    tree.ok("index", "regen", "--all")
    index = tree.read("projects/flywheel/experiments/index.md")
    assert "## Active (1 entries)" in index
    assert "## Unreadable (4 files)" in index
    assert "EXP-006" in tree.ok("new", "experiment", "-s", "The next", "-t", "x")
    found = tree.run("check")
    assert found.code == 1, found
    assert all(f"EXP-00{number}.md" in found.out for number in range(2, 6)), found


def test_an_unreadable_folder_stops_no_other_read_of_a_batch(opened_tree: Tree, root: Path) -> None:
    for path in (ATOM, OTHER):
        write_files(opened_tree.root, [Write(path, f"{path}\n")])
    (root / "linked").symlink_to(root / "projects")
    with opened_tree.open_batch_reader() as read:
        for missing in ("linked/x.md", "nowhere/x.md"):
            assert read(ATOM) == FileText(ATOM, f"{ATOM}\n")
            assert not isinstance(read(missing), FileText)
            assert read(OTHER) == FileText(OTHER, f"{OTHER}\n")


def test_removing_a_missing_file_changes_nothing_and_empty_folders_are_removed(
    opened_tree: Tree, root: Path
) -> None:
    before = read_all(root)
    assert write_files(opened_tree.root, [], [Remove(f"{ATOM}/deeper.md", None)]) == {}
    assert read_all(root) == before
    write_files(opened_tree.root, [Write(ATOM, "x")])
    write_files(opened_tree.root, [], [Remove(ATOM, "x")])
    assert read_all(root) == before
    assert not (root / "projects/p").exists()


def test_hidden_and_linked_folders_are_not_projects(opened_tree: Tree, root: Path) -> None:
    for name in ("b", "a", ".hidden"):
        (root / "projects" / name).mkdir()
    (root / "projects" / "link").symlink_to("a")
    (root / "projects" / "file").write_text("")
    assert opened_tree.list_projects() == ["a", "b"]
    assert opened_tree.list_names("projects/none") == []
    assert opened_tree.list_names("projects/link") == []


def test_stamps_cover_atoms_indexes_logs_and_settings_only(opened_tree: Tree, root: Path) -> None:
    stamped = [ATOM, LOG, "projects/p/knowledge/K-001.md", "projects/p/knowledge/index.md"]
    stamped += ["projects/p/_meta/access-log.2026-03.jsonl", "ideas/IDEA-001.md", "cortexfs.yaml"]
    ignored = ["projects/p/mission.md", "projects/p/knowledge/.hidden.md", "projects/p/_meta/x.txt"]
    ignored += ["projects/p/knowledge/_draft.md", "projects/p/knowledge/CORTEX.md"]
    for path in (*stamped, *ignored):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x")
    stamps = opened_tree.stamp_files(Kinds())
    assert sorted(stamps) == sorted(stamped)
    (root / ATOM).write_text("xy")
    assert stamps[ATOM] != opened_tree.stamp_file(ATOM)
    assert stamps[LOG] == opened_tree.stamp_file(LOG)


def test_drafts_are_removed_only_from_the_given_folders(root: Path) -> None:
    for place in ("a", "b"):
        (root / "projects" / place).mkdir()
        (root / "projects" / place / ".cortexfs-draft.1.x").write_text("half")
        (root / "projects" / place / "mission.md").write_text("whole")
    remove_drafts(str(root), ["projects/a", "projects/none", "CORTEX.md", "../outside"])
    assert [path.parent.name for path in root.rglob(".cortexfs-draft*")] == ["b"]
    assert len(list(root.rglob("mission.md"))) == 2
