"""The colours of characters, from what all passages say of colours."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.colours.speaker_colour import ColourUsage, SpeakerColour

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.stories.entities.entity import Entity
    from cortexfs.core.stories.entities.evidence import Totals

_BASE, _GAIN, _MOST = 0.4, 0.55, 0.95
_UNSURE, _UNSURE_GAIN = 0.5, 0.2
KEPT_IN_CONFLICT = 0.7
"""A colour of two characters is that of both if each is surer than this, and neither is rare."""
_RARE = 1 / 3
_CHARACTER = "character"

Claim = tuple[str, ColourUsage, str]
"""Whose colour, for what, and the colour."""


class Sightings(NamedTuple):
    """How often a colour was seen as somebody's, how sure in sum, and first in which passage."""

    times: int
    weight: float
    first: int

    @property
    def confidence(self) -> float:
        """How sure it is, from 0 to 1: more with each sighting."""
        mean = self.weight / self.times
        if self.times == 1:
            return mean
        raised = min(_MOST, _BASE + _GAIN * (1 - 1 / (self.times + 1)))
        return max(mean, raised if mean >= _UNSURE else min(raised, mean + _UNSURE_GAIN))


def resolve_colours(
    totals: Totals, entities: Iterable[Entity], given: Iterable[tuple[str, str, str]] = ()
) -> Mapping[str, tuple[SpeakerColour, ...]]:
    """Return the colours of each character by name: one at most for each usage.

    `given` has the names, usages and colours that a person has given to somebody: others lose them.
    """
    if not totals.colours:
        return {}
    names = {
        form: entity.name
        for entity in entities
        if entity.type == _CHARACTER
        for form in entity.forms
    }
    claims = _settle(_drop_given(_add_up(totals, names), names, given))
    chosen: dict[tuple[str, ColourUsage], tuple[Sightings, str]] = {}
    for (name, usage, colour), seen in claims.items():
        best = chosen.get((name, usage))
        if best is None or _rank(seen, colour) < _rank(*best):
            chosen[name, usage] = seen, colour
    found: dict[str, list[SpeakerColour]] = {}
    for name, usage in sorted(chosen, key=lambda key: list(ColourUsage).index(key[1])):
        seen, colour = chosen[name, usage]
        found.setdefault(name, []).append(SpeakerColour(colour, usage, round(seen.confidence, 2)))
    return {name: tuple(colours) for name, colours in found.items()}


def _add_up(totals: Totals, names: Mapping[str, str]) -> dict[Claim, Sightings]:
    claims: dict[Claim, Sightings] = {}
    for key, sums in sorted(totals.colours.items()):
        form, usage, colour = key.split("|")
        if form in names:
            claim, first = (names[form], ColourUsage(usage), colour), sums.passages[0]
            seen = claims.get(claim, Sightings(0, 0, first))
            claims[claim] = Sightings(
                seen.times + sums.first, seen.weight + sums.second / 100, min(seen.first, first)
            )
    return claims


def _drop_given(
    claims: dict[Claim, Sightings],
    names: Mapping[str, str],
    given: Iterable[tuple[str, str, str]],
) -> dict[Claim, Sightings]:
    """Return the claims without those to a colour that a person has given to others."""
    owners: dict[tuple[str, str], set[str]] = {}
    for form, usage, colour in given:
        owners.setdefault((usage, colour), set()).add(names.get(form, form))
    return {
        claim: seen
        for claim, seen in claims.items()
        if claim[1:] not in owners or claim[0] in owners[claim[1:]]
    }


def _settle(claims: Mapping[Claim, Sightings]) -> dict[Claim, Sightings]:
    """Return the claims that hold: of several characters with a colour not the weak ones."""
    rivals: dict[tuple[ColourUsage, str], list[Claim]] = {}
    for claim in claims:
        rivals.setdefault(claim[1:], []).append(claim)
    kept: dict[Claim, Sightings] = {}
    for together in rivals.values():
        first, *others = _order(together, claims)
        kept[first] = claims[first]
        for other in others:
            seen = claims[other]
            is_rare = seen.weight < claims[first].weight * _RARE
            if seen.confidence > KEPT_IN_CONFLICT and not is_rare:
                kept[other] = seen
    return kept


def _order(together: Sequence[Claim], claims: Mapping[Claim, Sightings]) -> list[Claim]:
    return sorted(together, key=lambda claim: (*_rank(claims[claim], claim[0]),))


def _rank(seen: Sightings, name: str) -> tuple[float, int, str]:
    """Return what orders sightings: the heaviest first, then the earliest."""
    return -round(seen.weight, 6), seen.first, name
