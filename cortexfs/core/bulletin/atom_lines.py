"""The lines of atoms: each atom that is current has one line, in the section of its kind."""

from __future__ import annotations

from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import (
    DECISION_KIND,
    OBSERVATION_KIND,
    PROMPT_KIND,
    STORY_KINDS,
)
from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, parse_atom_status
from cortexfs.core.bulletin.bulletin_line import (
    DECISIONS,
    KNOWLEDGE,
    OBSERVATIONS,
    RECENT,
    BulletinLine,
)
from cortexfs.core.bulletin.clean_bulletin_text import clean_bulletin_text
from cortexfs.core.bulletin.score_atoms import format_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.bulletin.score_atoms import CurrentAtom

KIND_SECTIONS = {
    DECISION_KIND: DECISIONS,
    OBSERVATION_KIND: OBSERVATIONS,
    "knowledge": KNOWLEDGE,
    "pattern": KNOWLEDGE,
}
"""The section of each kind; what is not listed is recent activity."""
NEVER_SHOWN_KINDS = frozenset({PROMPT_KIND, *STORY_KINDS})
"""Prompts are words of a person to another session."""
_MARKED_STATUSES = frozenset({*CAUTION_STATUSES, "proposed", "partial"})


class SectionAtoms(NamedTuple):
    """The atoms of a section with the highest scores, and the number of all of them."""

    best: list[CurrentAtom]
    total: int


def group_by_section(
    atoms: Iterable[CurrentAtom], scores: Mapping[str, float], limit: int
) -> dict[str, SectionAtoms]:
    """Return the atoms of each section: the best, at most `limit`, and how many there are."""
    groups: dict[str, list[CurrentAtom]] = {}
    for atom in atoms:
        if atom.kind not in NEVER_SHOWN_KINDS:
            groups.setdefault(KIND_SECTIONS.get(atom.kind, RECENT), []).append(atom)
    return {
        section: SectionAtoms(_find_best(group, scores, limit), len(group))
        for section, group in groups.items()
    }


def _find_best(
    atoms: Sequence[CurrentAtom], scores: Mapping[str, float], limit: int
) -> list[CurrentAtom]:
    """Return the atoms with the highest scores, the newest first among equal ones."""
    own = [scores[atom.path] for atom in atoms]
    lowest = min(nlargest(limit, own), default=0.0)  # without keys: most atoms are far below
    close = (atom for atom, score in zip(atoms, own, strict=True) if score >= lowest)
    return sort_by_score(close, scores)[:limit]


def sort_by_score(atoms: Iterable[CurrentAtom], scores: Mapping[str, float]) -> list[CurrentAtom]:
    """Return atoms with the highest scores first, and the newest first among equal ones."""
    return sorted(atoms, key=lambda atom: (-scores[atom.path], -atom.day, atom.path))


def make_atom_line(
    atom: CurrentAtom, fields: Mapping[str, FrontmatterValue], score: float, as_of: str
) -> BulletinLine:
    """Return the line of an atom: its summary, with its status before it if it needs care."""
    typed = fields.get("status", "")
    status = parse_atom_status(typed if isinstance(typed, str) else "")
    summary = fields.get("summary", "")
    text = clean_bulletin_text(summary if isinstance(summary, str) else "") or atom.file_name
    if status.word in _MARKED_STATUSES:
        text = f"{clean_bulletin_text(str(status))}: {text}"
    day = format_day(atom.day) or as_of
    return BulletinLine(_find_section(atom), text, atom.ref, day, score)


def _find_section(atom: CurrentAtom) -> str:
    return KIND_SECTIONS.get(atom.kind, RECENT)
