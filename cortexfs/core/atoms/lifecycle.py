"""Where an atom stands in its life, and in which section of the index that puts it."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class IndexSection(StrEnum):
    """The tables of an index, in the order in which they stand."""

    ACTIVE = "Active"
    SUPERSEDED = "Superseded / Deprecated"
    INVALIDATED = "Invalidated"


STATUS_SECTIONS = {
    "active": IndexSection.ACTIVE,
    "valid": IndexSection.ACTIVE,
    "partial": IndexSection.ACTIVE,
    "challenged": IndexSection.ACTIVE,
    "corrected": IndexSection.ACTIVE,
    "superseded": IndexSection.SUPERSEDED,
    "refined": IndexSection.SUPERSEDED,
    "deprecated": IndexSection.SUPERSEDED,
    "stale": IndexSection.SUPERSEDED,
    "invalidated": IndexSection.INVALIDATED,
}
"""Every status there is, and its section."""

DECISION_STATUS_SECTIONS = {
    "proposed": IndexSection.ACTIVE,
    "accepted": IndexSection.ACTIVE,
    "rejected": IndexSection.SUPERSEDED,
}
"""What only decisions can be."""

IDEA_STATUS_SECTIONS = {"promoted": IndexSection.SUPERSEDED}
"""What only ideas can be: it has become the project that it names."""

_EVERY = {**STATUS_SECTIONS, **DECISION_STATUS_SECTIONS, **IDEA_STATUS_SECTIONS}

CHALLENGED = "challenged"

CAUTION_STATUSES = (CHALLENGED, "corrected")
"""Active, but to be read with care."""

VERDICT_STATUSES = ("active", "valid", "partial")
"""What is thought of an atom that stands."""

_FALLS = ("superseded", "refined", "deprecated", "stale", "invalidated")
_AGAIN = ("active", "superseded", "refined", "deprecated", "invalidated")

STATUS_TRANSITIONS = {
    **dict.fromkeys(VERDICT_STATUSES, (*VERDICT_STATUSES, *CAUTION_STATUSES, *_FALLS)),
    "challenged": (*VERDICT_STATUSES, *CAUTION_STATUSES, *_FALLS),
    "corrected": (*CAUTION_STATUSES, *_FALLS),
    "stale": (*VERDICT_STATUSES, *_AGAIN[1:]),
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

EDITABLE_DECISION_STATUSES = ("proposed", "rejected")
"""What a decision can be while it may still be edited."""

DECISION_TRANSITIONS = {
    "proposed": ("accepted", "rejected", "superseded"),
    "accepted": ("superseded",),
    "rejected": ("accepted",),
    "superseded": ("superseded",),
}
"""What may follow what in the life of a decision.

What is accepted falls only by a later decision; what was rejected may be taken up again.
"""

SUCCESSOR_STATUSES = ("superseded", "refined")
"""These name an heir of the same kind, which links back."""

TOMBSTONE_STATUS = "invalidated"
"""What is so becomes a tombstone."""

OVERTURNED_STATUSES = ("corrected", *SUCCESSOR_STATUSES, TOMBSTONE_STATUS)
"""After these, what rests on the atom rests on something else than it thinks."""

STATUSES_WITH_CAUSE = (*CAUTION_STATUSES, *SUCCESSOR_STATUSES)
"""These must say by which atom."""


class AtomStatus(NamedTuple):
    """A status as read: its word in lower case, what caused it, and whether it is known."""

    word: str
    cause: str = ""
    is_known: bool = True

    @property
    def section(self) -> IndexSection:
        """The table of the index that it puts an atom in."""
        return _EVERY.get(self.word, IndexSection.ACTIVE)

    @property
    def display_text(self) -> str:
        """What a reader is shown: an unknown one as active."""
        return str(self) if self.is_known else "active"

    def __str__(self) -> str:
        return f"{self.word}:{self.cause}" if self.cause else self.word


@lru_cache(maxsize=1024)  # few texts, and each is read for thousands of atoms
def parse_status(text: str) -> AtomStatus:
    """Read `superseded:EXP-020`, `Invalidated: EXP-009`, `valid` or nothing.

    No status reads as active; an unknown one keeps its word and is shown as active.
    """
    word, _, cause = text.partition(":")
    word, cause = word.strip().lower(), cause.strip()
    if not word:
        return AtomStatus("active")
    return AtomStatus(word, cause, is_known=word in _EVERY)
