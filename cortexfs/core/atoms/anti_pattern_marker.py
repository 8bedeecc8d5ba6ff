"""Anti-patterns: the prefix of their summary, and the tag that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ANTI_PATTERN_PREFIX = "ANTI-PATTERN:"
ANTI_PATTERN_TAG = "anti-pattern"


def is_anti_pattern(summary: str) -> bool:
    """Return whether a summary is that of an anti-pattern, whose evidence is what failed."""
    return summary.lstrip().startswith(ANTI_PATTERN_PREFIX)


def add_anti_pattern_tag(summary: str, tags: Sequence[str]) -> tuple[str, ...]:
    """Return the tags for a summary: `anti-pattern` is put first if it applies and is missing."""
    is_missing = is_anti_pattern(summary) and ANTI_PATTERN_TAG not in tags
    return (ANTI_PATTERN_TAG, *tags) if is_missing else tuple(tags)
