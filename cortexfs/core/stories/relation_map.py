"""The relations among entities as a graph: one line for each pair that has relations."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation

NEUTRAL = 0.15
"""Up to this sentiment, either way, a relation is neither good nor bad."""


class DirectedRelation(NamedTuple):
    """A relation of one entity to another, as the file of the first says; refs are in full."""

    source: str
    source_name: str
    target: str
    relation: KnownRelation


class RelatedPair(NamedTuple):
    """Two entities, by their numbers, and all relations between them, the strongest first."""

    one: int
    other: int
    relations: tuple[DirectedRelation, ...]

    @property
    def strength(self) -> float:
        """The strength of the strongest relation, from 0 to 1."""
        return self.relations[0].relation.strength

    @property
    def sentiment(self) -> float:
        """The mean sentiment, weighed by strength, from -1 to 1."""
        total = sum(each.relation.strength for each in self.relations)
        felt = sum(each.relation.strength * each.relation.sentiment for each in self.relations)
        return felt / total if total else 0.0

    @property
    def tone(self) -> str:
        """`good`, `bad` or `neutral`."""
        return name_tone(self.sentiment)

    @property
    def types(self) -> tuple[str, ...]:
        """The types of the relations, each once."""
        return tuple(dict.fromkeys(each.relation.type for each in self.relations))


class RelationMap(NamedTuple):
    """Entities that have relations, and the pairs among them."""

    entities: Sequence[KnownEntity]
    pairs: Sequence[RelatedPair]

    @property
    def links(self) -> tuple[tuple[int, int], ...]:
        """The pairs by their numbers alone."""
        return tuple((pair.one, pair.other) for pair in self.pairs)


def name_tone(sentiment: float) -> str:
    """Return what a sentiment means: `good`, `bad` or `neutral`."""
    if abs(sentiment) <= NEUTRAL:
        return "neutral"
    return "good" if sentiment > 0 else "bad"


def list_relations(project: str, entities: Iterable[KnownEntity]) -> list[DirectedRelation]:
    """Return the relations of the entities of a project, the strongest first.

    One to an entity without a file has an empty target.
    """
    found = [
        DirectedRelation(entity.ref, entity.name, f"{project}/{each.ref}" if each.ref else "", each)
        for entity in entities
        for each in entity.relations
    ]
    return sorted(found, key=lambda each: (-each.relation.strength, each.source_name))


def map_relations(
    entities: Sequence[KnownEntity], relations: Sequence[DirectedRelation], limit: int
) -> RelationMap:
    """Return the graph of some relations; of more than `limit` entities, those mentioned most."""
    ends = {ref for each in relations for ref in (each.source, each.target)}
    named = sorted((each for each in entities if each.ref in ends), key=lambda one: -one.mentions)
    chosen = named[:limit]
    numbers = {entity.ref: at for at, entity in enumerate(chosen)}
    pairs: dict[tuple[int, int], list[DirectedRelation]] = {}
    for each in relations:
        one, other = numbers.get(each.source), numbers.get(each.target)
        if one is not None and other is not None and one != other:
            pairs.setdefault((min(one, other), max(one, other)), []).append(each)
    used = {number for pair in pairs for number in pair}
    kept = [number for number in range(len(chosen)) if number in used]
    places = {number: at for at, number in enumerate(kept)}
    return RelationMap(
        [chosen[number] for number in kept],
        [
            RelatedPair(places[one], places[other], tuple(found))
            for (one, other), found in sorted(pairs.items())
        ],
    )
