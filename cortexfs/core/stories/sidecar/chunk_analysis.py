"""What a language model says of one chunk, as values; all texts are plain, and untrusted."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.build_field import short_digest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.stories.colours.speaker_colour import ColourUsage
    from cortexfs.core.stories.message import Message

SIDECAR = "sidecar"
"""What a record names as its source if a language model has said it."""
ANALYSIS_VERSION = 1
"""Another number if chunks are to be asked about again."""
MAX_EMOTIONS = 3
FULL_IMPORTANCE = 10
FULL_SENTIMENT = 100
"""The sentiment of a relation is between this and its negative."""


class StatusChange(StrEnum):
    """What has happened to an entity."""

    INJURED = "injured"
    HEALED = "healed"
    DIED = "died"
    TRANSFORMED = "transformed"
    BETRAYED = "betrayed"
    ALLIED = "allied"
    DEPARTED = "departed"
    ARRIVED = "arrived"


class ToldStatus(NamedTuple):
    """A change of an entity."""

    name: str
    change: StatusChange


class ToldEntity(NamedTuple):
    """An entity: its name, its type (a word of `EntityType`), and what it is, in some words."""

    name: str
    type: str
    description: str


class ToldFact(NamedTuple):
    """A fact about an entity; its importance is from 1 to 10."""

    name: str
    text: str
    importance: int


class ToldRelation(NamedTuple):
    """A relation: one entity is to another of a type (a word of `RelationType`).

    `sentiment` is from -100 to 100.
    """

    name: str
    other: str
    type: str
    sentiment: int
    label: str


class ToldColour(NamedTuple):
    """A colour in which an entity's words are written: `#rrggbb`."""

    colour: str
    name: str
    usage: ColourUsage


class ChunkAnalysis(NamedTuple):
    """What a model says of a chunk; `importance` is from 1 to 10."""

    importance: int
    emotions: tuple[str, ...] = ()
    summary: str = ""
    statuses: tuple[ToldStatus, ...] = ()
    entities: tuple[ToldEntity, ...] = ()
    facts: tuple[ToldFact, ...] = ()
    relations: tuple[ToldRelation, ...] = ()
    colours: tuple[ToldColour, ...] = ()

    @property
    def salience(self) -> float:
        """The salience, from 0 to 1."""
        return self.importance / FULL_IMPORTANCE


def digest_messages(messages: Sequence[Message]) -> str:
    """Return a text that is another one if a model would be asked about other messages."""
    said = [(each.speaker, each.text) for each in messages]
    return short_digest(f"{ANALYSIS_VERSION} {said}")
