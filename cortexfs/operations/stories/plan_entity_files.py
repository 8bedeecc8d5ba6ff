"""Plan the files of a project's entities: merged with what a person edited, added or removed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Remove, Write
from cortexfs.core.stories.assign_entity_ids import assign_entity_ids, remember_names
from cortexfs.core.stories.entity_file import EntityPlace, MergedFile, merge_entity_file
from cortexfs.core.stories.generated_lines import (
    FILE_NAME,
    digest_text,
    format_generated,
    is_only_generated,
    parse_generated,
)
from cortexfs.core.stories.read_corrections import drop_struck_names, read_corrections
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.entities.entity import Corrections
    from cortexfs.core.stories.generated_lines import Lines
    from cortexfs.core.stories.story_entity import StoryEntity
    from cortexfs.session.view import View


BUILD_KEY = "build"
"""The key of the digest of an entity and its file: while both are the same, nothing is merged."""


class EntityPlan(NamedTuple):
    """The writes and removals of entities, those that a person has removed, and how many stay."""

    writes: tuple[Write, ...]
    removes: tuple[Remove, ...]
    removed: tuple[StoryEntity, ...]
    total: int = 0


class EntityFile(NamedTuple):
    """The file of an entity: its path, and its text (None: it cannot be read)."""

    path: str
    text: str | None


class StoredEntities(NamedTuple):
    """The files of a project's entities by id, and what the last build generated: read and text."""

    project: str
    present: dict[str, EntityFile]
    generated: dict[str, Lines]
    record: str

    def correct(self, names: Iterable[str]) -> Corrections:
        """Return what a person decided about these names."""
        texts = {ident: file.text for ident, file in self.present.items()}
        return read_corrections(self.generated, texts, names)


def read_stored_entities(view: View, project: str) -> StoredEntities:
    """Return what the last build left of a project's entities, and a person made of it."""
    present = _read_files(view, kind_folder(project, require_kind(view, ENTITY_KIND)))
    record = read_text_or_empty(view, f"{chats_folder(project)}/{FILE_NAME}")
    generated = parse_generated(record)
    for ident, file in present.items():
        if ident in generated:
            generated[ident] = drop_struck_names(generated[ident], file.text)
    return StoredEntities(project, present, generated, record)


def plan_entity_files(
    view: View, stored: StoredEntities, entities: Sequence[StoryEntity]
) -> EntityPlan:
    """Return what makes the files of a project's entities current.

    An entity that is no longer one loses its file, unless a person has changed that. What was
    generated is written beside the chats, for the next build.
    """
    project, present, generated, text = stored
    kind = require_kind(view, ENTITY_KIND)
    folder = kind_folder(project, kind)
    path = f"{chats_folder(project)}/{FILE_NAME}"
    names = [name.removesuffix(".md") for name in view.tree.list_names(folder)]
    next_id = kind.next_id((*names, *(f"{owner}-x" for owner in generated)))
    number = int(next_id.rpartition("-")[2])
    assigned = assign_entity_ids(generated, present, entities, number)
    idents = {entity.name: ident for ident, entity in assigned.entities}
    today = view.clock().date().isoformat()
    writes: list[Write] = []
    after = {owner: lines for owner, lines in generated.items() if owner not in present}
    for ident, entity in assigned.entities:
        new = f"{folder}/{kind.make_file_name(ident, entity.name, in_project=True)}"
        file = present.get(ident, EntityFile(new, None))
        refs = tuple((each.other, idents.get(each.other, "")) for each in entity.relations)
        place = EntityPlace(ident, project, today, refs)
        merged = _merge(generated.get(ident, {}), file, entity, place, is_new=ident not in present)
        after[ident] = merged.generated
        if merged.text != file.text and not (file.text is None and ident in present):
            writes.append(Write(file.path, merged.text, file.text))
    removes = _plan_removes(present, generated, after)
    record = format_generated(after)
    if record != text:
        writes.append(Write(path, record, text if view.tree.is_file(path) else None))
    return EntityPlan(tuple(writes), removes, assigned.removed, len(assigned.entities))


def _merge(
    before: Lines, file: EntityFile, entity: StoryEntity, place: EntityPlace, *, is_new: bool
) -> MergedFile:
    """Return the merged text of an entity; a file that cannot be read stays as it is."""
    if file.text is None and not is_new:
        return MergedFile("", before)
    if file.text is not None and before.get(BUILD_KEY) == _digest_build(entity, place, file.text):
        return MergedFile(file.text, before)
    merged = merge_entity_file(before, file.text, entity, place)
    build = {BUILD_KEY: _digest_build(entity, place, merged.text)}
    return merged._replace(generated=merged.generated | remember_names(before, entity) | build)


def _digest_build(entity: StoryEntity, place: EntityPlace, text: str) -> str:
    return digest_text(f"{entity!r}\n{place.refs}\n{text}")


def _read_files(view: View, folder: str) -> dict[str, EntityFile]:
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


def _plan_removes(
    present: dict[str, EntityFile], generated: dict[str, Lines], after: dict[str, Lines]
) -> tuple[Remove, ...]:
    """Return the removals of what is no entity any more; a file that a person changed stays."""
    removes: list[Remove] = []
    for ident in sorted(present.keys() - after.keys()):
        file, lines = present[ident], generated.get(ident)
        if lines and file.text is not None and is_only_generated(lines, file.text):
            removes.append(Remove(file.path, file.text))
        elif lines:
            after[ident] = lines
    return tuple(removes)
