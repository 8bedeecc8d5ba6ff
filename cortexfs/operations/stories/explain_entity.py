"""Show what is known of an entity, and what says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.operations.stories.explain_chunk import explain_chunk
from cortexfs.operations.stories.find_entity import TREE, Whereabouts, read_entity
from cortexfs.operations.stories.find_fact_sources import find_fact_sources

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.fact_source import FactSource
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.operations.stories.explain_chunk import ChunkExplanation
    from cortexfs.session.session import Session


class EntityExplanation(NamedTuple):
    """An entity, and the source of each of its facts."""

    entity: KnownEntity
    sources: Sequence[FactSource]


def explain_entity(session: Session, typed: str, where: Whereabouts = TREE) -> EntityExplanation:
    """Return what is known of an entity, by its ref or a name; raises as `read_entity` does."""
    with session.read() as view:
        entity = read_entity(session, view, typed, where).entity
    return EntityExplanation(entity, find_fact_sources(session, [entity])[entity.ref])


def explain_atom(session: Session, typed: str, cwd: str) -> ChunkExplanation | EntityExplanation:
    """Return the explanation of an entity or of a chunk; raises as that of a chunk does."""
    with session.read() as view:
        ref, path = resolve_ref(view, typed, cwd)
        place = parse_atom_path(path, view.kinds)
    if place is not None and place.kind.name == ENTITY_KIND:
        return explain_entity(session, ref)
    return explain_chunk(session, ref, cwd)
