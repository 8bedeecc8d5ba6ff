"""Read the files of one kind in a project as values; a session parses each content once."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from cortexfs.core.atoms.kinds import ARC_KIND, CHUNK_KIND, ENTITY_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_row import ChunkRow, parse_chunk_row
from cortexfs.core.stories.read_entity_file import KnownEntity, parse_entity_file
from cortexfs.core.stories.summary_file import SummaryFile, parse_summary_file
from cortexfs.operations.shared.resolve_names import require_kind
from cortexfs.operations.stories.kept_values import StoredFile, read_values

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

ValueT = TypeVar("ValueT")


def read_chunk_rows(session: Session, view: View, project: str) -> list[ChunkRow]:
    """Return the chunks of all stories of a project, in the order of their messages."""
    rows = _read_files(session, view, (project, CHUNK_KIND), parse_chunk_row)
    return sorted(rows, key=lambda row: (row.story, row.first, row.ref))


def read_scene_files(session: Session, view: View, project: str) -> list[SummaryFile]:
    """Return the scenes of all stories of a project, by id."""
    return _read_files(session, view, (project, SCENE_KIND), parse_summary_file)


def read_arc_files(session: Session, view: View, project: str) -> list[SummaryFile]:
    """Return the arcs of all stories of a project, by id."""
    return _read_files(session, view, (project, ARC_KIND), parse_summary_file)


def read_entity_files(session: Session, view: View, project: str) -> list[KnownEntity]:
    """Return the entities of the stories of a project, by id, with all that a person edited."""
    return _read_files(session, view, (project, ENTITY_KIND), parse_entity_text)


def parse_entity_text(text: str, ref: str) -> KnownEntity | None:
    """Return the entity with a ref from the text of its file; None if it is none."""
    project = ref.rpartition("/")[0]
    return parse_entity_file(text, f"projects/{project}/entities/")


def _read_files(
    session: Session,
    view: View,
    place: tuple[str, str],
    parse: Callable[[str, str], ValueT | None],
) -> list[ValueT]:
    """Return what `parse` makes of each text and its ref, in path order, of a project and a kind.

    Files that cannot be read, and those of which it makes None, are left out.
    """
    project, kind_name = place
    kind = require_kind(view, kind_name)
    listed = view.queries.list_digests_in(kind_folder(project, kind))
    named = ((path, digest, path.rpartition("/")[2]) for path, digest in listed)
    files = [
        StoredFile(path, digest, f"{project}/{ident}")
        for path, digest, name in named
        if name.endswith(".md") and (ident := kind.parse_file_id(name.removesuffix(".md")))
    ]
    values = read_values(session, view, files, parse)
    return [value for _, value in values if value is not None]
