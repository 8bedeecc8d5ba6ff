"""Maintenance: what a tree needs, what a run changed, proposals and patterns."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


class UnsupportedClaimDocument(TypedDict):
    """An atom whose evidence has fallen; `cause` is what refuted it."""

    ref: str
    path: str
    status: str
    severity: str
    fallen: list[str]
    current: list[str]
    cause: str


class RefutedExperimentDocument(TypedDict):
    """An experiment that another atom contradicts, and the field that says so."""

    ref: str
    path: str
    by: str
    field: str


class UnreadAtomDocument(TypedDict):
    """An atom that nobody has read for days; `unlinked` if nothing links to it."""

    ref: str
    path: str
    days: int
    unlinked: bool


ClusterDocument = TypedDict(
    "ClusterDocument", {"members": list[str], "shared-tags": list[str], "patterns": list[str]}
)


class ArchivableMemoryDocument(TypedDict):
    """A memory that is old and of little importance."""

    ref: str
    path: str
    days: int
    importance: float


class SimilarAtomsDocument(TypedDict):
    """Two similar atoms, and how they differ."""

    older: str
    newer: str
    similarity: float
    differences: list[str]


class SuggestionDocument(TypedDict):
    """A command that meets a need."""

    type: str
    subject: str
    command: str


ProjectMaintenanceDocument = TypedDict(
    "ProjectMaintenanceDocument",
    {
        "project": str,
        "logged-days": int,
        "unsupported-claims": list[UnsupportedClaimDocument],
        "refuted": list[RefutedExperimentDocument],
        "unread": list[UnreadAtomDocument],
        "tag-clusters": list[ClusterDocument],
        "link-clusters": list[ClusterDocument],
        "successor-chains": list[list[str]],
        "cold": list[str],
        "archivable": list[ArchivableMemoryDocument],
        "similar": list[SimilarAtomsDocument],
        "suggestions": list[SuggestionDocument],
    },
)


class SuggestedStatusDocument(TypedDict):
    """A change of status that follows from a rule alone; `archive` if it archives a memory."""

    ref: str
    path: str
    status: str
    reason: str
    archive: NotRequired[bool]


class MergedMemoryDocument(TypedDict):
    """A memory that was merged into another."""

    ref: str
    path: str
    importance: float


class MemoryMergeFields(TypedDict):
    """The memory that stays, and those that are merged into it."""

    kept: str
    importance: float
    merged: list[MergedMemoryDocument]


MaintenanceFields = TypedDict(
    "MaintenanceFields",
    {
        "maintenance": list[ProjectMaintenanceDocument],
        "status-changes": list[SuggestedStatusDocument],
        "merges": list[MemoryMergeFields],
    },
)


class MaintenanceDocument(MaintenanceFields, Document):
    """What the projects of a tree need."""


class MaintenanceRunFields(TypedDict):
    """What a run changed, and what it left out."""

    marked: list[SuggestedStatusDocument]
    merges: list[MemoryMergeFields]
    skipped: NotRequired[list[str]]
    restored: NotRequired[list[str]]
    report: NotRequired[str]


class MaintenanceRunDocument(MaintenanceRunFields, ChangeDocument):
    """A run of maintenance."""


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


class ProposalListDocument(Document):
    """Similar memories that may be merged."""

    proposals: list[MergeProposalDocument]
    total: int


class MergedDocument(MemoryMergeFields, ChangeDocument):
    """The merge of memories."""


class RejectedDocument(ChangeDocument):
    """A proposal that is not made again."""

    rejected: str


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


class PatternsDocument(ChangeDocument):
    """What recurs over sessions."""

    patterns: PatternFields
