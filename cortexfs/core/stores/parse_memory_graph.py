"""Parse `memory.json` of the MCP reference server: a line for each entity and each relation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.memory.relations import RELATION_TYPES
from cortexfs.core.stores.json_fields import (
    BadEntry,
    read_line,
    read_lines,
    require_line,
    require_object,
)
from cortexfs.core.stores.stored_values import (
    BrokenEntry,
    StoreContents,
    StoredMemory,
    StoredRelation,
    StoreFormat,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stores.json_fields import Json

OTHER_RELATION = "relates_to"
"""The type of a relation whose own word is no type of ours; the text keeps the word."""
ENTITY, RELATION = "entity", "relation"


class _Entity(NamedTuple):
    """One entity: its type and its observations."""

    type: str
    observations: list[str]


class _Graph(NamedTuple):
    """The entities by name, and the relations `(word, other)` of each with their first place."""

    entities: dict[str, _Entity]
    relations: dict[str, list[tuple[str, str]]]
    places: dict[str, str]


def parse_memory_graph(
    lines: Iterable[tuple[str, Json]], unread: Sequence[BrokenEntry] = ()
) -> StoreContents:
    """Return a memory for each entity; `lines` are the parsed lines with their places.

    Entities of the same name are one entity, as the server reads them. `unread` are lines that are
    not JSON.
    """
    graph, broken = _Graph({}, {}, {}), list(unread)
    for place, line in lines:
        try:
            _add_line(require_object(line), place, graph)
        except BadEntry as error:
            broken.append(BrokenEntry(place, str(error)))
    broken += (
        BrokenEntry(graph.places[name], f"no entity named `{name}`")
        for name in graph.relations
        if name not in graph.entities
    )
    memories = tuple(_make_memory(name, graph) for name in graph.entities)
    broken.sort(key=_line_number)
    return StoreContents(StoreFormat.MEMORY_JSON, memories, broken=tuple(broken))


def _line_number(entry: BrokenEntry) -> tuple[int, str]:
    number = "".join(filter(str.isdecimal, entry.place))
    return int(number or 0), entry.message


def _add_line(line: Mapping[str, Json], place: str, graph: _Graph) -> None:
    kind = read_line(line, "type")
    if kind == ENTITY:
        name = require_line(line, "name")
        entity = graph.entities.setdefault(name, _Entity(read_line(line, "entityType"), []))
        entity.observations.extend(read_lines(line, "observations"))
    elif kind == RELATION:
        source, target = require_line(line, "from"), require_line(line, "to")
        graph.relations.setdefault(source, []).append((require_line(line, "relationType"), target))
        graph.places.setdefault(source, place)
    else:
        raise BadEntry("`type` is neither `entity` nor `relation`")


def _make_memory(name: str, graph: _Graph) -> StoredMemory:
    """Return an entity as a memory: observations and relations are its lines."""
    entity, relations = graph.entities[name], graph.relations.get(name, ())
    lines = [f"- {' '.join(text.split())}" for text in entity.observations]
    if relations:
        lines += ["", "Relations:", "", *(f"- {word} {other}" for word, other in relations)]
    links = (
        StoredRelation(word if word in RELATION_TYPES else OTHER_RELATION, make_origin(other))
        for word, other in relations
        if other in graph.entities and other != name
    )
    return StoredMemory(
        origin=make_origin(name),
        title=name,
        content="\n".join(lines).strip() or f"{name} ({entity.type or 'entity'})",
        type="discovery",
        tags=(entity.type,) if entity.type else (),
        relations=tuple(dict.fromkeys(links)),
    )


def make_origin(name: str) -> str:
    """Return the origin of an entity."""
    return f"{StoreFormat.MEMORY_JSON}:{name}"
