"""Plan the files of a project's entities: merged with what a person edited, added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.stories.assign_entity_ids import (
    AssignedEntities,
    assign_entity_ids,
    remember_names,
)
from cortexfs.core.stories.digest_entity_build import digest_entity_build
from cortexfs.core.stories.entity_file import (
    MergedFile,
    is_only_generated,
    merge_entity_file,
    read_vanished_entity,
)
from cortexfs.core.stories.entity_lines import EntityPlace
from cortexfs.core.stories.generated_lines import FILE_NAME, STRUCK, digest_record
from cortexfs.core.stories.pending_build import PendingBuild, make_state
from cortexfs.core.stories.read_corrections import read_own_names
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.stories.stored_entities import EntityFile, StoredEntities

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.stories.generated_lines import Lines
    from cortexfs.core.stories.kept_owners import KeptOwners
    from cortexfs.core.stories.pending_build import FileState
    from cortexfs.core.stories.story_entity import StoryEntity
    from cortexfs.session.view import View


_OF_FORMER = ("fact:", "relation:")
BUILD_KEY = "build"
"""The key of the digest of an entity and its file: while both are the same, nothing is merged."""


class EntityPlan(NamedTuple):
    """The writes and removals of entities, those that a person has removed, and how many stay.

    `pending` is what the next build has to know if this one is killed.
    """

    writes: tuple[Write, ...]
    removes: tuple[Remove, ...]
    removed: tuple[StoryEntity, ...]
    total: int
    pending: PendingBuild


def plan_entity_files(
    view: View, stored: StoredEntities, entities: Sequence[StoryEntity]
) -> EntityPlan:
    """Return what makes the files of a project's entities current.

    An entity that is no longer one loses its file, unless a person has changed that. What was
    generated is written beside the chats, for the next build.
    """
    project, present, generated, text, _, owners = stored
    assigned = _assign_ids(view, stored, entities)
    after = {owner: lines for owner, lines in generated.items() if owner not in present}
    written: dict[str, Write] = {}
    for file, place, entity, lines in _place_entities(view, stored, assigned):
        is_new = place.ident not in present
        merged = _merge_once(owners, _PlacedEntity(file, place, entity, lines), is_new=is_new)
        after[place.ident] = merged.generated
        if merged.text != file.text and (file.text is not None or is_new):
            written[place.ident] = Write(file.path, merged.text, file.text)
    removed, faded = _plan_vanished(stored, after)
    written |= faded
    record = owners.format(after)
    writes = list(written.values())
    if record != text:
        path = f"{chats_folder(project)}/{FILE_NAME}"
        writes.append(Write(path, record, text if view.tree.is_file(path) else None))
    states = {owner: make_state(after[owner], write.text) for owner, write in written.items()}
    before = _find_states(stored, {*written, *removed})
    pending = PendingBuild(digest_record(text), digest_record(record), before, states)
    removes = tuple(removed.values())
    return EntityPlan(tuple(writes), removes, assigned.removed, len(assigned.entities), pending)


def _find_states(stored: StoredEntities, changed: Collection[str]) -> dict[str, FileState]:
    """Return the present states of files that are changed, or of which the record says nothing."""
    texts = {owner: file.text or "" for owner, file in stored.present.items()}
    owners = (texts.keys() & changed) | stored.completed
    return {
        owner: make_state(stored.generated.get(owner, {}), texts.get(owner, "")) for owner in owners
    }


def _assign_ids(
    view: View, stored: StoredEntities, entities: Sequence[StoryEntity]
) -> AssignedEntities:
    def find_number() -> int:
        kind = require_kind(view, ENTITY_KIND)
        files = view.tree.list_names(kind_folder(stored.project, kind))
        names = [name.removesuffix(".md") for name in files]
        next_id = kind.next_id((*names, *(f"{owner}-x" for owner in stored.generated)))
        return int(next_id.rpartition("-")[2])

    owners = {owner: stored.read_state(owner).names for owner in stored.generated}
    return assign_entity_ids(owners, stored.present, entities, find_number)


def _find_struck_of_former(stored: StoredEntities, ident: str, former: Iterable[str]) -> Lines:
    """Return the lines that a person has struck of entities that were found to be this one."""
    before = stored.generated.get(ident, {})
    return {
        key: STRUCK
        for owner in former
        for key in stored.read_state(owner).struck
        if key.startswith(_OF_FORMER) and key not in before
    }


class _PlacedEntity(NamedTuple):
    """An entity with its file, which has no text if it is new, its place, and what it had."""

    file: EntityFile
    place: EntityPlace
    entity: StoryEntity
    before: Lines


def _place_entities(
    view: View, stored: StoredEntities, assigned: AssignedEntities
) -> Iterator[_PlacedEntity]:
    """Yield each entity with what its file is made of."""
    entities = assigned.entities
    kind = require_kind(view, ENTITY_KIND)
    folder = kind_folder(stored.project, kind)
    today = view.clock().date().isoformat()
    idents = {entity.name: ident for ident, entity in entities}
    texts = {ident: file.text for ident, file in stored.present.items()}
    own = read_own_names(stored.generated, texts, stored.owners)
    names = {entity.name: entity.aliases for _, entity in entities}
    for ident, entity in entities:
        refs = tuple((each.other, idents.get(each.other, "")) for each in entity.relations)
        shown = tuple((name, own[each]) for name, each in refs if each in own)
        struck = _find_struck_of_former(stored, ident, assigned.former.get(ident, ()))
        is_struck = bool(struck) or stored.has_struck_relations(ident)
        others = tuple((name, names.get(name, ())) for name, _ in refs) if is_struck else ()
        place = EntityPlace(ident, stored.project, today, refs, shown, others)
        before = stored.generated.get(ident, {})
        before = {**before, **struck, BUILD_KEY: ""} if struck else before
        file = stored.present.get(ident) or _name_file(kind, folder, ident, entity)
        yield _PlacedEntity(file, place, entity, before)


def _name_file(kind: Kind, folder: str, ident: str, entity: StoryEntity) -> EntityFile:
    name = kind.make_file_name(ident, entity.name, in_project=True)
    return EntityFile(f"{folder}/{name}", None)


def _merge_once(owners: KeptOwners, placed: _PlacedEntity, *, is_new: bool) -> MergedFile:
    """Return the merged text of an entity: the present one if nothing of it has changed since."""
    ident = placed.place.ident
    if placed.file.text is not None and owners.is_merged(ident, placed):
        return MergedFile(placed.file.text, placed.before)
    file, place, entity, before = placed
    merged = _merge(before, file, entity, place, is_new=is_new)
    if file.text is not None or is_new:
        written = file._replace(text=merged.text)
        owners.keep_merged(ident, placed._replace(file=written, before=merged.generated))
    return merged


def _merge(
    before: Lines, file: EntityFile, entity: StoryEntity, place: EntityPlace, *, is_new: bool
) -> MergedFile:
    """Return the merged text of an entity; a file that cannot be read stays as it is."""
    if file.text is None and not is_new:
        return MergedFile("", before)
    if file.text is not None and before.get(BUILD_KEY) == digest_entity_build(
        entity, place, file.text
    ):
        return MergedFile(file.text, before)
    merged = merge_entity_file(before, file.text, entity, place)
    build = {BUILD_KEY: digest_entity_build(entity, place, merged.text)}
    return merged._replace(generated=merged.generated | remember_names(before, entity) | build)


def _plan_vanished(
    stored: StoredEntities, after: dict[str, Lines]
) -> tuple[dict[str, Remove], dict[str, Write]]:
    """Return the removals of what is no entity any more, and the writes of what a person edited.

    An edited file stays, without what chunks said. What was generated of it is put into `after`.
    """
    removes: dict[str, Remove] = {}
    writes: dict[str, Write] = {}
    for ident in sorted(stored.present.keys() - after.keys()):
        file, lines = stored.present[ident], stored.generated.get(ident)
        if lines and file.text is not None and is_only_generated(lines, file.text):
            removes[ident] = Remove(file.path, file.text)
        elif lines:
            merged = _merge_vanished(lines, file, EntityPlace(ident, stored.project, ""))
            after[ident] = merged.generated
            if file.text is not None and merged.text != file.text:
                writes[ident] = Write(file.path, merged.text, file.text)
    return removes, writes


def _merge_vanished(before: Lines, file: EntityFile, place: EntityPlace) -> MergedFile:
    entity = read_vanished_entity(file.text) if file.text is not None else None
    if entity is None:
        return MergedFile(file.text or "", before)
    return _merge(before, file, entity, place, is_new=False)
