"""From the sum of passages to entities as their files show them."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from math import log2
from typing import TYPE_CHECKING

from cortexfs.core.stories.colours.resolve_colours import resolve_colours
from cortexfs.core.stories.entities.read_texts import FACT
from cortexfs.core.stories.entities.resolve_entities import resolve_entities
from cortexfs.core.stories.generated_lines import make_key
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

    from cortexfs.core.stories.entities.entity import Corrections, Entity
    from cortexfs.core.stories.entities.evidence import Totals
    from cortexfs.core.stories.project_passages import ProjectPassages
    from cortexfs.core.stories.relations.resolve_relations import Relation

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


def describe_entities(passages: ProjectPassages, corrections: Corrections) -> list[StoryEntity]:
    """Return the entities of a project, the most mentioned first."""
    entities = resolve_entities(passages.totals, corrections=corrections)
    related = _relate(resolve_relations(passages.totals, entities))
    degrees = {name: len({each.other for each in found}) for name, found in related.items()}
    most = max(degrees.values(), default=1)
    shares = {name: degree / most for name, degree in degrees.items()}
    described = (_describe(passages, entity, related, shares) for entity in entities)
    colours = resolve_colours(passages.totals, entities)
    return [each._replace(colours=colours.get(each.name, ())) for each in described if each]


def score_entity(values: Sequence[float], mentions: int, centrality: float) -> float:
    """Return the salience of an entity, from 0 to 1.

    `values` are the saliences of the chunks with it, at least one, in their order; `centrality` is
    its part of the relations of the entity that has most.
    """
    average, *later = values[-_MAX_AVERAGED:]
    for value in later:
        average += _SMOOTHING * (value - average)
    peak = max(values)
    score = (
        _MENTION_SHARE * log2(1 + mentions) / _MENTIONS_LOG
        + _VALUE_SHARE * max(_PEAK_FACTOR * peak, average)
        + _CENTRAL_SHARE * centrality
        + (_MANY_BONUS if mentions > _MANY_MENTIONS else 0)
    )
    return round(min(1.0, score), 4)


def _describe(
    passages: ProjectPassages, entity: Entity, related: Related, shares: Mapping[str, float]
) -> StoryEntity | None:
    """Return an entity as its file shows it; None if no chunk has it."""
    seen = sorted({n for form in entity.forms for n in passages.totals.seen.get(form, ())})
    if not seen:
        return None
    found = [passages.by_number[number] for number in seen]
    values = [passage.salience for passage in found]
    counts = Counter(chain.from_iterable(passage.emotions for passage in found))
    total = counts.total()
    emotions = sorted(counts, key=lambda name: (-counts[name], name))[:MAX_EMOTIONS]
    return StoryEntity(
        name=entity.name,
        type=EntityType(entity.type),
        status=EntityStatus(entity.status),
        aliases=_keep_distinct(entity.aliases, entity.name),
        mentions=entity.mentions,
        salience=score_entity(values, entity.mentions, shares.get(entity.name, 0.0)),
        first_chunk=seen[0],
        last_chunk=seen[-1],
        description=entity.description,
        facts=_place_facts(entity, passages.totals),
        emotions=tuple((name, counts[name] / total) for name in emotions),
        relations=tuple(related.get(entity.name, ())),
    )


def _keep_distinct(names: Sequence[str], but: str) -> tuple[str, ...]:
    """Return names of which no two differ in case alone, nor from `but`."""
    distinct = {make_key("", but): but}
    for name in names:
        distinct.setdefault(make_key("", name), name)
    return tuple(distinct.values())[1:]


def _place_facts(entity: Entity, totals: Totals) -> tuple[EntityFact, ...]:
    """Return the facts of an entity, each with the first chunk that says it."""
    chunks: dict[str, int] = {}
    for form in entity.forms:
        for number, texts in totals.texts.get(form, {}).items():
            for kind, words, _ in texts:
                if kind == FACT:
                    key = words.casefold()
                    chunks[key] = min(number, chunks.get(key, number))
    facts = (
        EntityFact(words, importance, chunks[words.casefold()])
        for words, importance in entity.facts
    )
    distinct: dict[str, EntityFact] = {}
    for fact in facts:
        distinct.setdefault(make_key("", fact.text), fact)
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
