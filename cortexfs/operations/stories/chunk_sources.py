"""The chunks of one story as they will be after a plan: the sources of its scenes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_file import parse_chunk_file
from cortexfs.core.stories.consolidation.summary_source import SourceFile, select_block
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.stories.plan_chunk_files import (
    iter_stored_chunks,
    list_chunk_rows,
    list_stored_chunks,
    read_stored_chunk,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

    from cortexfs.core.stories.consolidation.due_blocks import Block
    from cortexfs.operations.stories.plan_chunk_files import ChunkPlan, StoredChunk
    from cortexfs.session.view import View


class ChunkSources(NamedTuple):
    """The last message that a chunk has, and functions that return chunks.

    `find` returns those in a block, `list_firsts` the number of the first message of each.
    """

    last_message: int
    find: Callable[[Block], list[SourceFile]]
    list_firsts: Callable[[], Collection[int]]


def list_chunk_sources(view: View, place: tuple[str, str], plan: ChunkPlan) -> ChunkSources:
    """Return all chunks of a story, whose files are read unless the plan has them."""
    project, story = place
    stored = plan.stored or iter_stored_chunks(view, project)
    files = _apply([each for each in stored if each.source.story == story], plan)
    last = max((each.last for each in files), default=0)
    firsts = {each.first for each in files}
    return ChunkSources(last, partial(select_block, files), lambda: firsts)


def find_chunk_sources(
    view: View, place: tuple[str, str], plan: ChunkPlan, last_message: int
) -> ChunkSources:
    """Return the chunks of a story, of which few files are read: those that are asked for.

    Where a project has one story, the number of a chunk is that of its id. Where it is not, or a
    chunk is missing, the catalog tells which files have them.
    """
    project, story = place
    kind = require_kind(view, CHUNK_KIND)
    folder, size = kind_folder(project, kind), view.settings.stories.messages_per_chunk

    def find(block: Block) -> list[SourceFile]:
        numbers = range((block.first - 1) // size + 1, (block.last - 1) // size + 2)
        paths = [f"{folder}/{kind.format_id(number)}.md" for number in numbers]
        written = {write.path for write in plan.writes}
        stored = [read_stored_chunk(view, kind, path) for path in paths if path not in written]
        own = [each for each in stored if each and each.source.story == story]
        files = select_block(_apply(own, plan), block)
        if len(files) == len(paths):
            return files
        return select_block(_apply(list_stored_chunks(view, place, numbers), plan), block)

    def list_firsts() -> Collection[int]:
        rows = list_chunk_rows(view, place)
        gone = _list_gone(plan)
        written = {each.first for each in _iter_written(plan)}
        return written | {first for path, first in rows if path not in gone}

    return ChunkSources(last_message, find, list_firsts)


def _apply(stored: Iterable[StoredChunk], plan: ChunkPlan) -> list[SourceFile]:
    """Return chunks as they will be, in the order of their messages."""
    gone = _list_gone(plan)
    files = [
        SourceFile(each.ident, each.source.first, each.source.last, each.text)
        for each in stored
        if each.path not in gone
    ]
    files += _iter_written(plan)
    return sorted(files, key=lambda each: (each.first, each.ident))


def _list_gone(plan: ChunkPlan) -> set[str]:
    """Return the paths of files that the plan replaces or removes."""
    return {each.path for each in plan.writes} | {each.path for each in plan.removes}


def _iter_written(plan: ChunkPlan) -> Iterator[SourceFile]:
    for write in plan.writes:
        if source := parse_chunk_file(write.text):
            ident = write.path.rpartition("/")[2].removesuffix(".md")
            yield SourceFile(ident, source.first, source.last, write.text)
