"""The relations between the entities that a recall concerns, each once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.story_entity import RelationType

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownRelation

LEAST_SENTIMENT = 0.15
"""The sentiment from which a relation is good, or bad below its negative."""
_MUTUAL = frozenset({"ally", "enemy", "lover", "sibling", "rival", "custom"})
_INVERSE = {RelationType.CHILD.value: RelationType.PARENT.value}
_PHRASES = {
    "ally": "an ally of",
    "enemy": "an enemy of",
    "lover": "the love of",
    "parent": "the parent of",
    "child": "the child of",
    "sibling": "a sibling of",
    "mentor": "the mentor of",
    "rival": "a rival of",
    "owns": "the owner of",
    "member_of": "a member of",
    "located_in": "in",
    "fears": "afraid of",
    "serves": "in the service of",
    "custom": "close to",
}


class RelationBetween(NamedTuple):
    """A relation of one entity to another: what it is, in words, and its sentiment."""

    subject: str
    object: str
    type: str
    label: str
    strength: float
    sentiment: float
    is_mutual: bool

    @property
    def phrase(self) -> str:
        """What the subject is to the object: `an ally of`."""
        return _PHRASES.get(self.type, _PHRASES["custom"])

    @property
    def mood(self) -> str:
        """Whether it is `positive`, `negative` or `neutral`."""
        if abs(self.sentiment) < LEAST_SENTIMENT:
            return "neutral"
        return "positive" if self.sentiment > 0 else "negative"


def gather_relations(entities: Sequence[KnownEntity], limit: int) -> list[RelationBetween]:
    """Return the strongest relations, those between two entities concerned first."""
    names = {entity.name for entity in entities}
    found: dict[tuple[str, ...], RelationBetween] = {}
    for relation in _iter_relations(entities):
        ends = (relation.subject, relation.object)
        key = (relation.type, *(sorted(ends) if relation.is_mutual else ends))
        known = found.get(key)
        if known is None or relation.strength > known.strength:
            found[key] = relation
    ranked = sorted(found.values(), key=lambda each: (each.object not in names, -each.strength))
    return ranked[:limit]


def _iter_relations(entities: Sequence[KnownEntity]) -> Iterable[RelationBetween]:
    for entity in entities:
        for each in entity.relations:
            yield _make_relation(entity.name, each)


def _make_relation(name: str, each: KnownRelation) -> RelationBetween:
    kind, ends = each.type, (name, each.other)
    if kind in _INVERSE:
        kind, ends = _INVERSE[kind], (each.other, name)
    return RelationBetween(*ends, kind, each.label, each.strength, each.sentiment, kind in _MUTUAL)
