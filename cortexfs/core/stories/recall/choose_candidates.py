"""The chunks that are compared message by message: of a long story the likeliest ones."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

from cortexfs.core.stories.recall.emotional_context import resonate

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from cortexfs.core.stories.recall.chunk_memory import ChunkMemory

ALL_CHUNKS = 128
"""Chunks up to which all are candidates."""
PER_LIMIT = 2
"""Candidates of each sort for each memory that is sought: the most salient, the last, …"""


def choose_candidates(
    chunks: Sequence[ChunkMemory], matching: Sequence[str], called: Collection[str], limit: int
) -> list[str]:
    """Return the refs of the candidates: what matches, what is salient, recent or of the mood."""
    if len(chunks) <= ALL_CHUNKS:
        return [chunk.ref for chunk in chunks]
    count = PER_LIMIT * limit
    salient = nsmallest(count, [(-each.salience, each.ref) for each in chunks])
    moods = {each: resonate(called, each) for each in {chunk.emotions for chunk in chunks}}
    moody = nsmallest(count, [(-moods[each.emotions], -each.salience, each.ref) for each in chunks])
    last = [chunk.ref for chunk in chunks[-count:]]
    others = [*(ref for *_, ref in salient), *last, *(ref for *_, ref in moody)]
    return list(dict.fromkeys([*matching, *others]))
