"""What is said of an atom that was found: whether it still stands, and why it stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.find.fuse_scores import Fit
    from cortexfs.core.find.rank import Found

STANDING = frozenset({"", "active", "valid", "accepted", "established"})
"""Statuses of which nothing need be said."""


def named(found: Found) -> str:
    """Name an atom, with its status where a reader has to know it."""
    known = found.known
    return known.ref if known.status in STANDING else f"{known.ref} ({known.status})"


def why(found: Found) -> str:
    """Say how a score came about: `4.49 = 3.87 of the words, refs +6%, status x 0.50`."""
    parts = [f"{found.lexical:.2f} of {_ways(found.fit)}"]
    for name, factor in found.factors.items():
        parts.append(f"{name} +{factor - 1:.1%}" if factor > 1 else f"{name} x {factor:.2f}")
    return f"{found.score:.2f} = {', '.join(parts)}"


def _ways(fit: Fit | None) -> str:
    if fit is None:
        return "the words"
    meaning = "not known yet" if fit.meaning is None else f"{fit.meaning:.2f}"
    return f"the words ({fit.words:.2f}) and the meaning ({meaning})"
