"""Select chunks of a story by what they are worth and what happens in them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.row_facets import RowFacets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.stories.chunk_row import ChunkRow

CHUNK_SORTS = {"messages": False, "salience": True}
"""The orders of chunks, each with whether it begins with the highest."""
CHUNK_FACETS = ("source", "core", "emotion", "flag", "state")
CHUNK_PAGE_SIZE = 50
ANYWHERE = 1 << 31
"""In place of the last message: to the end."""


class ChunkFilter(NamedTuple):
    """Which chunks; empty fields are any. `page` counts from 1.

    `text` is a part of the summary, `first` and `last` are message numbers.
    """

    text: str = ""
    source: str = ""
    core: str = ""
    emotion: str = ""
    flag: str = ""
    state: str = ""
    first: int = 0
    last: int = ANYWHERE
    sort: str = "messages"
    descending: bool = False
    page: int = 1


class ChunkSelection(NamedTuple):
    """A page of the chunks that match, the number of all that do, and the counts by facet."""

    chunks: Sequence[ChunkRow]
    total: int
    facets: Mapping[str, Sequence[tuple[str, int]]]


def select_chunks(chunks: Sequence[ChunkRow], wanted: ChunkFilter) -> ChunkSelection:
    """Return a page of some chunks; the counts of a facet leave out its own condition."""
    near = [each for each in chunks if _is_near(each, wanted)]
    chosen = _FACETS.select_rows(near, wanted)
    if wanted.sort == "salience":
        chosen.sort(key=lambda each: (each.salience, -each.first), reverse=wanted.descending)
    elif wanted.descending:
        chosen.reverse()
    start = (wanted.page - 1) * CHUNK_PAGE_SIZE
    facets = _FACETS.count_values(near, wanted)
    return ChunkSelection(chosen[start : start + CHUNK_PAGE_SIZE], len(chosen), facets)


def _is_near(chunk: ChunkRow, wanted: ChunkFilter) -> bool:
    is_in_range = wanted.first <= chunk.last and chunk.first <= wanted.last
    return is_in_range and wanted.text.casefold() in f"{chunk.ref} {chunk.summary}".casefold()


def _values(chunk: ChunkRow, name: str) -> tuple[str, ...]:
    match name:
        case "source":
            return (chunk.source,)
        case "core":
            return ("yes" if chunk.is_core else "no",)
        case "emotion":
            return chunk.emotions
        case "flag":
            return chunk.flags
        case _:
            return (chunk.state,)


_FACETS = RowFacets(CHUNK_FACETS, _values)
