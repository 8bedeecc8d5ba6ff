"""Results of a search: atoms and other pages, and what a search says beside them."""

from __future__ import annotations

from typing import NotRequired

from typing_extensions import TypedDict

from cortexfs.interfaces.json.documents.document import Document


class SnippetDocument(TypedDict):
    """The part of a text that matches; `highlights` are [start, end] offsets in it."""

    section: str
    snippet: str
    highlights: list[tuple[int, int]]


ExplanationDocument = TypedDict(
    "ExplanationDocument",
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
    explanation: NotRequired[ExplanationDocument]


class FoundPageDocument(SnippetDocument):
    """A governance file or note that matches a query."""

    path: str
    project: str
    score: float


class CorrectionDocument(TypedDict):
    """A word that no text has, and what was searched instead."""

    typed: str
    searched: list[str]
    others: list[str]


class ExcludedDocument(TypedDict):
    """A word that excluded matches, and how many."""

    text: str
    matches: int


class SearchNotes(TypedDict, total=False):
    """What a search says beside its results."""

    corrections: list[CorrectionDocument]
    excluded: list[ExcludedDocument]
    shortened: bool


FindFields = TypedDict(
    "FindFields",
    {
        "found": list[FoundAtomDocument],
        "pages": NotRequired[list[FoundPageDocument]],
        "matched-by": str,
        "unreadable": NotRequired[int],
    },
)


class FindDocument(FindFields, SearchNotes, Document):
    """What matches a query, best match first."""
