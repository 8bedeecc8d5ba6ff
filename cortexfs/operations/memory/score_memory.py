"""How important a memory is: its reads, its relations, its type and its age."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.importance_score import compute_importance
from cortexfs.operations.shared.load_memories import load_named_memory

if TYPE_CHECKING:
    from cortexfs.core.memory.importance_score import MemoryScore
    from cortexfs.session.session import Session


def score_memory(session: Session, typed: str) -> MemoryScore:
    """Return the score of a memory, from 0 to 5; all reads up to now count.

    Raises `NoSuchAtom`.
    """
    if session.tree.spool.count_waiting() and session.tree.is_writable():
        session.drain_spool()
    with session.read() as view:
        record = load_named_memory(view, typed)
        reads = view.queries.count_reads_of_file(record.path)
        return compute_importance(
            record.type,
            record.created,
            reads.read_count,
            reads.last_read,
            view.memories.count_incoming(record.number),
            view.clock(),
        )._replace(number=record.number)
