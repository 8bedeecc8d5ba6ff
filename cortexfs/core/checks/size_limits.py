"""Size limits (caps) of governance files, and whether an edit is within them."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping

UNCAPPED = 0


class Cap(NamedTuple):
    """The maximum lines and bytes of a file; 0 is no limit."""

    lines: int = UNCAPPED
    bytes: int = UNCAPPED

    def __str__(self) -> str:
        limits = [format_count(self.lines, "line")] if self.lines else []
        limits += [format_count(self.bytes, "byte")] if self.bytes else []
        return " and ".join(limits)


DEFAULT_CAPS: Mapping[str, Cap] = MappingProxyType(
    {
        "mission.md": Cap(lines=100),
        "roadmap.md": Cap(lines=250),
        "STATUS.md": Cap(lines=120),
        "ISSUES.md": Cap(lines=80),
        "CORTEX.md": Cap(lines=120, bytes=8192),
        "OVERVIEW.md": Cap(lines=60),
        "USER.md": Cap(bytes=3072),
    }
)
"""The caps of format 1, by file name; `caps:` in `cortexfs.yaml` overrides them."""


def find_cap(path: str, tree_caps: Mapping[str, Cap]) -> Cap | None:
    """Return the cap of a file: the tree's `tree_caps`, else the format's; None if it has none."""
    name = path.rpartition("/")[2]
    return tree_caps.get(name) or DEFAULT_CAPS.get(name)


class TextSize(NamedTuple):
    """The lines and bytes of a text; a final newline does not begin another line."""

    lines: int
    bytes: int


def measure_text(text: str) -> TextSize:
    """Return the lines and UTF-8 bytes of a text; an empty text has no lines."""
    return TextSize(text.count("\n") + (not text.endswith("\n") and bool(text)), len(text.encode()))


def is_over_cap(text: str, cap: Cap) -> bool:
    """Return whether a text exceeds a cap."""
    return any(limit and size > limit for size, limit in zip(measure_text(text), cap, strict=True))


def is_edit_allowed(before: str | None, after: str, cap: Cap) -> bool:
    """Return whether an edit is allowed: the result is within the cap, or over it but smaller."""
    if not is_over_cap(after, cap):
        return True
    return (
        before is not None
        and is_over_cap(before, cap)
        and _is_smaller(measure_text(before), measure_text(after))
    )


def _is_smaller(before: TextSize, after: TextSize) -> bool:
    return after != before and after.lines <= before.lines and after.bytes <= before.bytes
