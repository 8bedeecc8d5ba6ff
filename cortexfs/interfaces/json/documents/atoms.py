"""Atoms: listed, found, shown, created."""

from __future__ import annotations

from typing import NotRequired

from pydantic import ConfigDict
from typing_extensions import TypedDict


class AtomDocument(TypedDict):
    """One atom: its frontmatter as typed, and its reads as `refs` and `last-ref`."""

    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]

    ref: str
    kind: str
    path: str
    status: str
    refs: int


class SnippetDocument(TypedDict):
    """The part of a text that matches; `highlights` are [start, end] offsets in it."""

    section: str
    snippet: str
    highlights: list[tuple[int, int]]


_Explanation = TypedDict(
    "_Explanation",
    {
        "relevance": float,
        "lexical-score": NotRequired[float],
        "context": NotRequired[float],
        "similarity": NotRequired[float],
        "factors": dict[str, float],
    },
)


class FoundAtomDocument(SnippetDocument):
    """An atom that matches a query."""

    ref: str
    kind: str
    path: str
    status: str
    summary: str
    refs: int
    score: float
    explanation: NotRequired[_Explanation]


class FoundPageDocument(SnippetDocument):
    """A governance file or note that matches a query."""

    path: str
    project: str
    score: float


class CorrectionDocument(TypedDict):
    """A word that no text has, and what was searched instead."""

    typed: str
    searched: str
    others: list[str]


class ExcludedDocument(TypedDict):
    """A word that excluded matches, and how many."""

    text: str
    matches: int


FindDocument = TypedDict(
    "FindDocument",
    {
        "format": int,
        "found": list[FoundAtomDocument],
        "pages": NotRequired[list[FoundPageDocument]],
        "matched-by": str,
        "unreadable": NotRequired[int],
        "corrections": NotRequired[list[CorrectionDocument]],
        "excluded": NotRequired[list[ExcludedDocument]],
        "shortened": NotRequired[bool],
    },
)


class AtomListDocument(TypedDict):
    """A part of a list of atoms; `next` is the cursor of the next part, if there is one."""

    format: int
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


ShownAtomDocument = TypedDict(
    "ShownAtomDocument",
    {
        "format": int,
        "atom": AtomDocument | AtomNameDocument,
        "content": str,
        "backlinks": list[str],
        "entities": list[NamedEntityDocument],
        "history": list[CommitDocument],
        "changed-citations": NotRequired[list[ChangedCitationDocument]],
    },
)

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


class ShownDecisionDocument(ShownAtomDocument):
    """A decision with its alternatives, and whether it was edited after it was accepted."""

    alternatives: list[str]
    accepted: NotRequired[AcceptedDocument]


class PastAtomDocument(TypedDict):
    """An atom as it was at a commit."""

    format: int
    atom: AtomNameDocument
    content: str
    revision: CommitDocument


class NearDuplicateDocument(TypedDict):
    """An atom that is similar to a new one."""

    ref: str
    summary: str
    similarity: float


_Created = TypedDict(
    "_Created",
    {
        "ref": str,
        "path": str,
        "near-duplicates": NotRequired[list[NearDuplicateDocument]],
    },
)


class CreatedAtomDocument(TypedDict):
    """A new atom."""

    format: int
    created: _Created
    commit: NotRequired[str]


class EditedDocument(TypedDict):
    """An edited atom."""

    ref: str
    path: str
    changed: bool


class EditedAtomDocument(TypedDict):
    """What an edit changed."""

    format: int
    edited: EditedDocument
    commit: NotRequired[str]


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


class AtomsDocument(TypedDict):
    """Some atoms, in an order."""

    format: int
    atoms: list[AtomDocument]


class DecisionListDocument(TypedDict):
    """Decisions, by id."""

    format: int
    decisions: list[AtomDocument]


class IdeaListDocument(TypedDict):
    """Ideas, by id."""

    format: int
    ideas: list[AtomDocument]


class TagDocument(TypedDict):
    """A tag, its number of atoms and its projects."""

    tag: str
    atoms: int
    projects: list[str]


class TagListDocument(TypedDict):
    """The tags, most used first."""

    format: int
    tags: list[TagDocument]


class RenamedTagFields(TypedDict):
    """A tag before and after, and the atoms that had it."""

    old: str
    new: str
    paths: list[str]


class RenamedTagDocument(TypedDict):
    """A renamed tag."""

    format: int
    renamed: RenamedTagFields
    commit: NotRequired[str]
