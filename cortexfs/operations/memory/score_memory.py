"""How important a memory is: its reads, its relations, its type and its age."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.importance_score import MemoryScore, compute_importance
from cortexfs.operations.memory.load_records import require_memory, resolve_memory

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class ScoredMemory(NamedTuple):
    """A memory, its score from 0 to 5, its reads, and the time of the last (UTC; or empty)."""

    record: MemoryRecord
    score: MemoryScore
    reads: int
    last_read: str


def score_memory(session: Session, typed: str) -> ScoredMemory:
    """Return the score of a memory; all reads up to now count. Raises `NoSuchAtom`."""
    with session.read(drain=True) as view:
        return score_in_view(view, typed)


def score_in_view(view: View, typed: str) -> ScoredMemory:
    """Return the score of a memory in a view."""
    row = resolve_memory(view, typed)
    record = require_memory(view, typed)
    reads = view.queries.count_reads_of_file(row.path)
    score = compute_importance(
        record.type,
        record.created,
        reads.read_count,
        reads.last_read,
        view.memories.count_incoming(row.number),
        view.clock(),
    )
    return ScoredMemory(record, score, reads.read_count, reads.last_read)
