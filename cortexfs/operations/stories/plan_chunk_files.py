"""Plan the files of the chunks of one story; only files that differ are written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import (
    ChunkFile,
    parse_chunk_file,
    parse_first_number,
    render_chunk,
)
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.changes.plan import FileText
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.session.view import View

    Progress = Callable[[int, int], None]
    """A function that is called with the number of chunks done, and of all."""

READ_KEYS = ("refs", "last-ref")
"""The fields that count reads, which a new text keeps."""


class StoredChunk(NamedTuple):
    """The file of a chunk: its id, its path, its text, and what it says of its source."""

    ident: str
    path: str
    text: str
    source: ChunkFile


class ChunkPlan(NamedTuple):
    """The writes and removals of a story's chunks, and the paths that a person has changed."""

    writes: tuple[Write, ...] = ()
    removes: tuple[Remove, ...] = ()
    edited: tuple[str, ...] = ()


def iter_stored_chunks(view: View, project: str) -> Iterator[StoredChunk]:
    """Yield the chunks of all stories of a project, by file name; other files are left out."""
    kind = require_kind(view, CHUNK_KIND)
    folder = kind_folder(project, kind)
    with view.tree.open_batch_reader() as read:
        for name in view.tree.list_names(folder):
            path, ident = f"{folder}/{name}", _parse_id(kind, name)
            stored = _parse_stored(ident, path, read(path)) if ident else None
            if stored:
                yield stored


def read_stored_chunk(view: View, kind: Kind, path: str) -> StoredChunk | None:
    """Return the chunk in a file; None if there is none, or it cannot be read."""
    ident = _parse_id(kind, path.rpartition("/")[2])
    if ident is None or not view.tree.is_file(path):
        return None
    return _parse_stored(ident, path, view.tree.read_text_or_flaw(path))


def _parse_id(kind: Kind, name: str) -> str | None:
    return kind.parse_file_id(name.removesuffix(".md")) if name.endswith(".md") else None


def _parse_stored(ident: str, path: str, file: FileText | Flaw) -> StoredChunk | None:
    if isinstance(file, Flaw):
        return None
    source = parse_chunk_file(file.text)
    return StoredChunk(ident, path, file.text, source) if source else None


def plan_chunk_files(
    view: View,
    place: tuple[str, str],
    chunks: Sequence[Chunk],
    only: Collection[int] | None = None,
    progress: Progress | None = None,
) -> ChunkPlan:
    """Return what makes the files of a story's chunks current; `place` is its project and name.

    With `only`, chunks with other numbers are left as they are.
    """
    project, story = place
    size = view.settings.stories.messages_per_chunk
    stored = _list_stored(view, project, story, only)
    by_number: dict[int, StoredChunk] = {}
    for each in stored:
        by_number.setdefault((each.source.first - 1) // size + 1, each)
    wanted = [chunk for chunk in chunks if only is None or chunk.number in only]
    plan = _plan_writes(view, place, wanted, by_number, progress=progress)
    present = {chunk.number for chunk in chunks}
    kept = {by_number[number].path for number in by_number.keys() & present}
    stale = [each for each in stored if each.path not in kept]
    if only is not None:
        stale = [each for each in stale if (each.source.first - 1) // size + 1 in only]
    removes = tuple(Remove(each.path, each.text) for each in stale if not each.source.is_edited)
    edited = tuple(each.path for each in stale if each.source.is_edited)
    return ChunkPlan(plan.writes, removes, (*plan.edited, *edited))


def _list_stored(
    view: View, project: str, story: str, only: Collection[int] | None
) -> list[StoredChunk]:
    """Return the chunks of a story; with `only` the catalog tells which files have these."""
    if only is None:
        return [each for each in iter_stored_chunks(view, project) if each.source.story == story]
    kind, size = require_kind(view, CHUNK_KIND), view.settings.stories.messages_per_chunk
    found: list[StoredChunk] = []
    for row in view.stories.list_rows(kind_folder(project, kind)):
        fields = json.loads(row.fields)
        first = parse_first_number(fields.get("messages"))
        if fields.get("story") == story and first and (first - 1) // size + 1 in only:
            stored = read_stored_chunk(view, kind, row.path)
            found += [stored] if stored else []
    return found


def plan_last_chunk(view: View, place: tuple[str, str], chunk: Chunk) -> ChunkPlan:
    """Return what makes the file of a story's last chunk current, reading few files.

    Where a project has one story, the number of a chunk is that of its id.
    """
    project, story = place
    kind = require_kind(view, CHUNK_KIND)
    folder, size = kind_folder(project, kind), view.settings.stories.messages_per_chunk

    def read(number: int) -> StoredChunk | None:
        found = read_stored_chunk(view, kind, f"{folder}/{kind.format_id(number)}.md")
        is_it = found and (found.source.story, (found.source.first - 1) // size + 1) == (
            story,
            number,
        )
        return found if is_it else None

    known = read(chunk.number)
    is_next = not known and (chunk.number == 1 or read(chunk.number - 1))
    path = f"{folder}/{kind.format_id(chunk.number)}.md"
    if known or (is_next and not view.tree.is_path_taken(path)):
        by_number = {chunk.number: known} if known else {}
        return _plan_writes(view, place, [chunk], by_number, next_number=chunk.number)
    return plan_chunk_files(view, place, [chunk], {chunk.number})


def _plan_writes(
    view: View,
    place: tuple[str, str],
    chunks: Sequence[Chunk],
    stored: Mapping[int, StoredChunk],
    *,
    progress: Progress | None = None,
    next_number: int = 0,
) -> ChunkPlan:
    project, story = place
    kind = require_kind(view, CHUNK_KIND)
    folder, settings = kind_folder(project, kind), view.settings.stories
    today = view.clock().date().isoformat()
    number = next_number or _find_next_number(view, kind, folder)
    writes: list[Write] = []
    edited: list[str] = []
    for done, chunk in enumerate(chunks, start=1):
        known = stored.get(chunk.number)
        ident = known.ident if known else kind.format_id(number)
        number += not known
        if known and known.source.is_edited:
            edited.append(known.path)
        else:
            day = known.source.date if known else today
            text = render_chunk(chunk, (ident, project, story), day or today, settings)
            text = _keep_reads(text, known.text) if known else text
            if known is None or text != known.text:
                path = known.path if known else f"{folder}/{ident}.md"
                writes.append(Write(path, text, known.text if known else None))
        if progress:
            progress(done, len(chunks))
    return ChunkPlan(tuple(writes), (), tuple(edited))


def _find_next_number(view: View, kind: Kind, folder: str) -> int:
    names = (name.removesuffix(".md") for name in view.tree.list_names(folder))
    return int(kind.next_id(names).rpartition("-")[2])


def _keep_reads(text: str, before: str) -> str:
    """Return a new text with the counts of reads that the present one has."""
    if "\nrefs:" not in before and "\nlast-ref:" not in before:
        return text
    fields = atom_text.parse_frontmatter(before).fields
    kept = {key: str(fields[key]) for key in READ_KEYS if key in fields}
    return atom_text.edit_frontmatter(text, kept) if kept else text
