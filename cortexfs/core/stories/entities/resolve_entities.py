"""From the totals of all passages to entities: names, types, aliases, statuses."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.decide_types import decide_types
from cortexfs.core.stories.entities.describe_entity import describe
from cortexfs.core.stories.entities.entity import Corrections, Entity, EntitySettings
from cortexfs.core.stories.entities.gather_forms import gather_forms
from cortexfs.core.stories.entities.link_people import link_people
from cortexfs.core.stories.entities.unite_groups import unite_groups

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import Totals
    from cortexfs.core.stories.entities.name_form import NameForm

_UNSURE = 0.75
_RARE = 20
"""A form that is less than one in so many mentions does not give the entity its name."""


def resolve_entities(
    totals: Totals, settings: EntitySettings | None = None, corrections: Corrections | None = None
) -> list[Entity]:
    """Return the entities, the most mentioned first. Nothing but the arguments decides."""
    settings, corrections = settings or EntitySettings(), corrections or Corrections()
    typed = decide_types(gather_forms(totals, settings, corrections), totals, corrections)
    groups = [
        (person.forms, "character", person.gender)
        for person in link_people(
            [form for form, kind in typed if kind == "character"], _Apart(totals.together)
        )
    ]
    groups += [([form], kind, "") for form, kind in typed if kind != "character"]
    entities = [
        _make_entity(forms, kind, gender, totals, settings)
        for forms, kind, gender in unite_groups(groups, totals.aliases, corrections)
    ]
    kept = [entity for entity in entities if _is_kept(entity, totals, settings)]
    return sorted(kept, key=lambda entity: (-entity.mentions, entity.name))[: settings.maximum]


class _Apart:
    """Tells that two forms stand together in sentences so often that they name two persons."""

    def __init__(self, together: dict[str, int]) -> None:
        self._together = together

    def __call__(self, one: str, other: str, times: int = 3) -> bool:
        return self._together.get("|".join(sorted((one, other))), 0) >= times


def _make_entity(
    forms: list[NameForm], kind: str, gender: str, totals: Totals, settings: EntitySettings
) -> Entity:
    mentions = sum(form.mentions for form in forms)
    ordered = sorted(forms, key=lambda form: (-form.mentions, form.name))
    longest = sorted(forms, key=lambda form: (-len(form.words), -form.mentions, form.name))
    name = next(
        (form.name for form in longest if form.mentions * _RARE >= mentions), ordered[0].name
    )
    names = [form.name for form in ordered]
    seen = [number for form in names for number in totals.seen.get(form, ())]
    confidence = round(1 / (1 + exp(-max(form.odds for form in forms))), 3)
    aliases = tuple(form for form in names if form != name)
    first, last = min(seen, default=0), max(seen, default=0)
    description, facts, status = describe(names, kind, last, totals, settings)
    return Entity(
        name,
        kind,
        aliases,
        mentions,
        confidence,
        gender,
        first,
        last,
        status,
        description,
        facts,
        mentions >= settings.confirmed_at,
    )


def _is_kept(entity: Entity, totals: Totals, settings: EntitySettings) -> bool:
    """Tell whether an entity is confirmed, sure, or was seen lately."""
    if entity.confirmed or entity.confidence >= _UNSURE:
        return True
    return max(totals.passages, default=0) - entity.last <= settings.provisional_passages
