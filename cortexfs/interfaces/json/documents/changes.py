"""Changes: of status, of text, of names, of history."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.atoms import CommitDocument


class StatusChangeFields(TypedDict):
    """A status before and after."""

    before: str
    after: str


LogEntryDocument = TypedDict(
    "LogEntryDocument",
    {
        "commit": str,
        "when": str,
        "author": str,
        "subject": str,
        "changed-refs": list[str],
        "other-files": list[str],
        "moved-from": NotRequired[str],
        "status-change": NotRequired[StatusChangeFields],
    },
)


class LogDocument(TypedDict):
    """Changes of the tree or of an atom, newest first."""

    format: int
    ref: NotRequired[str]
    changes: list[LogEntryDocument]


DiffDocument = TypedDict(
    "DiffDocument",
    {
        "format": int,
        "ref": str,
        "path": str,
        "diff": str,
        "earlier-path": NotRequired[str],
        "since": NotRequired[CommitDocument],
        "by": NotRequired[CommitDocument],
    },
)


class MarkedAtomDocument(TypedDict):
    """An atom with its new status."""

    ref: str
    path: str
    status: str


class AffectedAtomDocument(TypedDict):
    """An atom that changed with another."""

    ref: str
    path: str
    change: str


class SkippedFileDocument(TypedDict):
    """A file that was left as it is, and why."""

    path: str
    reason: str


class MarkDocument(TypedDict):
    """A change of status, and what changed with it."""

    format: int
    marked: MarkedAtomDocument
    affected: list[AffectedAtomDocument]
    skipped: list[SkippedFileDocument]
    commit: NotRequired[str]


class DecidedDocument(TypedDict):
    """The new status of a decision, and what changed with it."""

    format: int
    decided: MarkedAtomDocument
    affected: list[AffectedAtomDocument]
    commit: NotRequired[str]


RestoredFields = TypedDict("RestoredFields", {"ref": str, "path": str, "status": str, "from": str})


class RestoredAtomDocument(TypedDict):
    """A restored atom, and the atoms that its tombstone had challenged."""

    format: int
    restored: RestoredFields
    challenged: list[str]
    commit: NotRequired[str]


class RemovedFields(TypedDict):
    """A removed atom."""

    ref: str
    path: str


RemovedAtomDocument = TypedDict(
    "RemovedAtomDocument",
    {
        "format": int,
        "removed": RemovedFields,
        "named-by": list[str],
        "commit": NotRequired[str],
    },
)
RenamedFields = TypedDict("RenamedFields", {"from": str, "to": str, "path": str})


class RenamedDocument(TypedDict):
    """A renamed or moved atom or project, and the files that named it."""

    format: int
    renamed: RenamedFields
    changed: list[str]
    unsure: list[str]
    left: list[str]
    commit: NotRequired[str]


class UndoneFields(TypedDict):
    """The change that was undone."""

    commit: str
    subject: str
    paths: list[str]


class UndoneDocument(TypedDict):
    """What was undone, and the message of the new commit."""

    format: int
    undone: list[UndoneFields]
    message: str
    commit: NotRequired[str]


class PromotedFields(TypedDict):
    """An idea that became a project."""

    ref: str
    path: str


class PromotedProjectFields(TypedDict):
    """The project that was made of an idea."""

    project: str
    path: str


class PromotedIdeaDocument(TypedDict):
    """A new project from an idea."""

    format: int
    promoted: PromotedFields
    created: PromotedProjectFields
    commit: NotRequired[str]
