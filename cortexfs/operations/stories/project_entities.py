"""The entities of a project, made of all its chunks; a session keeps what unchanged chunks say."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, cast

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_passage import digest_chunk, read_chunk_passage
from cortexfs.core.stories.describe_entities import describe_entities
from cortexfs.core.stories.kept_owners import KeptOwners
from cortexfs.core.stories.passages_text import format_passages, parse_passages
from cortexfs.core.stories.pending_build import format_pending, parse_pending
from cortexfs.core.stories.project_passages import ProjectPassages
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.stories.kept_values import KeptValue, get_kept_values
from cortexfs.operations.stories.plan_entity_files import plan_entity_files
from cortexfs.operations.stories.stored_entities import (
    EntityFile,
    read_entity_files,
    read_stored_entities,
)
from cortexfs.session.story_files import StoryFolder, read_story_file, write_story_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.stories.chunk_passage import ChunkPassage
    from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
    from cortexfs.operations.stories.plan_entity_files import EntityPlan
    from cortexfs.operations.stories.stored_entities import StoredEntities
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

    EditStored = Callable[[StoredEntities], StoredEntities]

MAX_UNSAVED = 32
"""Passages that are read again by the next command rather than saved by this one."""
CHARS_PER_PASSAGE = 1500
"""For how many characters of a text a passage counts: less than it takes of memory, because to make
all anew takes longest. Those of 100,000 messages are kept."""


@dataclass(slots=True)
class _KeptProject:
    """What a session keeps of a project: what its chunks say, and the files of its entities."""

    passages: ProjectPassages
    owners: KeptOwners = field(default_factory=KeptOwners)
    files: dict[str, tuple[bytes, EntityFile]] = field(default_factory=dict)


class ProjectEntities:
    """Plans the entities of one project, for one change of a session.

    While a change uses what the session keeps, another one has its own.
    """

    def __init__(self, session: Session, project: str, mode: ExecutionMode) -> None:
        self._session = session
        self._project = project
        self._mode = mode
        found = get_kept_values(session).take((_KeptProject, project))
        self._kept = cast("_KeptProject", found.value) if found else None

    def plan(self, view: View, chunks: ChunkPlan, edit: EditStored | None = None) -> EntityPlan:
        """Return the plan of the files of entities, for the chunks as they will be.

        `edit` is what a person changes in the same commit; what follows is returned. Unless it is a
        dry run, what the plan is about to write is noted for the next build.
        """
        if self._kept is None:
            content = read_story_file(view.tree, StoryFolder.PASSAGES, self._project)
            self._kept = _KeptProject(ProjectPassages(parse_passages(content)))
        kept, passages = self._kept, self._kept.passages
        paths, digests = _list_chunks(view, self._project, chunks)
        texts = {write.path: write.text for write in chunks.writes}

        def read(number: int) -> ChunkPassage | None:
            path = paths[number]
            if path in texts:
                return read_chunk_passage(texts[path])
            file = view.tree.read_text_or_flaw(path)
            return None if isinstance(file, Flaw) else read_chunk_passage(file.text)

        passages.update(digests, read)
        note = read_story_file(view.tree, StoryFolder.BUILDS, self._project)
        read_files = partial(_read_changed_files, kept)
        stored = read_stored_entities(
            view, self._project, parse_pending(note), kept.owners, read_files
        )
        stored = edit(stored) if edit else stored
        corrections = stored.correct(passages.totals.names)
        described = describe_entities(passages, corrections, view.settings.stories.entities)
        plan = plan_entity_files(view, stored, described)
        if (plan.writes or plan.removes) and not self._mode.is_dry_run:
            note = format_pending(plan.pending)
            write_story_file(view.tree, StoryFolder.BUILDS, self._project, note)
        return plan

    def keep(self) -> None:
        """Keep the passages for the next change, and for the next command if many are new."""
        if self._kept is None:
            return
        passages = self._kept.passages
        if len(passages.known) > len(passages.digests) + MAX_UNSAVED:
            passages.forget_others()
        if passages.unsaved >= MAX_UNSAVED and not self._mode.is_dry_run:
            passages.forget_others()
            content = format_passages(passages.known)
            write_story_file(self._session.tree, StoryFolder.PASSAGES, self._project, content)
            passages.unsaved = 0
        kept = KeptValue(None, self._kept, CHARS_PER_PASSAGE * len(passages.known))
        get_kept_values(self._session).keep((_KeptProject, self._project), kept)


def _read_changed_files(kept: _KeptProject, view: View, folder: str) -> dict[str, EntityFile]:
    """Return the files of entities by id; those that are as they were are not read again."""
    digests = dict(view.queries.list_digests_in(folder))
    same = {path: each for path, each in kept.files.items() if digests.get(path) == each[0]}
    found = read_entity_files(view, folder, {path: file for path, (_, file) in same.items()})
    kept.files = {
        file.path: same.get(file.path) or (digest_chunk(file.text), file)
        for file in found.values()
        if file.text is not None
    }
    return found


def _list_chunks(
    view: View, project: str, chunks: ChunkPlan
) -> tuple[dict[int, str], dict[int, bytes]]:
    """Return the path and the digest of each chunk as it will be, by its number."""
    kind = require_kind(view, CHUNK_KIND)
    files = dict(view.queries.list_digests_in(kind_folder(project, kind)))
    for removed in chunks.removes:
        files.pop(removed.path, None)
    files |= {write.path: digest_chunk(write.text) for write in chunks.writes}
    paths: dict[int, str] = {}
    match = kind.id_pattern.fullmatch
    for path in sorted(files):
        if path.endswith(".md") and (found := match(path, path.rindex("/") + 1, len(path) - 3)):
            paths.setdefault(int(found[1]), path)
    return paths, {number: files[path] for number, path in paths.items()}
