"""What the last build left of a project's entities: their files, and what was generated of them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.generated_lines import FILE_NAME
from cortexfs.core.stories.kept_owners import KeptOwners
from cortexfs.core.stories.pending_build import PendingBuild, complete_generated
from cortexfs.core.stories.read_corrections import read_corrections
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from cortexfs.core.atoms.atom import FileText
    from cortexfs.core.stories.entities.entity import Corrections
    from cortexfs.core.stories.generated_lines import Lines
    from cortexfs.core.stories.owner_state import OwnerState
    from cortexfs.session.view import View

    ReadFiles = Callable[[View, str], "dict[str, EntityFile]"]

NO_FILES: Mapping[str, EntityFile] = MappingProxyType({})


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
    owners: KeptOwners

    def correct(self, names: Iterable[str]) -> Corrections:
        """Return what a person decided about these names."""
        texts = {ident: file.text for ident, file in self.present.items()}
        return read_corrections(self.generated, texts, names, self.owners)

    def read_state(self, ident: str) -> OwnerState:
        """Return what is known of an entity of which something was generated."""
        file = self.present.get(ident)
        return self.owners.read(ident, self.generated[ident], file.text if file else None)

    def has_struck_relations(self, ident: str) -> bool:
        """Return whether a person has struck or changed a relation of an entity."""
        return ident in self.generated and self.read_state(ident).struck_relations


def read_stored_entities(
    view: View,
    project: str,
    pending: PendingBuild | None = None,
    owners: KeptOwners | None = None,
    read_files: ReadFiles | None = None,
) -> StoredEntities:
    """Return what the last build left of a project's entities, and a person made of it.

    `pending` is what that build has noted before it wrote. What is known of the `owners` is not
    made again.
    """
    owners = owners or KeptOwners()
    folder = kind_folder(project, require_kind(view, ENTITY_KIND))
    present = (read_files or read_entity_files)(view, folder)
    record = read_text_or_empty(view, f"{chats_folder(project)}/{FILE_NAME}")
    texts = {ident: file.text for ident, file in present.items()}
    recorded = owners.parse(record)
    completed = complete_generated(record, recorded, pending, texts)
    every = {**recorded, **completed}
    generated = {owner: lines for owner, lines in every.items() if lines is not None}
    for ident, file in present.items():
        if ident in generated:
            generated[ident] = owners.read(ident, generated[ident], file.text).lines
    return StoredEntities(project, present, generated, record, frozenset(completed), owners)


def read_entity_files(
    view: View, folder: str, known: Mapping[str, EntityFile] = NO_FILES
) -> dict[str, EntityFile]:
    """Return the files of entities by id; of several with one id the first.

    Those that are `known`, by path, are not read.
    """
    kind = require_kind(view, ENTITY_KIND)
    found: dict[str, EntityFile] = {}
    with view.tree.open_batch_reader() as read:
        for name in view.tree.list_names(folder):
            ident = kind.parse_file_id(name.removesuffix(".md")) if name.endswith(".md") else None
            if ident is not None and ident not in found:
                path = f"{folder}/{name}"
                found[ident] = known.get(path) or _make_file(path, read(path))
    return found


def _make_file(path: str, file: FileText | Flaw) -> EntityFile:
    return EntityFile(path, None if isinstance(file, Flaw) else file.text)
