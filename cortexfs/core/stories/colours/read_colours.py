"""From the messages of a passage to evidence of whose colours they have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.colours.attribute_colours import attribute_colours
from cortexfs.core.stories.colours.colour_codes import parse_colour
from cortexfs.core.stories.colours.coloured_text import HAS_COLOUR
from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.entities.entity import EntitySettings
from cortexfs.core.stories.entities.evidence import Totals
from cortexfs.core.stories.entities.read_passage import clean_speaker
from cortexfs.core.stories.entities.resolve_entities import resolve_entities

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.stories.entities.evidence import PassageEvidence

_MINIMUM_CONFIDENCE = 0.2
"""Who is named once in a passage is somebody there; all passages decide whether he is."""

_USAGES = frozenset(map(str, ColourUsage))


def read_colours(
    said: Sequence[tuple[str, str]], evidence: PassageEvidence
) -> dict[str, list[int]]:
    """Return how often which colour is whose, and how sure, in hundredths added up.

    `said` has the speaker and the text of each message, with its tags; `evidence` is what the
    passage says of names. A key is "form|usage|colour".
    """
    if not any(HAS_COLOUR.search(text) for _, text in said):
        return {}
    people = find_people(evidence)
    found: dict[str, list[int]] = {}
    for speaker, text in said:
        owner = people.get(clean_speaker(speaker), "")
        if HAS_COLOUR.search(text):
            for each in attribute_colours(text, owner, people):
                if each.name:
                    key = f"{each.name}|{each.span.usage}|{each.span.colour}"
                    seen = found.setdefault(key, [0, 0])
                    seen[0] += 1
                    seen[1] += round(each.confidence * 100)
    return found


def is_colour_key(key: str) -> bool:
    """Return whether a text is a key of what `read_colours` returns."""
    usage, _, colour = key.partition("|")[2].partition("|")
    return usage in _USAGES and parse_colour(colour) == colour


def find_people(evidence: PassageEvidence) -> Mapping[str, str]:
    """Return the name of each person of a passage by written form."""
    totals = Totals()
    totals.add(1, evidence)
    settings = EntitySettings(minimum_confidence=_MINIMUM_CONFIDENCE)
    entities = resolve_entities(totals, settings)
    return {
        form: entity.name
        for entity in entities
        if entity.type == "character"
        for form in entity.forms
        if form in evidence.names
    }
