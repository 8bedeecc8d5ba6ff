"""Suggest the known name that is most like a typed one."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_SIMILARITY = 0.7
"""How much of a name must agree for it to be suggested, from 0 to 1."""
MAX_NAME_CHARS = 100
"""Characters of a name that is compared: comparing two takes quadratic time."""
MAX_NAMES = 20_000
"""Names that are compared; the rest is not looked at."""


def nearest_names(typed: str, known: Iterable[str]) -> list[str]:
    """Return the known name that is most like the typed one, if one is close, whatever its case."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    if len(typed) > MAX_NAME_CHARS:
        return []
    folded = {
        name.lower(): name for name in islice(known, MAX_NAMES) if len(name) <= MAX_NAME_CHARS
    }
    found = get_close_matches(typed.lower(), folded, n=1, cutoff=MIN_SIMILARITY)
    return [folded[name] for name in found]
