"""Edits of the files of entities, with what a build makes of the project's entities after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.stories.assign_entity_ids import give_names
from cortexfs.core.stories.generated_lines import STRUCK
from cortexfs.core.stories.owner_state import drop_struck_names
from cortexfs.operations.stories.plan_chunk_files import ChunkPlan
from cortexfs.operations.stories.project_entities import ProjectEntities

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.changes.execution_mode import ExecutionMode
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.operations.stories.plan_entity_files import EntityPlan
    from cortexfs.operations.stories.stored_entities import StoredEntities
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class EntityText(NamedTuple):
    """The file of an entity, and what it says."""

    ref: str
    path: str
    text: str
    entity: KnownEntity


class EntityEdits(NamedTuple):
    """What a person changes: the files with their new texts, and those that are removed.

    `removed` has the texts by path; `merged` are two ids: the names of the first one belong to the
    second from now on. `forgotten` has keys of lines by id: they may be generated again.
    """

    writes: tuple[Write, ...] = ()
    removed: Mapping[str, str] = {}
    merged: tuple[str, str] | None = None
    forgotten: Mapping[str, frozenset[str]] = {}


def plan_edited_entities(
    session: Session, view: View, project: str, edits: EntityEdits, mode: ExecutionMode
) -> tuple[list[Write], list[Remove]]:
    """Return the writes and removals of edits, and of the build that follows from them."""
    entities = ProjectEntities(session, project, mode)
    made = entities.plan(view, ChunkPlan(), lambda stored: _apply(edits, stored))
    entities.keep()
    return _join(edits, made)


def _join(edits: EntityEdits, made: EntityPlan) -> tuple[list[Write], list[Remove]]:
    """Return both as one change of the present files: a file that both change is built."""
    built = {write.path: write.text for write in made.writes}
    gone = {each.path: each for each in made.removes}
    gone |= {path: Remove(path, text) for path, text in edits.removed.items()}
    edited = {write.path: write for write in edits.writes}
    for path in edited.keys() & gone.keys():
        gone[path] = Remove(path, edited[path].expected_text)
    writes = [
        each._replace(text=built.get(path, each.text))
        for path, each in edited.items()
        if path not in gone
    ]
    writes += [each for each in made.writes if each.path not in edited]
    return writes, [gone[path] for path in sorted(gone)]


def _apply(edits: EntityEdits, stored: StoredEntities) -> StoredEntities:
    """Return what a build would find after the edits."""
    texts = {write.path: write.text for write in edits.writes}
    present = {
        ident: file._replace(text=texts.get(file.path, file.text))
        for ident, file in stored.present.items()
        if file.path not in edits.removed
    }
    generated = {
        ident: drop_struck_names(lines, present[ident].text) if ident in present else lines
        for ident, lines in stored.generated.items()
    }
    for ident, keys in edits.forgotten.items():
        lines = generated.get(ident, {})
        kept = {key for key in lines if key not in keys or lines[key] == STRUCK}
        generated[ident] = {key: digest for key, digest in lines.items() if key in kept}
    if edits.merged:
        generated = give_names(generated, *edits.merged)
    return stored._replace(present=present, generated=generated)
