"""What ends a finding: a fix, another id, the editor, the board, or only a person."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import is_access_log, parse_atom_path
from cortexfs.core.checks.fixes import FIXABLE_CODES

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds

RENDERED_CODES = frozenset({"index-stale", "listing-stale", "overview-stale"})
"""The codes of files that are derived: they are rendered again."""
_NAMED = re.compile(r"`([^`]+)`")


class Remedy(StrEnum):
    """What ends a finding."""

    FIX = "fix"
    RENUMBER = "renumber"
    REVIEW = "review"
    UNCLAIM = "unclaim"
    EDIT = "edit"
    TASKS = "tasks"
    BY_HAND = "by hand"


_REMEDIES = {
    **dict.fromkeys((*FIXABLE_CODES, *RENDERED_CODES), Remedy.FIX),
    "stale-evidence": Remedy.REVIEW,
    "stale-claim": Remedy.UNCLAIM,
}
_REMEDIES_OF_ATOMS = {"duplicate-id": Remedy.RENUMBER}


def find_remedy(finding: Finding, kinds: Kinds) -> Remedy:
    """Return what ends a finding."""
    if finding.code == "conflict-marker" and is_access_log(finding.path):
        return Remedy.FIX
    if remedy := _REMEDIES.get(finding.code):
        return remedy
    if finding.path.endswith("/TASKS.yaml"):
        return Remedy.TASKS
    is_atom = parse_atom_path(finding.path, kinds) is not None
    return find_atom_remedy(finding.code) if is_atom else Remedy.BY_HAND


def find_atom_remedy(code: str) -> Remedy:
    """Return what ends a finding about an atom."""
    return _REMEDIES.get(code) or _REMEDIES_OF_ATOMS.get(code, Remedy.EDIT)


def find_named(finding: Finding) -> str:
    """Return the ref or id that the message of a finding names first; empty without one."""
    found = _NAMED.search(finding.message)
    return found[1] if found else ""
