"""From the totals of all passages to entities: names, types, aliases, statuses."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.entities.decide_types import decide_types
from cortexfs.core.stories.entities.describe_entity import describe
from cortexfs.core.stories.entities.entity import Corrections, Entity, EntitySettings
from cortexfs.core.stories.entities.find_kin import find_kin, find_wives
from cortexfs.core.stories.entities.gather_forms import gather_forms
from cortexfs.core.stories.entities.link_people import link_people
from cortexfs.core.stories.entities.unite_groups import unite_groups

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import Totals
    from cortexfs.core.stories.entities.name_form import NameForm
    from cortexfs.core.stories.entities.unite_groups import Group

_UNSURE = 0.75
_OFTEN_TOGETHER, _SHARE = 3, 0.1
_RARE = 20
"""A form that is less than one in so many mentions does not give the entity its name."""


class _Draft(NamedTuple):
    forms: list[NameForm]
    type: str
    gender: str
    name: str
    mentions: int
    confidence: float


def resolve_entities(
    totals: Totals, settings: EntitySettings | None = None, corrections: Corrections | None = None
) -> list[Entity]:
    """Return the entities, the most mentioned first. Nothing but the arguments decides."""
    settings, corrections = settings or EntitySettings(), corrections or Corrections()
    typed = decide_types(gather_forms(totals, settings, corrections), totals)
    people = [form for form, kind in typed if kind == "character"]
    persons = link_people(people, _Apart(totals.together, find_kin(totals.ties)))
    groups: list[Group] = [(person.forms, "character", person.gender) for person in persons]
    groups += [([form], kind, "") for form, kind in typed if kind != "character"]
    introduced = totals.aliases | find_wives(totals.ties, persons)
    united = unite_groups(groups, introduced, corrections)
    named = frozenset(name.lower() for name, _ in corrections.same)
    drafts = [_draft(group, named) for group in united]
    kept = [draft for draft in drafts if _is_kept(draft, totals, settings)]
    kept.sort(key=lambda draft: (-draft.mentions, draft.name))
    most = settings.maximum if settings.prune else len(kept)
    return [_make_entity(draft, totals, settings) for draft in kept[:most]]


class _Apart:
    """Tells that two forms name two persons: relatives, or often together in sentences."""

    def __init__(self, together: dict[str, int], kin: frozenset[str]) -> None:
        self._together = together
        self._kin = kin

    def __call__(self, one: str, other: str, mentions: int) -> bool:
        pair = f"{one}|{other}" if one < other else f"{other}|{one}"
        if pair in self._kin:
            return True
        times = self._together.get(pair, 0)
        return times > 0 if mentions == 0 else times >= max(_OFTEN_TOGETHER, mentions * _SHARE)


def _draft(group: Group, named: frozenset[str]) -> _Draft:
    """Return an entity; `named` are the names to which a person has added others."""
    forms, kind, gender = group
    mentions = sum(form.mentions for form in forms)
    ordered = sorted(forms, key=lambda form: (-form.mentions, form.name))
    longest = sorted(ordered, key=lambda form: -len(form.words))
    kept = (form.name for form in ordered if form.name.lower() in named)
    name = next(kept, "") or next(f.name for f in longest if f.mentions * _RARE >= mentions)
    confidence = round(1 / (1 + exp(-max(form.odds for form in forms))), 3)
    return _Draft(ordered, kind, gender, name, mentions, confidence)


def _is_kept(draft: _Draft, totals: Totals, settings: EntitySettings) -> bool:
    """Tell whether an entity is confirmed, sure, or was seen lately."""
    confirmed = draft.mentions >= settings.confirmed_at or draft.confidence >= _UNSURE
    if confirmed or not settings.prune:
        return True
    _, last = _find_ends(draft, totals)
    return max(totals.passages, default=0) - last <= settings.provisional_passages


def _find_ends(draft: _Draft, totals: Totals) -> tuple[int, int]:
    """Return the first and the last passage with an entity; 0 if there is none."""
    seen = [totals.seen[form.name] for form in draft.forms if form.name in totals.seen]
    first = min((numbers[0] for numbers in seen), default=0)
    return first, max((numbers[-1] for numbers in seen), default=0)


def _make_entity(draft: _Draft, totals: Totals, settings: EntitySettings) -> Entity:
    names = tuple(form.name for form in draft.forms)
    first, last = _find_ends(draft, totals)
    description, facts, status = totals.described.get(
        names,
        (draft.type, last, settings.facts, settings.fact_importance),
        lambda: describe(names, draft.type, last, totals, settings),
    )
    return Entity(
        name=draft.name,
        type=draft.type,
        aliases=tuple(name for name in names if name != draft.name),
        mentions=draft.mentions,
        confidence=draft.confidence,
        gender=draft.gender,
        first=first,
        last=last,
        status=status,
        description=description,
        facts=facts,
        confirmed=draft.mentions >= settings.confirmed_at,
    )
