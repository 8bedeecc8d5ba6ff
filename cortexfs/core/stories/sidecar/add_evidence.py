"""Add what a language model says of a chunk to the evidence that its text gives."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.stories.entities.read_texts import DESCRIPTION, FACT, STATUS
from cortexfs.core.stories.sidecar.chunk_analysis import SIDECAR, StatusChange
from cortexfs.core.stories.story_entity import EntityType

if TYPE_CHECKING:
    from cortexfs.core.stories.entities.evidence import PassageEvidence
    from cortexfs.core.stories.sidecar.chunk_analysis import ChunkAnalysis

_CUES = {
    EntityType.CHARACTER: "says",
    EntityType.LOCATION: "placeof",
    EntityType.ITEM: "wield",
    EntityType.FACTION: "join",
    EntityType.EVENT: "when",
    EntityType.CONCEPT: "like",
}
"""The cue beside a name that tells most of each type."""
_CUE_COUNT = 3
"""How often the cue counts for one answer."""
_STATUSES = {
    StatusChange.DIED: "deceased",
    StatusChange.DEPARTED: "inactive",
    StatusChange.ARRIVED: "active",
    StatusChange.HEALED: "active",
}
_OF_PEOPLE = frozenset({StatusChange.INJURED, StatusChange.HEALED, StatusChange.DIED})
"""What happens to people, and seldom to anything else."""
_STATUS_IMPORTANCE, _DESCRIPTION_IMPORTANCE = 9, 5

_COLOUR_CONFIDENCE = 90
"""How sure a colour is that a model tells, in hundredths."""


def add_evidence(evidence: PassageEvidence, analysis: ChunkAnalysis, text: str) -> None:
    """Add to the evidence of a text what a model says of it."""
    for entity in analysis.entities:
        _count(evidence, entity.name, text, _CUES[EntityType(entity.type)])
        if entity.description:
            _add_text(
                evidence, entity.name, (DESCRIPTION, entity.description, _DESCRIPTION_IMPORTANCE)
            )
    for fact in analysis.facts:
        _count(evidence, fact.name, text)
        _add_text(evidence, fact.name, (FACT, fact.text, fact.importance))
    for name, change in analysis.statuses:
        if status := _STATUSES.get(change):
            _count(evidence, name, text)
            _add_text(evidence, name, (STATUS, status, _STATUS_IMPORTANCE))
    for told in analysis.colours:
        _count(evidence, told.name, text)
        evidence.colours[f"{told.name}|{told.usage}|{told.colour}"] = [1, _COLOUR_CONFIDENCE]
    for name in _list_people(analysis):
        _count(evidence, name, text, _CUES[EntityType.CHARACTER])
    for relation in analysis.relations:
        _count(evidence, relation.name, text)
        _count(evidence, relation.other, text)
        label = relation.label.replace("|", " ") or relation.type
        key = f"{relation.name}|{relation.other}|{relation.type}|{SIDECAR}|{label}"
        held = evidence.ties.setdefault(key, [0, 0])
        held[0] += 1
        held[1] += relation.sentiment


def _list_people(analysis: ChunkAnalysis) -> list[str]:
    """Return the names without a type of their own that only somebody can bear: who died."""
    typed = {entity.name for entity in analysis.entities}
    changed = [name for name, change in analysis.statuses if change in _OF_PEOPLE]
    return [name for name in dict.fromkeys(changed) if name not in typed]


def _count(evidence: PassageEvidence, name: str, text: str, cue: str = "") -> None:
    """Count a name that a model tells, as often as it stands in the text."""
    counts = evidence.names.setdefault(name, {})
    if "mid" not in counts and "initial" not in counts:
        found = re.findall(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        counts["mid"] = max(1, len(found))
    counts["told"] = max(2, counts.get("told", 0))
    if cue:
        counts[cue] = max(_CUE_COUNT, counts.get(cue, 0))


def _add_text(evidence: PassageEvidence, name: str, told: tuple[str, str, int]) -> None:
    texts = evidence.texts.setdefault(name, [])
    if told not in texts:
        texts.append(told)
