"""The types of JSON documents about stories."""

from __future__ import annotations

from typing import TypedDict


class RefusedLineDocument(TypedDict):
    """A line of a transcript that could not be read; 0 if it has none."""

    line: int
    reason: str


class StoryImportDocument(TypedDict):
    """What an import changed in one story."""

    story: str
    added: int
    changed: int
    deleted: int
    chunks: int
    edited: list[str]


class StoryDocument(TypedDict):
    """One story, with what it has."""

    story: str
    messages: int
    speakers: int
    chunks: int
    outdated: int
    edited: int
    broken: int
    last: str


class MessageDocument(TypedDict):
    """A message of a story."""

    n: int
    id: str
    time: str
    speaker: str
    role: str
    text: str
    swiped: list[str]


class ColourDocument(TypedDict):
    """A colour of a character; `shown` means that it is sure enough for a prompt."""

    ref: str
    name: str
    usage: str
    colour: str
    confidence: float
    shown: bool


class SaliencePartDocument(TypedDict):
    """A part of a salience, and what it adds."""

    name: str
    value: float


class ChunkExplanationDocument(TypedDict):
    """A chunk and the parts of its salience."""

    ref: str
    story: str
    messages: str
    salience: float
    source: str
    core: bool
    emotions: list[str]
    flags: list[str]
    parts: list[SaliencePartDocument]
