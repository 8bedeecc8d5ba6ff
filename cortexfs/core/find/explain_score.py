"""Describe a result: its ref with its status, and how its score came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.find.rank import MIN_SHOWN_GAIN

if TYPE_CHECKING:
    from cortexfs.core.find.rank import RankedHit

CURRENT_STATUSES = frozenset({"", "active", "valid", "accepted", "established"})
"""Statuses that are not displayed with a result."""


def format_ref(found: RankedHit) -> str:
    """Return the ref of an atom, with its status unless that is in `CURRENT_STATUSES`."""
    atom = found.atom
    return atom.ref if atom.status in CURRENT_STATUSES else f"{atom.ref} ({atom.status})"


def explain_score(found: RankedHit) -> str:
    """Return how a score was computed: `4.49 = 3.87 for words, reads +6.0%, status x 0.50`."""
    parts = [f"{found.own_score:.2f} for {_describe_text_score(found)}"]
    for key, factor in found.factors.items():
        name = "reads" if key == "refs" else key
        parts.append(f"{name} +{factor - 1:.1%}" if factor > 1 else f"{name} x {factor:.2f}")
    return f"{found.score:.2f} = {', '.join(parts)}"


def _describe_text_score(found: RankedHit) -> str:
    fused = found.fused
    if fused is None:
        return "words"
    context = f", context +{found.context:.1%}" if found.context > MIN_SHOWN_GAIN else ""
    similarity = "not embedded yet" if fused.similarity is None else f"{fused.similarity:.2f}"
    return f"words ({fused.text_score:.2f}{context}) and similarity ({similarity})"
