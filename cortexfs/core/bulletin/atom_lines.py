"""The lines of atoms: each atom that is current has one line, in the section of its kind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import (
    DECISION_KIND,
    OBSERVATION_KIND,
    PROMPT_KIND,
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
    from collections.abc import Iterable, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.bulletin.score_atoms import CurrentAtom

KIND_SECTIONS = {
    DECISION_KIND: DECISIONS,
    OBSERVATION_KIND: OBSERVATIONS,
    "knowledge": KNOWLEDGE,
    "pattern": KNOWLEDGE,
}
"""The section of each kind; what is not listed is recent activity."""
NEVER_SHOWN_KINDS = frozenset({PROMPT_KIND})
"""Prompts are words of a person to another session."""
_MARKED_STATUSES = frozenset({*CAUTION_STATUSES, "proposed", "partial"})


def section_of(kind: str) -> str:
    """Return the section of the atoms of a kind."""
    return KIND_SECTIONS.get(kind, RECENT)


def group_by_section(
    atoms: Iterable[CurrentAtom], scores: Mapping[str, float]
) -> dict[str, list[CurrentAtom]]:
    """Return the atoms of each section, the highest score first."""
    groups: dict[str, list[CurrentAtom]] = {}
    for atom in sorted(atoms, key=lambda each: (-scores[each.path], -each.day, each.path)):
        if atom.kind not in NEVER_SHOWN_KINDS:
            groups.setdefault(section_of(atom.kind), []).append(atom)
    return groups


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
    return BulletinLine(section_of(atom.kind), text, atom.ref, day, score)
