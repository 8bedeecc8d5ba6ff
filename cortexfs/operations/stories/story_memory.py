"""The memory of a story: its chunks, its entities and their texts, kept while they do not change.

A session keeps what it has parsed, so that a recall reads only what is new.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.atoms.kinds import ARC_KIND, CHUNK_KIND, ENTITY_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_file import read_share
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.core.stories.recall.chunk_memory import ChunkMemory, parse_chunk_fields
from cortexfs.core.stories.recall.chunk_text import ChunkText, read_chunk_text
from cortexfs.core.stories.recall.named_entities import EntityNames, NamedEntity
from cortexfs.core.stories.summary_file import SummaryFile, parse_summary_file
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.session.annotation_types import StoryRow
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

    _ValueT = TypeVar("_ValueT")

MAX_FILES = 4096
"""Parsed files that a session keeps: of a chunk some 10 KB."""
MAX_ROWS = 65_536
MAX_DIGITS = 9
"""Digits of the number of mentions: another one is nobody's."""


_UNKNOWN = object()


@dataclass(slots=True)
class _Kept:
    """What a session has parsed: by digest of a file, by frontmatter, and names of entities."""

    files: OrderedDict[tuple[str, bytes], object] = field(default_factory=OrderedDict)
    rows: dict[tuple[str, str], ChunkMemory | NamedEntity | None] = field(default_factory=dict)
    names: dict[str, tuple[tuple[NamedEntity, ...], EntityNames]] = field(default_factory=dict)


_KEPT: WeakKeyDictionary[Session, _Kept] = WeakKeyDictionary()


class KnownChunk(NamedTuple):
    """A chunk, the digest of its file, and how often it was read."""

    memory: ChunkMemory
    digest: bytes
    reads: int


class StoryMemory:
    """The memory of one story, in one view; `chunk_count` counts those of all its project's."""

    def __init__(self, session: Session, view: View, project: str, story: str) -> None:
        self.view = view
        self.project = project
        self.chunk_count = 0
        self._rows: dict[str, list[StoryRow]] = {}
        self.story = story
        self._kept = _KEPT.setdefault(session, _Kept())
        if len(self._kept.rows) > MAX_ROWS:
            self._kept.rows.clear()

    def list_chunks(self) -> list[KnownChunk]:
        """Return the chunks of the story, in the order of their messages."""
        rows = self._list_rows(CHUNK_KIND)
        self.chunk_count = len(rows)
        parsed = ((row, self._parse_row(row, _parse_chunk)) for row in rows)
        found = (
            KnownChunk(memory, row.digest, row.reads)
            for row, memory in parsed
            if isinstance(memory, ChunkMemory) and memory.story == self.story
        )
        return sorted(found, key=lambda each: each.memory.first)

    def read_texts(self, chunks: Iterable[KnownChunk]) -> dict[str, ChunkText]:
        """Return the texts of chunks by ref; those that cannot be read are missing."""
        places = ((each.memory.path, each.digest, each.memory.ref) for each in chunks)
        return self._read_files(places, lambda text, _: read_chunk_text(text))

    def read_names(self) -> EntityNames:
        """Return the names of the project's entities."""
        rows = self._list_rows(ENTITY_KIND)
        parsed = (self._parse_row(row, _parse_entity) for row in rows)
        entities = tuple(each for each in parsed if isinstance(each, NamedEntity))
        known = self._kept.names.get(self.project)
        if known is None or known[0] != entities:
            known = (entities, EntityNames.from_entities(entities))
            self._kept.names[self.project] = known
        return known[1]

    def read_entities(self, refs: Iterable[str]) -> dict[str, KnownEntity]:
        """Return the entities with some refs, as their files have them."""
        rows = {row.ref: row for row in self._list_rows(ENTITY_KIND)}
        places = [(rows[ref].path, rows[ref].digest, ref) for ref in refs if ref in rows]
        found = self._read_files(places, parse_entity_file)
        return {ref: entity for ref, entity in found.items() if entity}

    def find_entity(self, typed: str) -> KnownEntity | None:
        """Return the entity with a name or, if there is none, with an alias; case is ignored."""
        wanted = typed.strip().casefold()
        entities = self.read_names().entities
        by_name = [each.ref for each in entities if each.names[0].casefold() == wanted]
        by_alias = [each.ref for each in entities if wanted in map(str.casefold, each.names)]
        refs = (by_name or by_alias)[:1]
        return next(iter(self.read_entities(refs).values()), None)

    def list_summaries(self) -> tuple[list[SummaryFile], list[SummaryFile]]:
        """Return the scenes and the arcs of the story, in the order of their ids."""
        scenes, arcs = map(self._list_summaries_of, (SCENE_KIND, ARC_KIND))
        return scenes, arcs

    def _list_summaries_of(self, kind: str) -> list[SummaryFile]:
        rows = self._list_rows(kind)
        places = [(row.path, row.digest, row.ref) for row in rows]
        found = self._read_files(places, parse_summary_file)
        own = ((ref, each) for ref, each in found.items() if each and each.story == self.story)
        return [each._replace(ref=ref) for ref, each in own]

    def _list_rows(self, kind_name: str) -> list[StoryRow]:
        if kind_name not in self._rows:
            folder = kind_folder(self.project, require_kind(self.view, kind_name))
            self._rows[kind_name] = self.view.stories.list_rows(folder)
        return self._rows[kind_name]

    def _parse_row(
        self, row: StoryRow, parse: Callable[[StoryRow], ChunkMemory | NamedEntity | None]
    ) -> ChunkMemory | NamedEntity | None:
        key = (row.path, row.fields)
        known = self._kept.rows.get(key)  # once: another thread may empty it at any moment
        if known is None:
            known = self._kept.rows[key] = parse(row)
        return known

    def _read_files(
        self, places: Iterable[tuple[str, bytes, str]], parse: Callable[[str, str], _ValueT]
    ) -> dict[str, _ValueT]:
        """Return what files have, by ref; a file with a known digest is not read."""
        found: dict[str, _ValueT] = {}
        files = self._kept.files
        with self.view.tree.open_batch_reader() as read:
            for path, digest, ref in places:
                known = files.get((path, digest), _UNKNOWN)  # once: other threads drop entries
                if known is _UNKNOWN:
                    source = read(path)
                    if isinstance(source, Flaw):
                        continue
                    known = files[path, digest] = parse(source.text, path)
                found[ref] = cast("_ValueT", known)  # a path has one kind of value
        while len(files) > MAX_FILES:
            files.popitem(last=False)
        return found


def _parse_chunk(row: StoryRow) -> ChunkMemory | None:
    return parse_chunk_fields(row.ref, row.path, _read_fields(row))


def _parse_entity(row: StoryRow) -> NamedEntity | None:
    fields = _read_fields(row)
    name, value = fields.get("summary"), fields.get("aliases", ())
    if not isinstance(name, str) or not name:
        return None
    aliases = split_string_list(value) if isinstance(value, str | tuple) else ()
    mentions = str(fields.get("mentions", ""))
    return NamedEntity(
        row.ref,
        row.path,
        (name, *aliases),
        int(mentions) if mentions.isdecimal() and len(mentions) <= MAX_DIGITS else 0,
        read_share(fields.get("salience")),
        str(fields.get("status", "")),
    )


def _read_fields(row: StoryRow) -> Mapping[str, str | tuple[str, ...]]:
    fields = json.loads(row.fields)
    return {
        key: tuple(map(str, value)) if isinstance(value, list) else str(value)
        for key, value in fields.items()
    }
