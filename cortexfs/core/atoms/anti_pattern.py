"""The rule of anti-patterns: how their summary begins, and the tag that goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PREFIX = "ANTI-PATTERN:"
TAG = "anti-pattern"


def is_anti_pattern(summary: str) -> bool:
    """Tell whether a summary warns of something: what such an atom rests on is what failed."""
    return summary.lstrip().startswith(PREFIX)


def with_tag(summary: str, tags: Sequence[str]) -> tuple[str, ...]:
    """Give the tags that go with a summary: an anti-pattern's begin with its own."""
    lacking = is_anti_pattern(summary) and TAG not in tags
    return (TAG, *tags) if lacking else tuple(tags)
