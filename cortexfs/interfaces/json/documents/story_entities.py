"""The types of JSON documents about the people, places and things of stories."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


class KnownFactDocument(TypedDict):
    """A fact, its importance, and the chunk that says it."""

    text: str
    importance: int
    chunk: str


class KnownRelationDocument(TypedDict):
    """A relation to another entity."""

    other: str
    ref: str
    type: str
    label: str
    strength: float
    sentiment: float
    contradiction: str


class KnownColourDocument(TypedDict):
    """A font colour of a character, and what it is used for."""

    colour: str
    usage: str
    confidence: float


class NamedEntityDocument(TypedDict):
    """What every document about an entity says: which it is, and how often it is mentioned."""

    ref: str
    name: str
    type: str
    status: str
    aliases: list[str]
    mentions: int


class KnownEntityDocument(NamedEntityDocument):
    """An entity as its file has it."""

    salience: float
    description: str
    facts: list[KnownFactDocument]
    relations: list[KnownRelationDocument]
    colours: list[KnownColourDocument]


class EntityCorrectionDocument(TypedDict):
    """The corrected entity, and the files of entities that were changed or removed.

    `new` is the entity that has a name now, after a split.
    """

    ref: str
    change: str
    changed: list[str]
    removed: list[str]
    new: NotRequired[str]


class CorrectedDocument(ChangeDocument):
    """An entity that was corrected."""

    corrected: EntityCorrectionDocument


class FactDocument(KnownFactDocument):
    """A fact: its importance, 1 to 10, its chunk, and what says it; a person's has no chunk."""

    source: str


class EntityExplanationDocument(NamedEntityDocument):
    """An entity, and what says each fact about it."""

    facts: list[FactDocument]


class ExplainedEntityDocument(Document):
    """An entity that is explained."""

    entity: EntityExplanationDocument
