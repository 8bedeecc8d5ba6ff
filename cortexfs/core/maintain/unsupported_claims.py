"""Claims that rest on atoms which no longer stand."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.grounds import grounds
from cortexfs.core.atoms.reviews import is_answered
from cortexfs.core.maintain.inputs import stands

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.core.maintain.inputs import Study

FELL = ("superseded", "deprecated", "invalidated")
"""Statuses of what nobody should rest on; a refined atom still holds, a stale one may."""


class Severity(StrEnum):
    """How much of what a claim rests on has fallen."""

    ALL = "all-compromised"
    PARTIAL = "partial"


class Contradiction(NamedTuple):
    """A claim, what of its ground has fallen and what stands, and who brought it down.

    `by` is what the status of a fallen one names as its cause, in full; empty where that is
    nothing, or has fallen too.
    """

    ref: str
    path: str
    status: str
    severity: Severity
    fallen: tuple[str, ...]
    standing: tuple[str, ...]
    by: str


def contradictions(study: Study) -> list[Contradiction]:
    """Find them, the wholly compromised first; refs that name nothing are left to `check`.

    Left out are anti-patterns, which rest on what failed, and what was reviewed since.
    """
    claims = (e for e in study.entries if stands(e) and not study.is_anti_pattern(e))
    found = [one for entry in claims for one in _of(study, entry)]
    return sorted(found, key=lambda c: (c.severity is Severity.PARTIAL, c.ref))


def _of(study: Study, entry: Entry) -> Iterator[Contradiction]:
    named = _grounds(study, entry)
    fallen = [
        ground
        for ground in named
        if ground.status.word in FELL and not is_answered(entry.atom, ground.atom, study.atom)
    ]
    if fallen:
        left = tuple(str(ground.atom.ref) for ground in named if ground not in fallen)
        yield Contradiction(
            str(entry.atom.ref),
            entry.atom.path,
            str(entry.status),
            Severity.PARTIAL if left else Severity.ALL,
            tuple(str(ground.atom.ref) for ground in fallen),
            left,
            _cause(study, fallen),
        )


def _grounds(study: Study, entry: Entry) -> list[Entry]:
    """Give the atoms that one says it rests on, each once."""
    found = (study.find(cited, entry.atom.project) for cited, _ in grounds(entry.atom))
    return list({each.atom.path: each for each in found if each}.values())


def _cause(study: Study, fallen: Iterable[Entry]) -> str:
    """Name in full what brought one of them down, where its status says so and that stands."""
    named = (study.find(each.status.cause, each.atom.project) for each in fallen)
    return next((str(cause.atom.ref) for cause in named if cause and stands(cause)), "")
