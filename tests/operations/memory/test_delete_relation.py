"""A relation is deleted by its number; everything else in the file stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.core.memory.relations import make_edge_id
from cortexfs.errors import NoSuchRelation
from cortexfs.operations.memory.delete_relation import delete_relation
from cortexfs.operations.memory.relate_memories import relate_memories
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.shared.memory_types import MemoryDraft

if TYPE_CHECKING:
    from place import Place

    from cortexfs.session.session import Session


def test_one_relation_goes_and_the_others_stay(tree: Place, session: Session) -> None:
    for number in range(1, 4):
        save_memory(session, MemoryDraft(f"Fact {number}", f"fact {number}", project="flywheel"))
    first = relate_memories(session, "1", "2", "follows")
    relate_memories(session, "1", "3", "references", 0.5)
    gone = delete_relation(session, first.edge_id)
    assert (gone.from_number, gone.to_number, gone.relation) == (1, 2, first.relation)
    text = tree.read("projects/flywheel/observations/OBS-001.md")
    assert "references flywheel/OBS-003 0.5" in text
    assert "OBS-002" not in text


@pytest.mark.parametrize("edge_id", [0, -1, 1, make_edge_id(1, 9, "follows"), 10**40])
def test_a_relation_that_nothing_has_is_refused(session: Session, edge_id: int) -> None:
    save_memory(session, MemoryDraft("Fact", "fact", project="flywheel"))
    with pytest.raises(NoSuchRelation):
        delete_relation(session, edge_id)
