"""From the ties of all passages to relations: strength, sentiment, contradictions."""

from __future__ import annotations

from heapq import nsmallest
from typing import TYPE_CHECKING

from cortexfs.core.stories.relations.read_relations import CONFIDENCE
from cortexfs.core.stories.relations.relation import NEAR_LABEL, Relation, rank
from cortexfs.core.stories.relations.tie_relations import (
    NEAR_ENOUGH,
    RelationSum,
    TieRelations,
    make_pair,
    make_relation,
    order_names,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.entities.entity import Entity
    from cortexfs.core.stories.entities.evidence import Totals
    from cortexfs.core.stories.relations.tie_relations import Key


def resolve_relations(
    totals: Totals,
    entities: Sequence[Entity],
    maximum: int = 300,
    told: TieRelations | None = None,
) -> list[Relation]:
    """Return the relations, the strongest first.

    `told` keeps those of the last call, and knows which ties have changed since.
    """
    by_form = {form: entity for entity in entities for form in entity.forms}
    told = TieRelations(totals.ties) if told is None else told
    told.update(totals, by_form)
    found = told.list_first(maximum)
    if len(found) == maximum and found[-1].label != NEAR_LABEL:
        return found
    return nsmallest(maximum, (*found, *_list_near(told, totals, by_form)), key=rank)


def _list_near(told: TieRelations, totals: Totals, by_form: dict[str, Entity]) -> list[Relation]:
    """Return relations of characters that share sentences and have no other tie."""
    sums: dict[Key, RelationSum] = {}
    for pair, count in totals.together.items():
        one, other = map(by_form.get, pair.split("|"))
        if one is None or other is None or one is other or {one.type, other.type} != {"character"}:
            continue
        if told.has(make_pair(one.name, other.name)):
            continue
        key, _ = order_names(one.name, other.name, "custom")
        found = sums.setdefault(key, RelationSum(confidence=CONFIDENCE["near"]))
        found.evidence += count
        found.labels[NEAR_LABEL] = found.evidence
        found.passages.update((one.first, max(one.first, min(one.last, other.last))))
    return [make_relation(key, each) for key, each in sums.items() if each.evidence >= NEAR_ENOUGH]
