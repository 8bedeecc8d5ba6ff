"""Where an atom stands in its life, and in which section of the index that puts it."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class Section(StrEnum):
    """The tables of an index, in the order in which they stand."""

    ACTIVE = "Active"
    SUPERSEDED = "Superseded / Deprecated"
    INVALIDATED = "Invalidated"


SECTIONS = {
    "active": Section.ACTIVE,
    "valid": Section.ACTIVE,
    "partial": Section.ACTIVE,
    "challenged": Section.ACTIVE,
    "corrected": Section.ACTIVE,
    "superseded": Section.SUPERSEDED,
    "refined": Section.SUPERSEDED,
    "deprecated": Section.SUPERSEDED,
    "stale": Section.SUPERSEDED,
    "invalidated": Section.INVALIDATED,
}
"""Every status there is, and its section."""

OF_DECISIONS = {
    "proposed": Section.ACTIVE,
    "accepted": Section.ACTIVE,
    "rejected": Section.SUPERSEDED,
}
"""What only decisions can be."""

MARKED = ("challenged", "corrected")
"""Active, but to be read with care."""


class Status(NamedTuple):
    """A status as read: its word in lower case, what caused it, and whether it is known."""

    word: str
    cause: str = ""
    known: bool = True

    @property
    def section(self) -> Section:
        """The table of the index that it puts an atom in."""
        return SECTIONS.get(self.word) or OF_DECISIONS.get(self.word) or Section.ACTIVE

    @property
    def shown(self) -> str:
        """What a reader is shown: an unknown one as active."""
        return str(self) if self.known else "active"

    def __str__(self) -> str:
        return f"{self.word}:{self.cause}" if self.cause else self.word


@lru_cache(maxsize=1024)  # few texts, and each is read for thousands of atoms
def read_status(text: str) -> Status:
    """Read `superseded:EXP-020`, `Invalidated: EXP-009`, `valid` or nothing.

    No status reads as active; an unknown one keeps its word and is shown as active.
    """
    word, _, cause = text.partition(":")
    word, cause = word.strip().lower(), cause.strip()
    if not word:
        return Status("active")
    return Status(word, cause, known=word in SECTIONS or word in OF_DECISIONS)
