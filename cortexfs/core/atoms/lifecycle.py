"""The statuses of atoms, the allowed changes between them, and their index sections."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple


class IndexMdSection(StrEnum):
    """The tables of an index, in order."""

    ACTIVE = "Active"
    SUPERSEDED = "Superseded / Deprecated"
    INVALIDATED = "Invalidated"


STATUS_SECTIONS = {
    "active": IndexMdSection.ACTIVE,
    "valid": IndexMdSection.ACTIVE,
    "partial": IndexMdSection.ACTIVE,
    "challenged": IndexMdSection.ACTIVE,
    "corrected": IndexMdSection.ACTIVE,
    "superseded": IndexMdSection.SUPERSEDED,
    "refined": IndexMdSection.SUPERSEDED,
    "deprecated": IndexMdSection.SUPERSEDED,
    "stale": IndexMdSection.SUPERSEDED,
    "invalidated": IndexMdSection.INVALIDATED,
}
"""The statuses that every kind has, and their sections."""

DECISION_STATUS_SECTIONS = {
    "proposed": IndexMdSection.ACTIVE,
    "accepted": IndexMdSection.ACTIVE,
    "rejected": IndexMdSection.SUPERSEDED,
}
"""The statuses that only decisions have."""

IDEA_STATUS_SECTIONS = {"promoted": IndexMdSection.SUPERSEDED}
"""The status that only ideas have; its cause is the project that the idea became."""

SESSION_STATUS_SECTIONS = {"ended": IndexMdSection.ACTIVE}
"""The status that only sessions have: that of an agent's session which has ended."""

ENTITY_STATUS_SECTIONS = {
    "inactive": IndexMdSection.ACTIVE,
    "deceased": IndexMdSection.ACTIVE,
    "destroyed": IndexMdSection.ACTIVE,
    "unknown": IndexMdSection.ACTIVE,
}
"""The statuses that only entities of stories have: what has become of who or what they are."""

_ALL_STATUS_SECTIONS = {
    **STATUS_SECTIONS,
    **DECISION_STATUS_SECTIONS,
    **IDEA_STATUS_SECTIONS,
    **SESSION_STATUS_SECTIONS,
    **ENTITY_STATUS_SECTIONS,
}

CHALLENGED = "challenged"

CAUTION_STATUSES = (CHALLENGED, "corrected")
"""Active statuses that need care when read; they are highlighted."""

VERDICT_STATUSES = ("active", "valid", "partial")
"""The verdicts on an atom that is current."""

_OUTDATED_STATUSES = ("superseded", "refined", "deprecated", "stale", "invalidated")
_AFTER_REPLACEMENT = ("active", "superseded", "refined", "deprecated", "invalidated")

STATUS_TRANSITIONS = {
    **dict.fromkeys(VERDICT_STATUSES, (*VERDICT_STATUSES, *CAUTION_STATUSES, *_OUTDATED_STATUSES)),
    "challenged": (*VERDICT_STATUSES, *CAUTION_STATUSES, *_OUTDATED_STATUSES),
    "corrected": (*CAUTION_STATUSES, *_OUTDATED_STATUSES),
    "stale": (*VERDICT_STATUSES, *_AFTER_REPLACEMENT[1:]),
    "superseded": _AFTER_REPLACEMENT,
    "refined": _AFTER_REPLACEMENT,
    "deprecated": _AFTER_REPLACEMENT,
    "invalidated": (),
}
"""The statuses that may follow each status; a status may follow itself, with another cause.

While an atom is current, its verdict may change. A challenge ends with a verdict, or when the
atom is replaced or refuted. A correction stays visible, because earlier citations of the mistake
remain. A replaced atom returns as `active`, without its former verdict. A stale atom was not
replaced by a better one, so it may get any verdict. Only a current atom can be challenged or
corrected. No status follows a tombstone: its body is removed, and only `restore` brings it back.
"""

EDITABLE_DECISION_STATUSES = ("proposed", "rejected")
"""The statuses of a decision in which it may still be edited."""

DECISION_TRANSITIONS = {
    "proposed": ("accepted", "rejected", "superseded"),
    "accepted": ("superseded",),
    "rejected": ("accepted",),
    "superseded": ("superseded",),
}
"""The statuses that may follow each status of a decision.

An accepted decision can only be superseded by a later one; a rejected one can be accepted.
"""

SUCCESSOR_STATUSES = ("superseded", "refined")
"""Statuses that name a successor of the same kind, which links back."""

TOMBSTONE_STATUS = "invalidated"
"""The status of a tombstone."""

OVERTURNED_STATUSES = ("corrected", *SUCCESSOR_STATUSES, TOMBSTONE_STATUS)
"""Statuses after which an atom no longer says what its dependents assume."""

STATUSES_WITH_CAUSE = (*CAUTION_STATUSES, *SUCCESSOR_STATUSES)
"""Statuses that must name the atom that caused them."""


class ParsedStatus(NamedTuple):
    """A parsed status: its word in lower case, its cause, and whether the word is known."""

    word: str
    cause: str = ""
    is_known: bool = True

    @property
    def section(self) -> IndexMdSection:
        """The index section of an atom with this status."""
        return _ALL_STATUS_SECTIONS.get(self.word, IndexMdSection.ACTIVE)

    @property
    def display_text(self) -> str:
        """The status as displayed; an unknown one is displayed as active."""
        return str(self) if self.is_known else "active"

    def __str__(self) -> str:
        return f"{self.word}:{self.cause}" if self.cause else self.word


@lru_cache(maxsize=1024)  # few distinct texts, each read for thousands of atoms
def parse_atom_status(text: str) -> ParsedStatus:
    """Return the status in a text such as `superseded:EXP-020`, `Invalidated: EXP-009` or `valid`.

    An empty text is active; an unknown word is kept and displayed as active.
    """
    word, _, cause = text.partition(":")
    word, cause = word.strip().lower(), cause.strip()
    if not word:
        return ParsedStatus("active")
    return ParsedStatus(word, cause, is_known=word in _ALL_STATUS_SECTIONS)


def list_next_statuses(text: str, *, is_decision: bool) -> tuple[str, ...]:
    """Return the statuses that may follow the status in a text, without itself."""
    word = parse_atom_status(text).word
    allowed = (DECISION_TRANSITIONS if is_decision else STATUS_TRANSITIONS).get(word, ())
    return tuple(status for status in allowed if status != word)
