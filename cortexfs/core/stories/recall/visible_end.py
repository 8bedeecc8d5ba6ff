"""How many of the last messages of a record are those that were said last, and so are visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

MAX_NEW = 2
"""Messages at the end of what was said that the record may not have yet."""


def count_visible(said: Sequence[str], recorded: Sequence[str]) -> int:
    """Return how many texts at the end of a record are those at the end of what was said."""
    counts = [0]
    for new in range(min(MAX_NEW, len(said)) + 1):
        pairs = zip(reversed(said[: len(said) - new]), reversed(recorded), strict=False)
        count = 0
        for one, other in pairs:
            if one != other and _fold(one) != _fold(other):
                break
            count += 1
        counts.append(count)
    return max(counts)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()
