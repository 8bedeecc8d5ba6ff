"""From the sum of passages to entities as their files show them."""

from __future__ import annotations

from collections import Counter
from functools import partial
from math import log2
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.settings.story_settings import DEFAULT_STORIES
from cortexfs.core.stories.colours.resolve_colours import resolve_colours
from cortexfs.core.stories.entities.entity import EntitySettings
from cortexfs.core.stories.entities.resolve_entities import resolve_entities
from cortexfs.core.stories.generated_lines import make_key
from cortexfs.core.stories.prune_entities import Absence, mark_absent, prune_relations
from cortexfs.core.stories.relations.resolve_relations import resolve_relations
from cortexfs.core.stories.story_entity import (
    EntityFact,
    EntityRelation,
    EntityStatus,
    EntityType,
    RelationType,
    StoryEntity,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.settings.story_settings import StoryEntitySettings
    from cortexfs.core.stories.entities.describe_entity import PlacedFact
    from cortexfs.core.stories.entities.entity import Corrections, Entity
    from cortexfs.core.stories.project_passages import ProjectPassages
    from cortexfs.core.stories.relations.relation import Relation

MAX_EMOTIONS = 5
"""Emotions that an entity shows: the most frequent ones."""
_SMOOTHING = 0.15
_MAX_AVERAGED = 100
"""Chunks of which the average is made: earlier ones would add less than 1e-6."""
_MENTION_SHARE, _MENTIONS_LOG, _VALUE_SHARE, _CENTRAL_SHARE = 0.35, 7, 0.35, 0.15
_PEAK_FACTOR = 0.8
_MANY_MENTIONS, _MANY_BONUS = 10, 0.15
_INVERSE = {RelationType.PARENT: RelationType.CHILD, RelationType.CHILD: RelationType.PARENT}
_MUTUAL = frozenset(
    {
        RelationType.ALLY,
        RelationType.ENEMY,
        RelationType.LOVER,
        RelationType.SIBLING,
        RelationType.RIVAL,
        RelationType.CUSTOM,
    }
)

Related = dict[str, list[EntityRelation]]


def describe_entities(
    passages: ProjectPassages,
    corrections: Corrections,
    settings: StoryEntitySettings = DEFAULT_STORIES.entities,
) -> list[StoryEntity]:
    """Return the entities of a project, the most mentioned first."""
    entities = resolve_entities(passages.totals, _select(settings), corrections)
    absence, stale_after = Absence(passages), settings.stale_after
    relations = resolve_relations(passages.totals, entities, told=passages.relations)
    if settings.prune:
        relations = prune_relations(relations, absence, stale_after)
    related = _relate(relations)
    degrees = {name: len({each.other for each in found}) for name, found in related.items()}
    most = max(degrees.values(), default=1)
    shares = {name: degree / most for name, degree in degrees.items()}
    described = (_describe(passages, entity, related, shares) for entity in entities)
    colours = resolve_colours(passages.totals, entities, corrections.colours)
    found = [each._replace(colours=colours.get(each.name, ())) for each in described if each]
    return [mark_absent(each, absence, stale_after) for each in found] if settings.prune else found


def _select(settings: StoryEntitySettings) -> EntitySettings:
    return EntitySettings(
        protected=frozenset(map(str.lower, settings.protected)),
        minimum_confidence=settings.minimum_confidence,
        facts=settings.facts,
        fact_importance=settings.fact_importance,
        prune=settings.prune,
    )


class _Presence(NamedTuple):
    """The first and the last chunk with an entity, their saliences, and their emotions.

    `average` is that of the last ones, `emotions` are the most frequent, each with its part.
    """

    first: int
    last: int
    average: float
    peak: float
    emotions: tuple[tuple[str, float], ...]


def _score_entity(found: _Presence, mentions: int, centrality: float) -> float:
    """Return the salience of an entity, from 0 to 1.

    `centrality` is its part of the relations of the entity that has most.
    """
    score = (
        _MENTION_SHARE * log2(1 + mentions) / _MENTIONS_LOG
        + _VALUE_SHARE * max(_PEAK_FACTOR * found.peak, found.average)
        + _CENTRAL_SHARE * centrality
        + (_MANY_BONUS if mentions > _MANY_MENTIONS else 0)
    )
    return round(min(1.0, score), 4)


def _describe(
    passages: ProjectPassages, entity: Entity, related: Related, shares: Mapping[str, float]
) -> StoryEntity | None:
    """Return an entity as its file shows it; None if no chunk has it."""
    found = _find_presence(passages, entity)
    if found is None:
        return None
    return StoryEntity(
        name=entity.name,
        type=EntityType(entity.type),
        status=EntityStatus(entity.status),
        aliases=_keep_distinct(entity.aliases, entity.name),
        mentions=entity.mentions,
        salience=_score_entity(found, entity.mentions, shares.get(entity.name, 0.0)),
        first_chunk=found.first,
        last_chunk=found.last,
        description=entity.description,
        facts=_place_facts(passages, entity),
        emotions=found.emotions,
        relations=tuple(related.get(entity.name, ())),
    )


def _find_presence(passages: ProjectPassages, entity: Entity) -> _Presence | None:
    held = passages.totals.seen
    seen = [held[form] for form in entity.forms if form in held]
    if seen:
        make = partial(_make_presence, passages, seen)
        return passages.presence.get(entity.forms, None, make)
    words = ((number, each.evidence.words) for number, each in passages.by_number.items())
    numbers = [number for number, found in words if entity.name in found]  # a protected word
    return _make_presence(passages, [numbers]) if numbers else None


def _make_presence(passages: ProjectPassages, seen: Sequence[Sequence[int]]) -> _Presence:
    numbers = sorted(set().union(*seen))
    chunks = list(map(passages.by_number.__getitem__, numbers))
    values = [chunk.salience for chunk in chunks]
    counts: Counter[str] = Counter()
    for names, times in Counter([chunk.emotions for chunk in chunks]).items():
        counts.update(dict.fromkeys(names, times))
    total = counts.total()
    emotions = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_EMOTIONS]
    average, *later = values[-_MAX_AVERAGED:]
    for value in later:
        average += _SMOOTHING * (value - average)
    shares = tuple((name, counts[name] / total) for name in emotions)
    return _Presence(numbers[0], numbers[-1], average, max(values), shares)


