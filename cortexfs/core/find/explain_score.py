"""What is said of an atom that was found: whether it still stands, and why it stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.find.fuse_scores import FusedScore
    from cortexfs.core.find.rank import RankedHit

CURRENT_STATUSES = frozenset({"", "active", "valid", "accepted", "established"})
"""Statuses of which nothing need be said."""


def format_ref(found: RankedHit) -> str:
    """Name an atom, with its status where a reader has to know it."""
    known = found.atom
    return known.ref if known.status in CURRENT_STATUSES else f"{known.ref} ({known.status})"


def explain_score(found: RankedHit) -> str:
    """Say how a score came about: `4.49 = 3.87 of the words, refs +6%, status x 0.50`."""
    parts = [f"{found.text_score:.2f} of {_ways(found.fused)}"]
    for name, factor in found.factors.items():
        parts.append(f"{name} +{factor - 1:.1%}" if factor > 1 else f"{name} x {factor:.2f}")
    return f"{found.score:.2f} = {', '.join(parts)}"


def _ways(fit: FusedScore | None) -> str:
    if fit is None:
        return "the words"
    meaning = "not known yet" if fit.similarity is None else f"{fit.similarity:.2f}"
    return f"the words ({fit.text_score:.2f}) and the meaning ({meaning})"
