"""Find an entity by its ref or by a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.stories.read_entity_file import parse_entity_file
from cortexfs.errors import Refused, Unreadable
from cortexfs.operations.shared.resolve_names import (
    find_current_project,
    require_project,
    resolve_ref,
)
from cortexfs.operations.stories.entity_edits import EntityText
from cortexfs.operations.stories.read_parsed_files import read_entity_files

if TYPE_CHECKING:
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class Whereabouts(NamedTuple):
    """Where a name is looked up: in a project, that of a folder, else as `resolve_ref` does."""

    project: str = ""
    cwd: str = "/"


TREE = Whereabouts()
"""Everywhere: a browser and a request are in no folder."""


def read_entity(session: Session, view: View, typed: str, where: Whereabouts = TREE) -> EntityText:
    """Return the file of the entity with a ref, an id or a name.

    Raises `NoSuchAtom` if there is none, `AmbiguousRef` if there are several, `Unreadable` if the
    file cannot be read, and `Refused` if it is another atom.
    """
    ref, path = _find_entity(session, view, typed, where)
    source = view.tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        raise Unreadable(f"{path}: {source.message}", hint="`cortexfs check` shows what is wrong")
    place, entity = parse_atom_path(path, view.kinds), parse_entity_file(source.text, path)
    if place is None or place.kind.name != ENTITY_KIND or entity is None:
        raise Refused(
            f"{ref} is no entity of a story", hint="`cortexfs list entity` lists the entities"
        )
    return EntityText(ref, path, source.text, entity)


def _find_entity(session: Session, view: View, typed: str, where: Whereabouts) -> tuple[str, str]:
    """Return the ref and the path of an entity: in its project a name is that of an entity."""
    if project := where.project or find_current_project(view, where.cwd):
        require_project(view, project)
        wanted = typed.strip().casefold()
        every = read_entity_files(session, view, project)
        named = [each for each in every if wanted in {each.name.casefold(), each.ident.casefold()}]
        also = [each for each in every if wanted in map(str.casefold, each.aliases)]
        if len(found := named or also) == 1:
            return resolve_ref(view, found[0].ref, "/")
    return resolve_ref(view, typed, where.cwd)
