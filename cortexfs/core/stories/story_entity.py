"""An entity of a story, as its file shows it: what it is, its facts, feelings and relations."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.stories.colours.speaker_colour import SpeakerColour


class EntityType(StrEnum):
    """What an entity is."""

    CHARACTER = "character"
    LOCATION = "location"
    ITEM = "item"
    FACTION = "faction"
    CONCEPT = "concept"
    EVENT = "event"


class EntityStatus(StrEnum):
    """What has become of an entity."""

    ACTIVE = "active"
    INACTIVE = "inactive"
    DECEASED = "deceased"
    DESTROYED = "destroyed"
    UNKNOWN = "unknown"


class RelationType(StrEnum):
    """How one entity stands to another."""

    ALLY = "ally"
    ENEMY = "enemy"
    LOVER = "lover"
    PARENT = "parent"
    CHILD = "child"
    SIBLING = "sibling"
    MENTOR = "mentor"
    RIVAL = "rival"
    OWNS = "owns"
    MEMBER_OF = "member_of"
    LOCATED_IN = "located_in"
    FEARS = "fears"
    SERVES = "serves"
    CUSTOM = "custom"


class EntityFact(NamedTuple):
    """A fact: its text (one line), its importance (1 to 10) and the chunk that says it."""

    text: str
    importance: int
    chunk: int


class EntityRelation(NamedTuple):
    """A relation to the entity called `other`.

    `strength` is from 0 to 1, `sentiment` from -1 to 1; `chunks` are those with evidence, in
    ascending order; `label` says in words what it is; `contradiction` is `temporal`, `complex`,
    `suspect` or empty.
    """

    other: str
    type: RelationType
    strength: float
    sentiment: float
    chunks: tuple[int, ...]
    label: str = ""
    contradiction: str = ""


class StoryEntity(NamedTuple):
    """An entity as the analysis of all chunks of its story has it.

    `salience` is from 0 to 1; `first_chunk` and `last_chunk` are where it was seen; `emotions` has
    the strongest emotions first, each with its part of all (0 to 1). Facts and relations are in the
    order in which they are shown. All texts are untrusted.
    """

    name: str
    type: EntityType
    status: EntityStatus
    aliases: tuple[str, ...]
    mentions: int
    salience: float
    first_chunk: int
    last_chunk: int
    description: str = ""
    facts: tuple[EntityFact, ...] = ()
    emotions: tuple[tuple[str, float], ...] = ()
    relations: tuple[EntityRelation, ...] = ()
    colours: tuple[SpeakerColour, ...] = ()
