"""The salience of a story over its messages, in so many points as a picture has room for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.chunk_row import ChunkRow

MAX_POINTS = 40
"""Maximum number of points: each is a link, and wide enough to be hit."""


class TimelinePoint(NamedTuple):
    """One chunk, or some that follow each other: their messages and their salience."""

    ref: str
    """The chunk with the highest salience."""
    first: int
    last: int
    chunks: int
    core: int
    low: float
    high: float
    mean: float
    flags: tuple[str, ...]

    @property
    def is_one(self) -> bool:
        """Whether it stands for one chunk."""
        return self.chunks == 1


def make_timeline(chunks: Sequence[ChunkRow], limit: int = MAX_POINTS) -> list[TimelinePoint]:
    """Return the points of some chunks, in their order; each stands for as many, but the last."""
    size = max(1, -(-len(chunks) // limit))
    return [_make_point(chunks[at : at + size]) for at in range(0, len(chunks), size)]


def _make_point(chunks: Sequence[ChunkRow]) -> TimelinePoint:
    values = [chunk.salience for chunk in chunks]
    best = max(chunks, key=lambda chunk: chunk.salience)
    return TimelinePoint(
        best.ref,
        chunks[0].first,
        chunks[-1].last,
        len(chunks),
        sum(chunk.is_core for chunk in chunks),
        min(values),
        best.salience,
        sum(values) / len(values),
        tuple(dict.fromkeys(flag for chunk in chunks for flag in chunk.flags)),
    )
