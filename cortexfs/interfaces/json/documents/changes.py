"""Changes: of status, of text, of names, of history."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.atoms import CommitDocument
from cortexfs.interfaces.json.documents.document import ChangeDocument, Document
from cortexfs.interfaces.json.documents.tree_state import FindingDocument


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


class LogDocument(Document):
    """Changes of the tree or of an atom, newest first."""

    ref: NotRequired[str]
    changes: list[LogEntryDocument]


DiffFields = TypedDict(
    "DiffFields",
    {
        "ref": str,
        "path": str,
        "diff": str,
        "earlier-path": NotRequired[str],
        "since": NotRequired[CommitDocument],
        "by": NotRequired[CommitDocument],
    },
)


class DiffDocument(DiffFields, Document):
    """What changed in an atom, as a unified diff."""


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


class MarkFields(TypedDict):
    """A change of status, and what changed with it."""

    marked: MarkedAtomDocument
    affected: list[AffectedAtomDocument]
    skipped: list[SkippedFileDocument]


class MarkDocument(MarkFields, ChangeDocument):
    """A marked atom."""


class DecidedFields(TypedDict):
    """The new status of a decision, and what changed with it."""

    decided: MarkedAtomDocument
    affected: list[AffectedAtomDocument]


class DecidedDocument(DecidedFields, ChangeDocument):
    """A decision that was accepted, rejected or superseded."""


RestoredAtom = TypedDict("RestoredAtom", {"ref": str, "path": str, "status": str, "from": str})


class RestoredFields(TypedDict):
    """A restored atom, and the atoms that its tombstone had challenged."""

    restored: RestoredAtom
    challenged: list[str]


class RestoredAtomDocument(RestoredFields, ChangeDocument):
    """A restored atom."""


class RemovedFields(TypedDict):
    """A removed atom."""

    ref: str
    path: str


RemovedAtomFields = TypedDict(
    "RemovedAtomFields", {"removed": RemovedFields, "named-by": list[str]}
)


class RemovedAtomDocument(RemovedAtomFields, ChangeDocument):
    """A removed atom, and the files that mention it."""


NewName = TypedDict("NewName", {"from": str, "to": str, "path": str})


class RenamedFields(TypedDict):
    """The old and new name, the changed files, and the places to check."""

    renamed: NewName
    changed: list[str]
    unsure: list[str]
    left: list[str]


class RenamedDocument(RenamedFields, ChangeDocument):
    """A renamed or moved atom or project."""


class UndoneFields(TypedDict):
    """The change that was undone."""

    commit: str
    subject: str
    paths: list[str]


class UndoneDocument(ChangeDocument):
    """What was undone, and the message of the new commit."""

    undone: list[UndoneFields]
    message: str


class PromotedFields(TypedDict):
    """An idea that became a project."""

    ref: str
    path: str


class PromotedProjectFields(TypedDict):
    """The project that was made of an idea."""

    project: str
    path: str


class PromotedIdeaDocument(ChangeDocument):
    """A new project from an idea."""

    promoted: PromotedFields
    created: PromotedProjectFields


CommittedFields = TypedDict(
    "CommittedFields",
    {
        "committed": list[str],
        "pending": NotRequired[list[str]],
        "waiting": NotRequired[str],
        "held-back": list[str],
        "skipped": NotRequired[list[str]],
        "message": NotRequired[str],
        "findings": list[FindingDocument],
    },
)


class CommittedDocument(CommittedFields, ChangeDocument):
    """The committed files, what was held back, and why; `waiting` is why nothing was committed."""
