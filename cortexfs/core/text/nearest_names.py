"""Suggest the known name most similar to a typed one."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MIN_SIMILARITY = 0.7
"""Minimum similarity of a suggested name, from 0 to 1 (the ratio of `difflib`)."""
MAX_NAME_CHARS = 100
"""Maximum characters of a compared name: comparing two takes quadratic time."""
MAX_NAMES = 20_000
"""Maximum number of names compared; further names are ignored."""


def nearest_names(typed: str, known: Iterable[str]) -> list[str]:
    """Return the known name most similar to the typed one, ignoring case, if one is close."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    if len(typed) > MAX_NAME_CHARS:
        return []
    folded = {
        name.lower(): name for name in islice(known, MAX_NAMES) if len(name) <= MAX_NAME_CHARS
    }
    found = get_close_matches(typed.lower(), folded, n=1, cutoff=MIN_SIMILARITY)
    return [folded[name] for name in found]
