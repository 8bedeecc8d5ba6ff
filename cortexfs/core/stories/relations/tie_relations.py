"""Relations from the ties of all passages; only those whose ties have changed are made again."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import exp
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.relations.cues import NEGATIVE, POSITIVE, SYMMETRICAL
from cortexfs.core.stories.relations.ranked_relations import RankedRelations
from cortexfs.core.stories.relations.read_relations import CONFIDENCE
from cortexfs.core.stories.relations.relation import NEAR_LABEL, Relation

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.stories.entities.entity import Entity
    from cortexfs.core.stories.entities.evidence import PassageSums, Totals

MAX_PASSAGES = 10
"""Passages that a relation names as its evidence: the last ones."""
NEAR_ENOUGH = 3
"""Sentences that two characters share before they are related without any other sign."""
_GROWTH = 0.15
_WEAKEST = 0.01
_SURE = 3
"""Evidence from which a relation is not a mere suspicion."""
_OBJECTS = {"located_in": {"location"}, "member_of": {"faction"}, "owns": {"item"}}
"""Which type the object must have."""

Key = tuple[str, str, str]
"""The subject, the object and the type of a relation."""
Pair = tuple[str, str]
"""Two names of entities in alphabetical order."""


@dataclass(slots=True)
class RelationSum:
    """What tells a relation, added up; `backwards` counts what was told the other way round.

    `passages` has the first one and the last ones with it.
    """

    evidence: int = 0
    sentiment: int = 0
    confidence: float = 0.0
    labels: dict[str, int] = field(default_factory=dict)
    passages: set[int] = field(default_factory=set)
    backwards: int = 0


class _Tie(NamedTuple):
    """To which relation a tie belongs, how it was told, and whether the other way round."""

    key: Key
    source: str
    word: str
    backwards: bool


class TieRelations:
    """The relations that ties tell, by the pairs of entities that have them.

    `changed` are the ties that were told or taken back since the last update.
    """

    def __init__(self, changed: Iterable[str] = ()) -> None:
        self.changed = set(changed)
        self._named: dict[str, tuple[str, str]] = {}
        self._pairs: dict[str, Pair] = {}
        self._ties: dict[Pair, dict[str, _Tie]] = {}
        self._relations: dict[Pair, list[Relation]] = {}
        self._ranked = RankedRelations()

    def update(self, totals: Totals, by_form: dict[str, Entity]) -> None:
        """Make the relations those of these totals and entities."""
        named = {form: (entity.name, entity.type) for form, entity in by_form.items()}
        renamed = {form for form, _ in named.items() ^ self._named.items()}
        if renamed:
            ties = (tie for tie in totals.ties if not renamed.isdisjoint(tie.split("|")[:2]))
            self.changed.update(ties)
        touched = {pair for tie in self.changed for pair in self._move(tie, totals, by_form)}
        before = [each for pair in touched for each in self._relations.get(pair, ())]
        for pair in touched:
            self._relations[pair] = _make_relations(self._ties[pair], totals)
            if not self._ties[pair]:
                del self._ties[pair], self._relations[pair]
        after = [each for pair in touched for each in self._relations.get(pair, ())]
        self._ranked.replace(before, after)
        self._named = named
        self.changed.clear()

    def _move(self, tie: str, totals: Totals, by_form: dict[str, Entity]) -> Iterator[Pair]:
        """Put a tie to the pair of entities to which it belongs; yield those that it affects."""
        before = self._pairs.pop(tie, None)
        if before:
            del self._ties[before][tie]
            yield before
        if tie in totals.ties and (found := _read_tie(tie, by_form)):
            subject, other, _ = found.key
            pair = self._pairs[tie] = make_pair(subject, other)
            self._ties.setdefault(pair, {})[tie] = found
            yield pair

    def has(self, pair: Pair) -> bool:
        """Return whether there is a tie between two entities."""
        return pair in self._ties

    def list_first(self, count: int) -> list[Relation]:
        """Return the strongest relations, in their order."""
        return self._ranked.list_first(count)


def make_pair(one: str, other: str) -> Pair:
    """Return the pair of two names, whichever comes first."""
    return (one, other) if one < other else (other, one)


def get_strength(evidence: float) -> float:
    """Return the strength, 0 to 1, of a relation with so much evidence."""
    return 1 - exp(-_GROWTH * evidence)


def decay_strength(strength: float, turns: int, rate: float = 0.05) -> float:
    """Return the strength after so many turns without evidence; what is strong fades more slowly.

    `rate`: the loss in a hundred turns of a relation of strength 1.
    """
    return strength * exp(-rate / max(strength, _WEAKEST) * turns / 100)


def _read_tie(tie: str, by_form: dict[str, Entity]) -> _Tie | None:
    """Return what a tie tells; None if it is not between two entities that can be so related."""
    one, other, kind, source, word = tie.split("|")
    subject, object_ = by_form.get(one), by_form.get(other)
    if subject is None or object_ is None or subject is object_:
        return None
    if not _can_be(kind, subject, object_):
        return None
    key, backwards = order_names(subject.name, object_.name, kind)
    return _Tie(key, source, word, backwards)


def _can_be(kind: str, subject: Entity, other: Entity) -> bool:
    """Tell whether entities of these types can be so related."""
    allowed = _OBJECTS.get(kind)
    if allowed is not None:
        return other.type in allowed
    if kind in {"enemy", "ally", "serves", "fears", "rival"}:
        return subject.type in {"character", "faction"} and other.type in {"character", "faction"}
    return subject.type == other.type == "character"


def order_names(subject: str, other: str, kind: str) -> tuple[Key, bool]:
    """Return the key of a tie, and whether it was told the other way round.

    Mutual ones are counted together, `child` as `parent` of the other.
    """
    if kind == "child":
        return (other, subject, "parent"), False
    if kind in SYMMETRICAL and other < subject:
        return (other, subject, kind), True
    return (subject, other, kind), False


def _make_relations(ties: dict[str, _Tie], totals: Totals) -> list[Relation]:
    """Return the relations of a pair of entities, what cannot well be true at once marked."""
    sums: dict[Key, RelationSum] = {}
    for tie, told in ties.items():
        _add_tie(sums.setdefault(told.key, RelationSum()), told, totals.ties[tie])
    relations = [
        make_relation(key, found)
        for key, found in sorted(sums.items())
        if found.labels.get(NEAR_LABEL, NEAR_ENOUGH) >= NEAR_ENOUGH
    ]
    return [_mark(relation, relations) for relation in relations]


def _add_tie(found: RelationSum, tie: _Tie, told: PassageSums) -> None:
    found.evidence += told.first
    found.sentiment += told.second
    found.confidence = max(found.confidence, CONFIDENCE[tie.source])
    found.labels[tie.word] = found.labels.get(tie.word, 0) + told.first
    found.passages.update((told.passages[0], *told.passages[-MAX_PASSAGES:]))
    found.backwards += told.first if tie.backwards else 0


def make_relation(key: Key, found: RelationSum) -> Relation:
    """Return a relation with what tells it."""
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
        round(found.sentiment / found.evidence / 100, 3) + 0.0,  # no -0.0
        found.confidence,
        min(found.passages),
        max(found.passages),
        passages=tuple(sorted(found.passages)[-MAX_PASSAGES:]),
    )


def _mark(relation: Relation, others: Sequence[Relation]) -> Relation:
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
