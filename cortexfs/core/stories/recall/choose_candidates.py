"""The chunks that are compared message by message: of a long story the likeliest ones."""

from __future__ import annotations

from bisect import bisect_left
from heapq import merge
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.recall.emotional_context import resonate

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.stories.recall.chunk_memory import ChunkMemory

ALL_CHUNKS = 128
"""Chunks up to which all are candidates."""
PER_LIMIT = 2
"""Candidates of each sort for each memory that is sought: the most salient, the last, …"""


class SortedChunks(NamedTuple):
    """The chunks of a story in the order of their messages, and the most salient ones first.

    `by_emotions` has those with the same emotions, the most salient ones first. It is made once
    for many recalls.
    """

    chunks: Sequence[ChunkMemory]
    by_salience: Sequence[ChunkMemory]
    by_emotions: Mapping[tuple[str, ...], Sequence[ChunkMemory]]

    @classmethod
    def from_chunks(cls, chunks: Sequence[ChunkMemory]) -> SortedChunks:
        """Return some chunks that are in the order of their messages."""
        by_salience = sorted(chunks, key=_rate_salience)
        by_emotions: dict[tuple[str, ...], list[ChunkMemory]] = {}
        for chunk in by_salience:
            by_emotions.setdefault(chunk.emotions, []).append(chunk)
        return cls(chunks, by_salience, by_emotions)

    def list_past(self, visible_from: int) -> Sequence[ChunkMemory]:
        """Return the chunks that begin before a message."""
        return self.chunks[: bisect_left(self.chunks, visible_from, key=attrgetter("first"))]


def choose_candidates(
    story: SortedChunks,
    visible_from: int,
    matching: Iterable[str],
    called: Collection[str],
    limit: int,
) -> list[str]:
    """Return the refs of the candidates among the chunks that begin before what is visible.

    What matches is one, what is salient, recent or of the mood; of a short story everything.
    """
    past = story.list_past(visible_from)
    if len(past) <= ALL_CHUNKS:
        return [chunk.ref for chunk in past]
    count = PER_LIMIT * limit
    salient = (each for each in story.by_salience if each.first < visible_from)
    moody = (each for each in _sort_by_mood(story, called) if each.first < visible_from)
    others = [*islice(salient, count), *past[-count:], *islice(moody, count)]
    return list(dict.fromkeys([*matching, *(chunk.ref for chunk in others)]))


def _sort_by_mood(story: SortedChunks, called: Collection[str]) -> Iterator[ChunkMemory]:
    """Yield the chunks that resonate most, and of several that do so as much the most salient."""
    moods = sorted(
        ((-resonate(called, emotions), chunks) for emotions, chunks in story.by_emotions.items()),
        key=itemgetter(0),
    )
    for _, groups in groupby(moods, key=itemgetter(0)):
        yield from merge(*(chunks for _, chunks in groups), key=_rate_salience)


def _rate_salience(chunk: ChunkMemory) -> tuple[float, str]:
    return -chunk.salience, chunk.ref
