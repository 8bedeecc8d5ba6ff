"""Maintenance: what a tree needs, what a run changed, proposals and patterns."""

from __future__ import annotations

from typing import Any, NotRequired

from typing_extensions import TypedDict

MaintenanceDocument = TypedDict(
    "MaintenanceDocument",
    {
        "format": int,
        "maintenance": list[dict[str, Any]],
        "status-changes": list[dict[str, Any]],
        "merges": list[dict[str, Any]],
    },
)


class MaintenanceRunDocument(TypedDict):
    """What a run changed, and what it left out."""

    format: int
    marked: list[dict[str, Any]]
    merges: list[dict[str, Any]]
    skipped: NotRequired[list[str]]
    restored: NotRequired[list[str]]
    report: NotRequired[str]
    commit: NotRequired[str]


class ProposedMemoryDocument(TypedDict):
    """A memory that may be merged, with its text."""

    ref: str
    path: str
    type: str
    created: str
    importance: float
    title: str
    content: str


MergeProposalDocument = TypedDict(
    "MergeProposalDocument",
    {
        "id": str,
        "kind": str,
        "similarity": float,
        "found-by": str,
        "differences": list[str],
        "earlier": ProposedMemoryDocument,
        "later": ProposedMemoryDocument,
        "keeps": str,
    },
)


class ProposalListDocument(TypedDict):
    """Similar memories that may be merged."""

    format: int
    proposals: list[MergeProposalDocument]
    total: int


class MergedMemoryDocument(TypedDict):
    """A memory that was merged into another."""

    ref: str
    path: str
    importance: float


class MergedDocument(TypedDict):
    """The merge of memories."""

    format: int
    kept: str
    importance: float
    merged: list[MergedMemoryDocument]
    commit: NotRequired[str]


class RejectedDocument(TypedDict):
    """A proposal that is not made again."""

    format: int
    rejected: str
    commit: NotRequired[str]


class PatternObservationDocument(TypedDict):
    """What recurs over sessions."""

    id: str
    ref: str
    action: str
    title: str
    content: str


class PreferenceProposalDocument(TypedDict):
    """A preference that sessions suggest."""

    id: str
    key: str
    value: str
    sessions: int
    projects: list[str]


class PatternFields(TypedDict):
    """What pattern detection found in its window."""

    enabled: bool
    since: str
    sessions: int
    candidates: int
    observations: list[PatternObservationDocument]
    proposals: list[PreferenceProposalDocument]


class PatternsDocument(TypedDict):
    """What recurs over sessions."""

    format: int
    patterns: PatternFields
    commit: NotRequired[str]
