"""The types of JSON documents about what is recalled of a story."""

from __future__ import annotations

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document
from cortexfs.interfaces.json.documents.story_entities import KnownEntityDocument


class ScorePartDocument(TypedDict):
    """A part of a score, and what it adds."""

    name: str
    value: float


class RecalledMessageDocument(TypedDict):
    """A message of a memory that matches."""

    number: int
    time: str
    speaker: str
    text: str
    score: float


class RecalledMemoryDocument(TypedDict):
    """A memory, and why it was recalled; `distance` is in messages."""

    ref: str
    first: int
    last: int
    distance: int
    time: str
    score: float
    parts: list[ScorePartDocument]
    salience: float
    core: bool
    emotions: list[str]
    flags: list[str]
    entities: list[str]
    speakers: list[str]
    excerpt: list[RecalledMessageDocument]


class RecalledArcDocument(TypedDict):
    """A summary of a part of the story; `first` and `last` are 0 if it does not say so."""

    ref: str
    title: str
    text: str
    first: int
    last: int


class RecallDocument(TypedDict):
    """What a story recalls: memories, best first, the entities concerned, the arcs."""

    story: str
    messages: int
    memories: list[RecalledMemoryDocument]
    entities: list[KnownEntityDocument]
    arcs: list[RecalledArcDocument]


class RecalledDocument(Document):
    """What is recalled of a story."""

    recall: RecallDocument


class RenderedTemplateDocument(TypedDict):
    """A template with its macros expanded, and what was recalled for it."""

    text: str
    recall: RecallDocument


class RenderedDocument(Document):
    """A template with its macros expanded."""

    rendered: RenderedTemplateDocument
