"""Plan the files of a project's entities: merged with what a person edited, added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
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
from cortexfs.core.stories.generated_lines import (
    FILE_NAME,
    digest_text,
    format_generated,
    parse_generated,
)
from cortexfs.core.stories.pending_build import (
    PendingBuild,
    complete_generated,
    make_state,
)
from cortexfs.core.stories.read_corrections import (
    drop_struck_names,
    read_corrections,
    read_own_names,
)
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from cortexfs.core.stories.entities.entity import Corrections
    from cortexfs.core.stories.generated_lines import Lines
    from cortexfs.core.stories.pending_build import FileState
    from cortexfs.core.stories.story_entity import StoryEntity
    from cortexfs.session.view import View


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


class EntityFile(NamedTuple):
    """The file of an entity: its path, and its text (None: it cannot be read)."""

    path: str
    text: str | None


class StoredEntities(NamedTuple):
    """The files of a project's entities by id, and what the last build generated: read and text.

    `completed` are the ids of which the text does not say it, because that build was killed.
    """

    project: str
    present: dict[str, EntityFile]
    generated: dict[str, Lines]
    record: str
    completed: frozenset[str]

    def correct(self, names: Iterable[str]) -> Corrections:
        """Return what a person decided about these names."""
        texts = {ident: file.text for ident, file in self.present.items()}
        return read_corrections(self.generated, texts, names)


def read_stored_entities(
    view: View, project: str, pending: PendingBuild | None = None
) -> StoredEntities:
    """Return what the last build left of a project's entities, and a person made of it.

    `pending` is what that build has noted before it wrote.
    """
    present = read_entity_files(view, kind_folder(project, require_kind(view, ENTITY_KIND)))
    record = read_text_or_empty(view, f"{chats_folder(project)}/{FILE_NAME}")
    texts = {ident: file.text for ident, file in present.items()}
    recorded = parse_generated(record)
    completed = complete_generated(record, recorded, pending, texts)
    every = {**recorded, **completed}
    generated = {owner: lines for owner, lines in every.items() if lines is not None}
    for ident, file in present.items():
        if ident in generated:
            generated[ident] = drop_struck_names(generated[ident], file.text)
    return StoredEntities(project, present, generated, record, frozenset(completed))


def plan_entity_files(
    view: View, stored: StoredEntities, entities: Sequence[StoryEntity]
) -> EntityPlan:
    """Return what makes the files of a project's entities current.

    An entity that is no longer one loses its file, unless a person has changed that. What was
    generated is written beside the chats, for the next build.
    """
    project, present, generated, text, _ = stored
    assigned = _assign_ids(view, stored, entities)
    after = {owner: lines for owner, lines in generated.items() if owner not in present}
    written: dict[str, Write] = {}
    for file, place, entity in _place_entities(view, stored, assigned.entities):
        is_new = place.ident not in present
        merged = _merge(generated.get(place.ident, {}), file, entity, place, is_new=is_new)
        after[place.ident] = merged.generated
        if merged.text != file.text and (file.text is not None or is_new):
            written[place.ident] = Write(file.path, merged.text, file.text)
    removed, faded = _plan_vanished(stored, after)
    written |= faded
    record = format_generated(after)
    writes = list(written.values())
    if record != text:
        path = f"{chats_folder(project)}/{FILE_NAME}"
        writes.append(Write(path, record, text if view.tree.is_file(path) else None))
    states = {owner: make_state(after[owner], write.text) for owner, write in written.items()}
    before = _find_states(stored, {*written, *removed})
    pending = PendingBuild(digest_text(text), digest_text(record), before, states)
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
    kind = require_kind(view, ENTITY_KIND)
    files = view.tree.list_names(kind_folder(stored.project, kind))
    names = [name.removesuffix(".md") for name in files]
    next_id = kind.next_id((*names, *(f"{owner}-x" for owner in stored.generated)))
    number = int(next_id.rpartition("-")[2])
    return assign_entity_ids(stored.generated, stored.present, entities, number)


def _place_entities(
    view: View, stored: StoredEntities, entities: Sequence[tuple[str, StoryEntity]]
) -> Iterator[tuple[EntityFile, EntityPlace, StoryEntity]]:
    """Yield each entity with its file, which has no text if it is new, and its place."""
    kind = require_kind(view, ENTITY_KIND)
    folder = kind_folder(stored.project, kind)
    today = view.clock().date().isoformat()
    idents = {entity.name: ident for ident, entity in entities}
    texts = {ident: file.text for ident, file in stored.present.items()}
    own = read_own_names(stored.generated, texts)
    for ident, entity in entities:
        new = f"{folder}/{kind.make_file_name(ident, entity.name, in_project=True)}"
        refs = tuple((each.other, idents.get(each.other, "")) for each in entity.relations)
        shown = tuple((name, own[each]) for name, each in refs if each in own)
        place = EntityPlace(ident, stored.project, today, refs, shown)
        yield stored.present.get(ident, EntityFile(new, None)), place, entity


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


def read_entity_files(view: View, folder: str) -> dict[str, EntityFile]:
    """Return the files of entities by id; of several with one id the first."""
    kind = require_kind(view, ENTITY_KIND)
    found: dict[str, EntityFile] = {}
    with view.tree.open_batch_reader() as read:
        for name in view.tree.list_names(folder):
            ident = kind.parse_file_id(name.removesuffix(".md")) if name.endswith(".md") else None
            if ident is not None and ident not in found:
                file = read(f"{folder}/{name}")
                text = None if isinstance(file, Flaw) else file.text
                found[ident] = EntityFile(f"{folder}/{name}", text)
    return found


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
