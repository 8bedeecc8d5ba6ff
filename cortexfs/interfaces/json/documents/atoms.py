"""Atoms: listed, found, shown, created."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import ChangeDocument, Document


class AtomDocument(TypedDict):
    """One atom: its frontmatter as typed, and its reads as `refs` and `last-ref`."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    ref: str
    kind: str
    path: str
    status: str
    refs: int


class AtomListDocument(Document):
    """A part of a list of atoms; `next` is the cursor of the next part, if there is one."""

    atoms: list[AtomDocument]
    total: int
    next: NotRequired[str]
    unreadable: NotRequired[int]


class CommitDocument(TypedDict):
    """One commit."""

    commit: str
    when: str
    author: str
    subject: str


class NamedEntityDocument(TypedDict):
    """A thing that an atom mentions."""

    type: str
    name: str


class ChangedCitationDocument(TypedDict):
    """A line that cites a file which has changed since."""

    line: int
    message: str


class AtomNameDocument(TypedDict):
    """The ref and path of an atom."""

    ref: str
    path: str


ShownAtomFields = TypedDict(
    "ShownAtomFields",
    {
        "atom": AtomDocument | AtomNameDocument,
        "content": str,
        "backlinks": list[str],
        "entities": list[NamedEntityDocument],
        "history": list[CommitDocument],
        "changed-citations": NotRequired[list[ChangedCitationDocument]],
    },
)


class ShownAtomDocument(ShownAtomFields, Document):
    """An atom with its text, its backlinks and its history."""


AcceptedDocument = TypedDict(
    "AcceptedDocument",
    {
        "commit": str,
        "when": str,
        "author": str,
        "subject": str,
        "edited-since": bool,
        "line": NotRequired[int],
    },
)


class ShownDecisionFields(ShownAtomFields):
    """A decision with its alternatives, and whether it was edited after it was accepted."""

    alternatives: list[str]
    accepted: NotRequired[AcceptedDocument]


class ShownDecisionDocument(ShownDecisionFields, Document):
    """A decision."""


class PastAtomFields(TypedDict):
    """An atom as it was at a commit."""

    atom: AtomNameDocument
    content: str
    revision: CommitDocument


class PastAtomDocument(PastAtomFields, Document):
    """An atom as it was."""


class NearDuplicateDocument(TypedDict):
    """An atom that is similar to a new one."""

    ref: str
    summary: str
    similarity: float


CreatedAtomFields = TypedDict(
    "CreatedAtomFields",
    {
        "ref": str,
        "path": str,
        "near-duplicates": NotRequired[list[NearDuplicateDocument]],
    },
)


class CreatedAtomDocument(ChangeDocument):
    """A new atom."""

    created: CreatedAtomFields


class EditedDocument(TypedDict):
    """An edited atom."""

    ref: str
    path: str
    changed: bool


class EditedAtomDocument(ChangeDocument):
    """What an edit changed."""

    edited: EditedDocument


class AccessEventDocument(TypedDict):
    """One line of an access log."""

    project: str
    file: str
    ts: str
    tool: NotRequired[str]
    session: NotRequired[str]
    note: NotRequired[str]


AccessEventsDocument = TypedDict(
    "AccessEventsDocument", {"format": int, "access-events": list[AccessEventDocument]}
)


class AtomsDocument(Document):
    """Some atoms, in an order."""

    atoms: list[AtomDocument]


class DecisionListDocument(Document):
    """Decisions, by id."""

    decisions: list[AtomDocument]


class IdeaListDocument(Document):
    """Ideas, by id."""

    ideas: list[AtomDocument]


class TagDocument(TypedDict):
    """A tag, its number of atoms and its projects."""

    tag: str
    atoms: int
    projects: list[str]


class TagListDocument(Document):
    """The tags, most used first."""

    tags: list[TagDocument]


class RenamedTagFields(TypedDict):
    """A tag before and after, and the atoms that had it."""

    old: str
    new: str
    paths: list[str]


class RenamedTagDocument(ChangeDocument):
    """A renamed tag."""

    renamed: RenamedTagFields
