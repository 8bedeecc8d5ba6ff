"""List the relations among the entities of a project, and lay them out as a graph."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.row_facets import RowFacets
from cortexfs.core.graph.lay_out_graph import lay_out_small_graph
from cortexfs.core.stories.relation_map import list_relations, map_relations, name_tone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.graph.lay_out_graph import GraphLayout
    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.stories.relation_map import DirectedRelation, RelationMap

RELATION_SORTS = {"strength": True, "sentiment": True, "name": False}
"""The orders of relations, each with whether it begins with the highest."""
RELATION_FACETS = ("type", "tone")
RELATIONS_PER_PAGE = 50
MAX_DRAWN = 60
"""Maximum number of entities in the picture."""


class RelationFilter(NamedTuple):
    """Which relations; empty fields are any. `entity` is a ref of either end."""

    entity: str = ""
    type: str = ""
    tone: str = ""
    sort: str = "strength"
    descending: bool = True
    page: int = 1


class RelationSelection(NamedTuple):
    """A page of the relations that match, the number of all that do, the counts, and the graph."""

    relations: Sequence[DirectedRelation]
    total: int
    facets: Mapping[str, Sequence[tuple[str, int]]]
    graph: RelationMap
    layout: GraphLayout


def select_relations(
    project: str, entities: Sequence[KnownEntity], wanted: RelationFilter
) -> RelationSelection:
    """Return the relations of a project's entities that match, in a table and as a graph.

    Raises `Refused` without the extra `server`.
    """
    every = list_relations(project, entities)
    near = [each for each in every if wanted.entity in {"", each.source, each.target}]
    chosen = _FACETS.select_rows(near, wanted)
    graph = map_relations(entities, chosen, MAX_DRAWN)
    chosen.sort(key=lambda each: _sort_key(each, wanted.sort), reverse=wanted.descending)
    start = (wanted.page - 1) * RELATIONS_PER_PAGE
    return RelationSelection(
        chosen[start : start + RELATIONS_PER_PAGE],
        len(chosen),
        _FACETS.count_values(near, wanted),
        graph,
        lay_out_small_graph(len(graph.entities), graph.links, Random(0)),  # noqa: S311 - a picture
    )


def _values(each: DirectedRelation, name: str) -> tuple[str, ...]:
    return (each.relation.type if name == "type" else name_tone(each.relation.sentiment),)


_FACETS = RowFacets(RELATION_FACETS, _values)


def _sort_key(each: DirectedRelation, sort: str) -> tuple[float | str, float]:
    values: dict[str, float | str] = {
        "name": each.source_name.casefold(),
        "sentiment": each.relation.sentiment,
    }
    return values.get(sort, each.relation.strength), each.relation.strength
