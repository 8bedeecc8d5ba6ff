"""Walk over the relations of a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.errors import Refused
from cortexfs.operations.shared.load_memories import (
    load_memory_file,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import RelatedMemory

if TYPE_CHECKING:
    from cortexfs.session.session import Session

DEPTH_RANGE = (1, 10)
MAX_RELATED = 200
"""Maximum number of related memories that are returned."""


def related_memories(session: Session, typed: str, depth: int = 1) -> list[RelatedMemory]:
    """Return the memories that relations in both directions reach, nearest first.

    Deleted memories are left out, and what only they lead to. Raises `NoSuchAtom`, and `Refused`
    for a depth outside 1 to 10.
    """
    least, most = DEPTH_RANGE
    if not least <= depth <= most:
        raise Refused(f"depth must be between {least} and {most}")
    with session.read() as view:
        start = resolve_memory(view, typed).number
        found: dict[int, RelatedMemory] = {}
        frontier = {start}
        for distance in range(1, depth + 1):
            edges = view.memories.list_edges(sorted(frontier))
            near = {number for each in edges for number in (each.source, each.target)}
            frontier = set()
            for number in sorted(near - found.keys() - {start})[: MAX_RELATED - len(found)]:
                row = view.memories.find_number(OBSERVATION_KIND, number)
                record = load_memory_file(view, row.path) if row else None
                if record and not record.deleted_at:
                    found[number] = RelatedMemory(record, distance)
                    frontier.add(number)
            if not frontier:
                break
        return list(found.values())
