"""Read the files of one kind in a project as values; a session parses each content once."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast
from weakref import WeakKeyDictionary

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ARC_KIND, CHUNK_KIND, ENTITY_KIND, SCENE_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.stories.chunk_row import ChunkRow, parse_chunk_row
from cortexfs.core.stories.read_entity_file import KnownEntity, parse_entity_file
from cortexfs.core.stories.summary_file import SummaryFile, parse_summary_file
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.session import Session
    from cortexfs.session.view import View

ValueT = TypeVar("ValueT")

MAX_FOLDERS = 16
"""Folders whose values a session keeps."""
_Known = dict[str, tuple[bytes, object]]
_KEPT: WeakKeyDictionary[Session, dict[str, _Known]] = WeakKeyDictionary()
_LOCK = Lock()


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
    return _read_files(session, view, (project, ENTITY_KIND), _parse_entity)


def _parse_entity(text: str, ref: str) -> KnownEntity | None:
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
    folder = kind_folder(project, kind)
    known = _get_known(session, folder)
    found: _Known = {}
    with view.tree.open_batch_reader() as read:
        for path, digest in view.queries.list_digests_in(folder):
            name = path.rpartition("/")[2]
            ident = kind.parse_file_id(name.removesuffix(".md")) if name.endswith(".md") else None
            if ident is None:
                continue
            entry = known.get(path)
            if entry is None or entry[0] != digest:
                file = read(path)
                if isinstance(file, Flaw):  # not kept: the same bytes may be readable later
                    continue
                entry = (digest, parse(file.text, f"{project}/{ident}"))
            found[path] = entry
    _keep_known(session, folder, found)
    return [cast("ValueT", value) for _, value in found.values() if value is not None]


def _get_known(session: Session, folder: str) -> _Known:
    with _LOCK:
        return _KEPT.setdefault(session, {}).get(folder, {})


def _keep_known(session: Session, folder: str, known: _Known) -> None:
    with _LOCK:
        kept = _KEPT.setdefault(session, {})
        kept.pop(folder, None)
        kept[folder] = known
        while len(kept) > MAX_FOLDERS:
            kept.pop(next(iter(kept)))
