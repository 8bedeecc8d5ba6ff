"""Plan the files of the chunks of one story; only files that differ are written."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.chunk_file import (
    ChunkFile,
    digest_settings,
    is_current,
    parse_chunk_file,
    read_answer,
    render_chunk,
)
from cortexfs.core.stories.keep_reads import keep_reads
from cortexfs.core.stories.message_numbers import parse_span
from cortexfs.core.stories.sidecar.chunk_analysis import digest_messages
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.stories.chunk_file import ChunkAnswer
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.session.view import View

    Progress = Callable[[int, int], None]
    """A function that is called with the number of chunks done, and of all."""
    Answers = Mapping[str, ChunkAnswer]
    """What a language model says of chunks, by the digest of their messages."""

NO_ANSWERS: Answers = MappingProxyType({})


class StoredChunk(NamedTuple):
    """The file of a chunk: its id, its path, its text, and what it says of its source."""

    ident: str
    path: str
    text: str
    source: ChunkFile


class ChunkPlan(NamedTuple):
    """The writes and removals of a story's chunks, and the paths that a person has changed.

    `stored` are all chunks of the story before them, if all were read.
    """

    writes: tuple[Write, ...] = ()
    removes: tuple[Remove, ...] = ()
    edited: tuple[str, ...] = ()
    stored: tuple[StoredChunk, ...] = ()


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
    *,
    progress: Progress | None = None,
    answers: Answers = NO_ANSWERS,
) -> ChunkPlan:
    """Return what makes the files of a story's chunks current; `place` is its project and name.

    With `only`, chunks with other numbers are left as they are. `answers` are those of a language
    model that the files do not have yet.
    """
    size = view.settings.stories.messages_per_chunk
    stored = list_stored_chunks(view, place, only)
    by_number: dict[int, StoredChunk] = {}
    for each in stored:
        by_number.setdefault((each.source.first - 1) // size + 1, each)
    wanted = [chunk for chunk in chunks if only is None or chunk.number in only]
    known = {**collect_answers(stored), **answers}
    plan = _plan_writes(view, place, wanted, by_number, known, progress=progress)
    present = {chunk.number for chunk in chunks}
    kept = {by_number[number].path for number in by_number.keys() & present}
    stale = [each for each in stored if each.path not in kept]
    if only is not None:
        stale = [each for each in stale if (each.source.first - 1) // size + 1 in only]
    removes = tuple(Remove(each.path, each.text) for each in stale if not each.source.is_edited)
    edited = tuple(each.path for each in stale if each.source.is_edited)
    known_chunks = tuple(stored) if only is None else ()
    return ChunkPlan(plan.writes, removes, (*plan.edited, *edited), known_chunks)


def list_stored_chunks(
    view: View, place: tuple[str, str], only: Collection[int] | None
) -> list[StoredChunk]:
    """Return the chunks of a story; with `only` the catalog tells which files have these."""
    project, story = place
    if only is None:
        return [each for each in iter_stored_chunks(view, project) if each.source.story == story]
    kind, size = require_kind(view, CHUNK_KIND), view.settings.stories.messages_per_chunk
    paths = [
        path for path, first in list_chunk_rows(view, place) if (first - 1) // size + 1 in only
    ]
    return [found for path in paths if (found := read_stored_chunk(view, kind, path))]


def list_chunk_rows(view: View, place: tuple[str, str]) -> list[tuple[str, int]]:
    """Return the path of each chunk of a story, and its first message, as the catalog has them."""
    project, story = place
    rows = view.stories.list_rows(kind_folder(project, require_kind(view, CHUNK_KIND)))
    found = ((row.path, json.loads(row.fields)) for row in rows)
    own = ((path, fields) for path, fields in found if fields.get("story") == story)
    spans = ((path, parse_span(fields.get("messages"))) for path, fields in own)
    return [(path, span[0]) for path, span in spans if span and span[0]]


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
        answers = collect_answers(by_number.values())
        return _plan_writes(view, place, [chunk], by_number, answers, next_number=chunk.number)
    return plan_chunk_files(view, place, [chunk], {chunk.number})


def collect_answers(stored: Iterable[StoredChunk]) -> Answers:
    """Return what a language model has said of chunks, by the digest of their messages."""
    parsed = (
        read_answer(atom_text.parse_frontmatter(each.text))
        for each in stored
        if "\nasked: " in each.text
    )
    return {answer.digest: answer for answer in parsed if answer}


def _plan_writes(
    view: View,
    place: tuple[str, str],
    chunks: Sequence[Chunk],
    stored: Mapping[int, StoredChunk],
    answers: Answers,
    *,
    progress: Progress | None = None,
    next_number: int = 0,
) -> ChunkPlan:
    kind = require_kind(view, CHUNK_KIND)
    folder = kind_folder(place[0], kind)
    number = next_number or _find_next_number(view, kind, folder)
    writes: list[Write] = []
    edited: list[str] = []
    for done, chunk in enumerate(chunks, start=1):
        known = stored.get(chunk.number)
        ident = known.ident if known else kind.format_id(number)
        number += not known
        if known and known.source.is_edited:
            edited.append(known.path)
        elif write := _plan_write(view, (ident, *place), chunk, known, answers):
            path = write.path or f"{folder}/{ident}.md"
            writes.append(write._replace(path=path))
        if progress:
            progress(done, len(chunks))
    return ChunkPlan(tuple(writes), (), tuple(edited))


def _plan_write(
    view: View,
    place: tuple[str, str, str],
    chunk: Chunk,
    known: StoredChunk | None,
    answers: Answers,
) -> Write | None:
    """Return the write of one chunk, without a path if it is new; None if its file is current."""
    today = view.clock().date().isoformat()
    day = (known.source.date if known else "") or today
    answer = answers.get(digest_messages(chunk.messages)) if answers else None
    if known and answer is None:
        settings = digest_settings(view.settings.stories)
        if is_current(known.text, known.source, chunk, place[0], settings):
            return None
    text = render_chunk(chunk, place, day, view.settings.stories, answer)
    if known is None:
        return Write("", text)
    text = keep_reads(text, known.text)
    return Write(known.path, text, known.text) if text != known.text else None


def _find_next_number(view: View, kind: Kind, folder: str) -> int:
    names = (name.removesuffix(".md") for name in view.tree.list_names(folder))
    return int(kind.next_id(names).rpartition("-")[2])
