"""A changed memory keeps its number, its reads and all that names it, wherever it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.operations.memory.delete_memory import delete_memory
from cortexfs.operations.memory.read_memory import read_memory
from cortexfs.operations.memory.relate_memories import relate_memories
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.score_memory import score_memory
from cortexfs.operations.memory.update_memory import update_memory
from cortexfs.operations.shared.memory_types import MemoryChanges, MemoryDraft

if TYPE_CHECKING:
    from place import Place

    from cortexfs.session.session import Session

FIRST = "projects/flywheel/observations/OBS-001.md"
BACKUPS = ".cortexfs/replaced"


@pytest.fixture
def two(tree: Place, session: Session) -> Session:  # noqa: ARG001 - the session is on the tree
    """Save two memories; the second names the first, and follows it."""
    save_memory(session, MemoryDraft("First", "the first fact", project="flywheel"))
    save_memory(session, MemoryDraft("Second", "see OBS-001", project="flywheel"))
    relate_memories(session, "2", "1", "follows")
    return session


def test_only_what_was_given_changes(tree: Place, two: Session) -> None:
    before = tree.read(FIRST)
    update_memory(two, "1", MemoryChanges(title="Other"))
    assert tree.read(FIRST) == before.replace('"First"', '"Other"').replace(
        "revision: 1", "revision: 2"
    )


def test_a_memory_that_moves_keeps_its_reads_and_what_names_it(tree: Place, two: Session) -> None:
    read_memory(two, "1", session_id="s")
    assert score_memory(two, "1").reads == 1
    moved = update_memory(two, "1", MemoryChanges(project="Orchard"))
    assert (moved.ref, moved.number) == ("orchard/OBS-001", 1)
    second = tree.read("projects/flywheel/observations/OBS-002.md")
    assert "[follows orchard/OBS-001]" in second
    assert "see orchard/OBS-001" in second
    score = score_memory(two, "1")
    assert (score.reads, score.edge_bonus) == (1, 0.2)
    assert tree.run("check").code == 0


def test_a_memory_that_becomes_personal_leaves_no_copy(tree: Place, two: Session) -> None:
    moved = update_memory(two, "1", MemoryChanges(scope="personal"))
    assert (moved.path, moved.project) == ("user/observations/OBS-001.md", "flywheel")
    update_memory(two, "1", MemoryChanges(title="Mine", content="the first fact\nand more"))
    assert tree.run("check").code == 0
    tree.ok("rename", "OBS-001", "OBS-009")
    assert tree.read("user/observations/OBS-009.md").endswith("the first fact\nand more\n")
    assert not (tree.root / BACKUPS).exists()


def test_the_replaced_text_of_a_personal_memory_is_copied_and_an_erased_one_is_not(
    tree: Place, session: Session
) -> None:
    save_memory(session, MemoryDraft("Mine", "the old words", scope="personal"))
    update_memory(session, "1", MemoryChanges(content="new"))
    (copy,) = (tree.root / BACKUPS).iterdir()
    assert "the old words" in copy.read_text()
    delete_memory(session, "1", hard=True)
    assert list((tree.root / BACKUPS).iterdir()) == [copy]


def test_of_a_removed_personal_memory_only_the_copy_is_named(tree: Place, session: Session) -> None:
    save_memory(session, MemoryDraft("Mine", "the words", scope="personal"))
    ran = tree.run("rm", "OBS-001", "--force")
    assert (ran.code, ran.out) == (0, "removed OBS-001\n")
    assert "backup of the previous text: .cortexfs/replaced/" in ran.err


def test_of_two_memories_with_one_number_after_a_merge_one_is_renumbered(
    tree: Place, two: Session
) -> None:
    two.close()
    text = tree.read(FIRST).replace("project: flywheel", "project: orchard")
    other = "projects/orchard/observations/OBS-001.md"
    tree.write(other, text)
    found = tree.run("check")
    assert (found.code, "`OBS-001` is also the id of" in found.out) == (1, True)
    assert tree.ok("renumber", other).startswith("orchard/OBS-003\t")
    assert "see OBS-001" in tree.read("projects/flywheel/observations/OBS-002.md")
    assert tree.run("check").code == 0


def test_a_bare_number_names_a_memory_of_any_project(tree: Place, two: Session) -> None:
    save_memory(two, MemoryDraft("Third", "as OBS-001 says", project="orchard"))
    assert tree.run("check").code == 0
