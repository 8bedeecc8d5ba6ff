"""Memories, sessions and prompts, with the keys of the original."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict


class ObservationDocument(TypedDict):
    """One memory; times are in UTC, ISO 8601."""

    id: int
    ref: str
    session_id: str
    type: str
    title: str
    content: str
    project: str
    scope: str
    tool_name: NotRequired[str]
    topic_key: NotRequired[str]
    last_seen_at: NotRequired[str]
    deleted_at: NotRequired[str]
    revision_count: int
    duplicate_count: int
    created_at: str
    updated_at: str


class FoundObservationDocument(ObservationDocument):
    """A memory that matches a query; a higher rank is better."""

    rank: float


class FoundByMethodDocument(TypedDict):
    """What a hybrid search found, and how: by words alone, or by vectors too."""

    method: str
    results: list[FoundObservationDocument]


class RevisionDocument(TypedDict):
    """An earlier text of a memory, from git."""

    commit: str
    when: str
    subject: str
    content: str


class SessionDocument(TypedDict):
    """One session of an agent."""

    id: str
    project: str
    directory: str
    started_at: str
    ended_at: NotRequired[str]
    summary: NotRequired[str]
    observation_count: int


class PromptDocument(TypedDict):
    """One prompt that a person typed."""

    id: int
    session_id: str
    content: str
    project: str
    created_at: str


class StatusDocument(TypedDict):
    """What was done."""

    status: str


class EdgeDocument(TypedDict):
    """A relation between two memories."""

    id: int
    from_id: int
    to_id: int
    relation_type: str
    weight: float


class RelatedObservationDocument(ObservationDocument):
    """A related memory, and its distance in relations."""

    distance: int


class ScoreDocument(TypedDict):
    """The importance of a memory, from 0 to 5, and its parts."""

    observation_id: int
    score: float
    access_count: int
    last_accessed: NotRequired[str]
    parts: dict[str, float]


class NewScoreDocument(TypedDict):
    """A recalculated score."""

    score: float


class TimelineDocument(TypedDict):
    """The memories of a session around one of them, in the order in which they were saved."""

    session: NotRequired[SessionDocument]
    total: int
    before: list[ObservationDocument]
    focus: ObservationDocument
    after: list[ObservationDocument]


class MemoryStatsDocument(TypedDict):
    """The numbers of memories, and the projects that have some."""

    total_sessions: int
    total_observations: int
    total_prompts: int
    projects: list[str]


class ContextDocument(TypedDict):
    """What was done lately, each part latest first."""

    sessions: list[SessionDocument]
    prompts: list[PromptDocument]
    observations: list[ObservationDocument]
    stats: MemoryStatsDocument


class CapturedDocument(TypedDict):
    """The number of learnings in a text, of those saved, and of those that were known."""

    extracted: int
    saved: int
    duplicates: int


class ImportedDocument(TypedDict):
    """The number of entries of an import, of those that were new, and of broken ones."""

    imported: int
    known: int
    skipped: int
