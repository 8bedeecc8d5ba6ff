"""The types of JSON documents about stories."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


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
    told: int
    scenes: int
    arcs: int
    due: int
    outdated: int
    edited: int
    broken: int
    last: str


class SidecarReportDocument(TypedDict):
    """What a language model said of a story: of how many chunks, scenes and arcs, and failures."""

    chunks: int
    summaries: int
    invalid: int
    failed: int
    failure: str


class StoryRebuildDocument(TypedDict):
    """What a rebuild changed; `edited` are the files that a person has changed."""

    story: str
    messages: int
    chunks: int
    outdated: int
    written: int
    removed: int
    edited: list[str]
    scenes: int
    arcs: int
    sidecar: NotRequired[SidecarReportDocument]


class StoryConsolidationDocument(TypedDict):
    """The scenes and arcs of a story, and the paths of those that changed."""

    story: str
    scenes: int
    arcs: int
    written: list[str]
    removed: list[str]
    edited: list[str]


class StoryMessageDocument(TypedDict):
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


class StoryListDocument(Document):
    """The stories of a project."""

    stories: list[StoryDocument]


class TranscriptDocument(TypedDict):
    """What became of a transcript: its recognized format, its stories, and the refused lines."""

    format: str
    stories: list[StoryImportDocument]
    refused: list[RefusedLineDocument]


class ImportedTranscriptDocument(ChangeDocument):
    """What became of a transcript."""

    imported: TranscriptDocument


class AppendedMessageDocument(TypedDict):
    """The number of a new message, and the file of its chunk, empty if a person has edited it."""

    story: str
    message: int
    chunk: str


class AppendedDocument(ChangeDocument):
    """A new message."""

    appended: AppendedMessageDocument


class RebuiltDocument(ChangeDocument):
    """A story whose chunks were made anew."""

    rebuilt: StoryRebuildDocument


class ConsolidatedDocument(ChangeDocument):
    """A story whose scenes and arcs were made."""

    consolidated: StoryConsolidationDocument


class ExplainedDocument(Document):
    """A chunk and the parts of its salience."""

    chunk: ChunkExplanationDocument


class ShownStoryDocument(Document):
    """Messages of a story, and how many there are in total."""

    story: str
    total: int
    messages: list[StoryMessageDocument]


class ColourListDocument(Document):
    """The colours of characters."""

    colours: list[ColourDocument]


class StoryNameDocument(TypedDict):
    """The old and the new name of a story, and the files that were changed."""

    old: str
    new: str
    changed: list[str]


class RenamedStoryDocument(ChangeDocument):
    """A story that has another name now."""

    renamed: StoryNameDocument


class StoryRemovalDocument(TypedDict):
    """The removed files of a story."""

    story: str
    records: list[str]
    atoms: list[str]
    entities: list[str]


class RemovedStoryDocument(ChangeDocument):
    """A story that was removed."""

    removed: StoryRemovalDocument
