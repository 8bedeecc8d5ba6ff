"""The rule of anti-patterns: how their summary begins, and the tag that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

ANTI_PATTERN_PREFIX = "ANTI-PATTERN:"
ANTI_PATTERN_TAG = "anti-pattern"


def is_anti_pattern(summary: str) -> bool:
    """Tell whether a summary warns of something: what such an atom rests on is what failed."""
    return summary.lstrip().startswith(ANTI_PATTERN_PREFIX)


def add_anti_pattern_tag(summary: str, tags: Sequence[str]) -> tuple[str, ...]:
    """Give the tags that go with a summary: an anti-pattern's begin with its own."""
    lacking = is_anti_pattern(summary) and ANTI_PATTERN_TAG not in tags
    return (ANTI_PATTERN_TAG, *tags) if lacking else tuple(tags)