def _keep_distinct(names: Sequence[str], but: str) -> tuple[str, ...]:
    """Return names of which no two differ in case alone, nor from `but`."""
    distinct = {make_key("", but): but}
    for name in names:
        distinct.setdefault(make_key("", name), name)
    return tuple(distinct.values())[1:]


def _place_facts(passages: ProjectPassages, entity: Entity) -> tuple[EntityFact, ...]:
    """Return the facts of an entity; they are kept as long as the values that they are made of."""
    facts = entity.facts
    kept: tuple[tuple[PlacedFact, ...], tuple[EntityFact, ...]] = passages.placed.get(
        entity.forms, id(facts), lambda: (facts, _make_facts(facts))
    )
    return kept[1]


def _make_facts(facts: Sequence[PlacedFact]) -> tuple[EntityFact, ...]:
    distinct: dict[str, EntityFact] = {}
    for words, importance, chunk in facts:
        distinct.setdefault(make_key("", words), EntityFact(words, importance, chunk))
    return tuple(distinct.values())


def _relate(relations: Sequence[Relation]) -> Related:
    """Return the relations of each entity by name; mutual ones belong to both."""
    related: dict[str, dict[str, EntityRelation]] = {}
    for found in relations:
        kind = RelationType(found.type)
        _add(related, found, (found.subject, found.object), kind)
        if kind in _MUTUAL or kind in _INVERSE:
            _add(related, found, (found.object, found.subject), _INVERSE.get(kind, kind))
    return {name: list(own.values()) for name, own in related.items()}


def _add(
    related: dict[str, dict[str, EntityRelation]],
    found: Relation,
    names: tuple[str, str],
    kind: RelationType,
) -> None:
    name, other = names
    relation = EntityRelation(
        other,
        kind,
        found.strength,
        found.sentiment,
        found.passages,
        found.label,
        found.contradiction,
    )
    related.setdefault(name, {}).setdefault(make_key(kind.value, other), relation)
