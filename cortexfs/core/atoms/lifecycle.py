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

OF_IDEAS = {"promoted": Section.SUPERSEDED}
"""What only ideas can be: it has become the project that it names."""

_EVERY = {**SECTIONS, **OF_DECISIONS, **OF_IDEAS}

CHALLENGED = "challenged"

MARKED = (CHALLENGED, "corrected")
"""Active, but to be read with care."""

VERDICTS = ("active", "valid", "partial")
"""What is thought of an atom that stands."""

_FALLS = ("superseded", "refined", "deprecated", "stale", "invalidated")
_AGAIN = ("active", "superseded", "refined", "deprecated", "invalidated")

FOLLOWS = {
    **dict.fromkeys(VERDICTS, (*VERDICTS, *MARKED, *_FALLS)),
    "challenged": (*VERDICTS, *MARKED, *_FALLS),
    "corrected": (*MARKED, *_FALLS),
    "stale": (*VERDICTS, *_AGAIN[1:]),
    "superseded": _AGAIN,
    "refined": _AGAIN,
    "deprecated": _AGAIN,
    "invalidated": (),
}
"""What may follow what; a status may follow itself, with another cause.

While an atom stands, the verdict on it may change. A challenge is answered: by a verdict, or by
a fall. A correction stays in sight, for whoever has cited the mistake has still cited it. What
was replaced comes back as `active`, to be judged anew, and no verdict of old returns with it;
what is only stale was never shown to be worse than anything, and may be judged at once. It
takes what stands to be challenged or corrected. From a tombstone no status leads back: its
body is gone, and `restore` is what brings it.
"""

OPEN = ("proposed", "rejected")
"""What a decision can be while it may still be edited."""

DECIDED = {
    "proposed": ("accepted", "rejected", "superseded"),
    "accepted": ("superseded",),
    "rejected": ("accepted",),
    "superseded": ("superseded",),
}
"""What may follow what in the life of a decision.

What is accepted falls only by a later decision; what was rejected may be taken up again.
"""

HEIRS = ("superseded", "refined")
"""These name an heir of the same kind, which links back."""

BURIED = "invalidated"
"""What is so becomes a tombstone."""

OVERTURNED = ("corrected", *HEIRS, BURIED)
"""After these, what rests on the atom rests on something else than it thinks."""

NAMING = (*MARKED, *HEIRS)
"""These must say by which atom."""


class Status(NamedTuple):
    """A status as read: its word in lower case, what caused it, and whether it is known."""

    word: str
    cause: str = ""
    known: bool = True

    @property
    def section(self) -> Section:
        """The table of the index that it puts an atom in."""
        return _EVERY.get(self.word, Section.ACTIVE)

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
    return Status(word, cause, known=word in _EVERY)
