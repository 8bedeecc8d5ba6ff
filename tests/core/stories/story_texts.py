"""What tests read: passages, and what is found in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.evidence import Totals
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.entities.resolve_entities import resolve_entities
from cortexfs.core.stories.relations.resolve_relations import resolve_relations

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.entity import Corrections, Entity, EntitySettings
    from cortexfs.core.stories.relations.relation import Relation


def read(*passages: str, speakers: tuple[str, ...] = ()) -> Totals:
    totals = Totals()
    for number, passage in enumerate(passages, 1):
        totals.add(number, read_passage(passage, speakers))
    return totals


def find(
    *passages: str,
    speakers: tuple[str, ...] = (),
    settings: EntitySettings | None = None,
    corrections: Corrections | None = None,
) -> dict[str, Entity]:
    entities = resolve_entities(read(*passages, speakers=speakers), settings, corrections)
    return {entity.name: entity for entity in entities}


def find_types(*passages: str, speakers: tuple[str, ...] = ()) -> dict[str, str]:
    return {name: entity.type for name, entity in find(*passages, speakers=speakers).items()}


def relate(*passages: str) -> list[Relation]:
    totals = read(*passages)
    return resolve_relations(totals, resolve_entities(totals))
