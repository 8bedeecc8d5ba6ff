"""Relations are kept in the file, walked by distance, and never through what was deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from place import build_tree
from tree_strategies import open_session

from cortexfs.errors import NoSuchAtom, Refused
from cortexfs.operations.memory.delete_memory import delete_memory
from cortexfs.operations.memory.relate_memories import relate_memories
from cortexfs.operations.memory.related_memories import related_memories
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.score_memory import score_memory
from cortexfs.operations.shared.memory_types import MemoryDraft

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

    from cortexfs.session.session import Session


def build_chain(place: Place) -> None:
    """Save four memories: 4 follows 1, 1 follows 3, 3 follows 2."""
    build_tree(place)
    with open_session(place.root) as session:
        for number in range(1, 5):
            draft = MemoryDraft(f"Fact {number}", f"fact {number}", project="flywheel")
            save_memory(session, draft)
        for source, target in ((4, 1), (1, 3), (3, 2)):
            relate_memories(session, str(source), str(target), "follows")


@pytest.fixture
def tree(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", build_chain)


@pytest.fixture
def chain(session: Session) -> Session:
    """Open the tree with the four memories."""
    return session


def walk(session: Session, typed: str, depth: int) -> list[tuple[int, int]]:
    return [(each.record.number, each.distance) for each in related_memories(session, typed, depth)]


def test_relations_lead_both_ways_and_the_nearest_come_first(chain: Session) -> None:
    assert walk(chain, "4", 10) == [(1, 1), (3, 2), (2, 3)]
    assert walk(chain, "OBS-002", 2) == [(3, 1), (1, 2)]
    assert walk(chain, "flywheel/OBS-001", 1) == [(3, 1), (4, 1)]


def test_a_deleted_memory_is_neither_shown_nor_walked_through(chain: Session) -> None:
    delete_memory(chain, "1")
    assert walk(chain, "4", 10) == []


@pytest.mark.parametrize("depth", [0, -1, 11])
def test_a_depth_out_of_range_is_refused(chain: Session, depth: int) -> None:
    with pytest.raises(Refused, match="depth must be between 1 and 10"):
        related_memories(chain, "1", depth)


def test_a_relation_stands_in_the_file_once(tree: Place, chain: Session) -> None:
    for weight in (0, 2.5):
        relate_memories(chain, "4", "1", "follows", weight)
    text = tree.read("projects/flywheel/observations/OBS-004.md")
    assert "relations: [follows flywheel/OBS-001 2.5]\n" in text
    assert tree.run("check").code == 0


def test_supersedes_marks_the_older_memory(tree: Place, chain: Session) -> None:
    relate_memories(chain, "4", "2", "supersedes")
    assert "status: superseded:flywheel/OBS-004" in tree.read(
        "projects/flywheel/observations/OBS-002.md"
    )
    assert tree.run("check").code == 0


@pytest.mark.parametrize(
    ("source", "target", "kind", "weight"),
    [("1", "1", "follows", 1), ("1", "2", "loves", 1), ("1", "2", "follows", 11)],
)
def test_an_impossible_relation_is_refused(
    chain: Session, source: str, target: str, kind: str, weight: float
) -> None:
    with pytest.raises(Refused):
        relate_memories(chain, source, target, kind, weight)


@pytest.mark.parametrize("typed", ["99", "EXP-001", "orchard/OBS-001", "", "x" * 10_000, "1e3"])
def test_an_unknown_memory_is_an_error(chain: Session, typed: str) -> None:
    with pytest.raises(NoSuchAtom):
        relate_memories(chain, typed, "2", "follows")


def test_relations_to_a_memory_raise_its_score(chain: Session) -> None:
    before = score_memory(chain, "2").total
    relate_memories(chain, "1", "2", "references")
    assert score_memory(chain, "2").total == pytest.approx(before + 0.2)
