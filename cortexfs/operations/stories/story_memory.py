"""The memory of a story: its chunks, its entities and their texts, kept while they do not change.

A session keeps what it has parsed, so that a recall reads only what is new.
"""

from __future__ import annotations

import json
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.kinds import ARC_KIND, CHUNK_KIND, ENTITY_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_file import read_share
from cortexfs.core.stories.recall.choose_candidates import SortedChunks
from cortexfs.core.stories.recall.chunk_memory import ChunkMemory, parse_chunk_fields
from cortexfs.core.stories.recall.chunk_text import ChunkText, read_chunk_text
from cortexfs.core.stories.recall.named_entities import EntityNames, NamedEntity
from cortexfs.core.stories.summary_file import SummaryFile, parse_summary_file
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.stories.kept_values import StoredFile, read_values
from cortexfs.operations.stories.read_parsed_files import parse_entity_text
from cortexfs.operations.stories.story_folder import StoryFolder, read_story_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.session.annotation_types import StoryRow
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_DIGITS = 9
"""Digits of the number of mentions: another one is nobody's."""
_ValueT = TypeVar("_ValueT")


class KnownChunk(NamedTuple):
    """A chunk, the digest of its file, and how often it was read."""

    memory: ChunkMemory
    digest: bytes
    reads: int


class StoryChunks(NamedTuple):
    """The chunks of a story by ref, in the order of their messages, and its last message.

    `project_count` is the number of chunks of all stories of the project.
    """

    by_ref: Mapping[str, KnownChunk]
    sorted: SortedChunks
    end: int
    project_count: int

    @classmethod
    def from_chunks(cls, chunks: Iterable[KnownChunk], project_count: int) -> StoryChunks:
        """Return some chunks of a story in any order."""
        ordered = sorted(chunks, key=attrgetter("memory.first"))
        memories = [each.memory for each in ordered]
        end = max([each.last for each in memories], default=0)
        by_ref = {each.memory.ref: each for each in ordered}
        return cls(by_ref, SortedChunks.from_chunks(memories), end, project_count)

    def list_last(self, count: int) -> list[KnownChunk]:
        """Return the last chunks."""
        return [self.by_ref[each.ref] for each in self.sorted.chunks[-count:]]


class StoryMemory:
    """The memory of one story, in one view."""

    def __init__(self, session: Session, view: View, project: str, story: str) -> None:
        self.view = view
        self.project = project
        self.story = story
        self._session = session

    def read_chunks(self) -> StoryChunks:
        """Return the chunks of the story."""
        folder = self._read_folder(CHUNK_KIND, _parse_chunk)
        return folder.make_once(self.story, lambda: self._select_chunks(folder))

    def _select_chunks(self, folder: StoryFolder[ChunkMemory | None]) -> StoryChunks:
        found = (
            KnownChunk(atom.value, atom.digest, atom.reads)
            for atom in folder.atoms
            if atom.value and atom.value.story == self.story
        )
        return StoryChunks.from_chunks(found, len(folder.atoms))

    def read_texts(self, chunks: Iterable[KnownChunk]) -> dict[str, ChunkText]:
        """Return the texts of chunks by ref; those that cannot be read are missing."""
        files = [StoredFile(each.memory.path, each.digest, each.memory.ref) for each in chunks]
        return dict(read_values(self._session, self.view, files, read_chunk_text))

    def read_names(self) -> EntityNames:
        """Return the names of the project's entities."""
        folder = self._read_folder(ENTITY_KIND, _parse_entity)
        return folder.make_once(
            "names",
            lambda: EntityNames.from_entities([atom.value for atom in folder.atoms if atom.value]),
        )

    def read_entities(self, refs: Iterable[str]) -> dict[str, KnownEntity]:
        """Return the entities with some refs, as their files have them."""
        folder = self._read_folder(ENTITY_KIND, _parse_entity)
        by_ref = folder.make_once("refs", lambda: {atom.ref: atom for atom in folder.atoms})
        atoms = [by_ref[ref] for ref in refs if ref in by_ref]
        files = [StoredFile(atom.path, atom.digest, atom.ref) for atom in atoms]
        found = read_values(self._session, self.view, files, parse_entity_text)
        return {ref: entity for ref, entity in found if entity}

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
        atoms = self._read_folder(kind, _parse_nothing).atoms
        files = [StoredFile(atom.path, atom.digest, atom.ref) for atom in atoms]
        found = read_values(self._session, self.view, files, parse_summary_file)
        return [each for _, each in found if each and each.story == self.story]

    def _read_folder(
        self, kind_name: str, parse: Callable[[StoryRow], _ValueT]
    ) -> StoryFolder[_ValueT]:
        folder = kind_folder(self.project, require_kind(self.view, kind_name))
        return read_story_folder(self._session, self.view, folder, parse)


def _parse_nothing(_: StoryRow) -> None:
    """Return nothing: of a scene or an arc its file says all."""


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
