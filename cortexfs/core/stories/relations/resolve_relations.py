"""From the ties of all passages to relations: strength, sentiment, contradictions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from typing import TYPE_CHECKING

from cortexfs.core.stories.relations.cues import NEGATIVE, POSITIVE, SYMMETRICAL
from cortexfs.core.stories.relations.read_relations import CONFIDENCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.stories.entities.entity import Entity
    from cortexfs.core.stories.entities.evidence import Totals

_GROWTH = 0.15
_WEAKEST = 0.01
_SURE = 3
"""Evidence from which a relation is not a mere suspicion."""
_NEAR = 3
"""Sentences that two characters share before they are related without any other sign."""
NEAR_LABEL = "appears with"
_OBJECTS = {"located_in": {"location"}, "member_of": {"faction"}, "owns": {"item"}}
"""Which type the object must have."""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one entity is to another: Caesar is a sibling of Melina.

    `evidence`: how many times it was told. `strength`, `confidence`: 0 to 1; `sentiment`: -1 to 1.
    `first`, `last`, `passages`: numbers of passages. `contradiction`: "", temporal (this one is
    older and superseded), complex (both are well supported) or suspect (the other one is better
    supported).
    """

    subject: str
    object: str
    type: str
    label: str
    evidence: int
    strength: float
    sentiment: float
    confidence: float
    first: int
    last: int
    contradiction: str = ""
    passages: tuple[int, ...] = ()


@dataclass(slots=True)
class _Sum:
    evidence: int = 0
    sentiment: int = 0
    confidence: float = 0.0
    labels: dict[str, int] = field(default_factory=dict)
    passages: set[int] = field(default_factory=set)
    backwards: int = 0


def resolve_relations(
    totals: Totals, entities: Sequence[Entity], maximum: int = 300
) -> list[Relation]:
    """Return the relations, the strongest first."""
    by_form = {form: entity for entity in entities for form in entity.forms}
    sums = _sum_ties(totals, by_form)
    _add_near(sums, totals, by_form)
    relations = [_make(key, found) for key, found in sorted(sums.items())]
    marked = _mark_contradictions(relations)
    return sorted(
        marked,
        key=lambda r: (
            r.label == NEAR_LABEL,
            -r.evidence * r.confidence,
            r.subject,
            r.object,
            r.type,
        ),
    )[:maximum]


def get_strength(evidence: float) -> float:
    """Return the strength, 0 to 1, of a relation with so much evidence."""
    return 1 - exp(-_GROWTH * evidence)


def decay_strength(strength: float, turns: int, rate: float = 0.05) -> float:
    """Return the strength after so many turns without evidence; what is strong fades more slowly.

    `rate`: the loss in a hundred turns of a relation of strength 1.
    """
    return strength * exp(-rate / max(strength, _WEAKEST) * turns / 100)


_Key = tuple[str, str, str]


def _sum_ties(totals: Totals, by_form: dict[str, Entity]) -> dict[_Key, _Sum]:
    sums: dict[_Key, _Sum] = {}
    for tie, passages in sorted(totals.ties.items()):
        amount = sum(amount for amount, _ in passages.values())
        one, other, kind, source, word = tie.split("|")
        subject, other_entity = by_form.get(one), by_form.get(other)
        if (
            subject is None
            or other_entity is None
            or subject is other_entity
            or not _can_be(kind, subject, other_entity)
        ):
            continue
        key, backwards = _order(subject.name, other_entity.name, kind)
        found = sums.setdefault(key, _Sum())
        found.evidence += amount
        found.sentiment += sum(sentiment for _, sentiment in passages.values())
        found.confidence = max(found.confidence, CONFIDENCE[source])
        found.labels[word] = found.labels.get(word, 0) + amount
        found.passages.update(passages)
        found.backwards += amount if backwards else 0
    return sums


def _can_be(kind: str, subject: Entity, other: Entity) -> bool:
    """Tell whether entities of these types can be so related."""
    allowed = _OBJECTS.get(kind)
    if allowed is not None:
        return other.type in allowed
    if kind in {"enemy", "ally", "serves", "fears", "rival"}:
        return subject.type in {"character", "faction"} and other.type in {"character", "faction"}
    return subject.type == other.type == "character"


def _order(subject: str, other: str, kind: str) -> tuple[_Key, bool]:
    """Return the key of a tie, and whether it was told the other way round.

    Mutual ones are counted together, `child` as `parent` of the other.
    """
    if kind == "child":
        return (other, subject, "parent"), False
    if kind in SYMMETRICAL and other < subject:
        return (other, subject, kind), True
    return (subject, other, kind), False


def _add_near(sums: dict[_Key, _Sum], totals: Totals, by_form: dict[str, Entity]) -> None:
    """Relate characters that share sentences and have no other tie."""
    tied = {frozenset(key[:2]) for key in sums}
    for pair, count in sorted(totals.together.items()):
        one, other = (by_form.get(form) for form in pair.split("|"))
        if one is None or other is None or one is other or {one.type, other.type} != {"character"}:
            continue
        if frozenset({one.name, other.name}) in tied:
            continue
        key, _ = _order(one.name, other.name, "custom")
        found = sums.setdefault(key, _Sum(confidence=CONFIDENCE["near"]))
        found.evidence += count
        found.labels[NEAR_LABEL] = found.evidence
        found.passages.update((one.first, max(one.first, min(one.last, other.last))))
    for key in [key for key, found in sums.items() if found.labels.get(NEAR_LABEL, _NEAR) < _NEAR]:
        del sums[key]


def _make(key: _Key, found: _Sum) -> Relation:
    subject, other, kind = key
    if found.backwards * 2 > found.evidence:
        subject, other = other, subject
    label = max(found.labels, key=lambda word: (found.labels[word], word))
    return Relation(
        subject,
        other,
        kind,
        label,
        found.evidence,
        round(get_strength(found.evidence), 3),
        round(found.sentiment / found.evidence / 100, 3),
        found.confidence,
        min(found.passages, default=0),
        max(found.passages, default=0),
        passages=tuple(sorted(found.passages)),
    )


def _mark_contradictions(relations: Iterable[Relation]) -> list[Relation]:
    """Mark what cannot well be true at once: ally and enemy, lover and rival."""
    pairs: dict[frozenset[str], list[Relation]] = {}
    for relation in relations:
        pairs.setdefault(frozenset({relation.subject, relation.object}), []).append(relation)
    return [
        _mark(relation, pairs[frozenset({relation.subject, relation.object})])
        for relation in relations
    ]


def _mark(relation: Relation, others: list[Relation]) -> Relation:
    opposite = NEGATIVE if relation.type in POSITIVE else POSITIVE
    if relation.type not in POSITIVE | NEGATIVE:
        return relation
    against = [other for other in others if other.type in opposite]
    if not against:
        return relation
    other = max(against, key=lambda found: (found.evidence, found.type))
    if relation.last < other.first:
        return replace(relation, contradiction="temporal")
    if relation.evidence >= _SURE and other.evidence >= _SURE and relation.first <= other.last:
        return replace(relation, contradiction="complex")
    if relation.evidence < _SURE <= other.evidence:
        return replace(relation, contradiction="suspect")
    return relation
