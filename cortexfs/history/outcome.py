"""What came of a commit: one was made, or none, and why."""

from __future__ import annotations

from typing import NamedTuple


class Committed(NamedTuple):
    """A commit was made. `unmended`: paths that show as staged until a later commit mends it."""

    id: str
    unmended: tuple[str, ...] = ()


class Skipped(NamedTuple):
    """No commit was made, and why; `again` where the same commit may be made later."""

    reason: str
    again: bool = False
