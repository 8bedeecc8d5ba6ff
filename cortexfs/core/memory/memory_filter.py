"""Conditions on memories."""

from __future__ import annotations

from typing import NamedTuple


class MemoryFilter(NamedTuple):
    """Conditions on a memory; an empty one matches all."""

    project: str = ""
    scope: str = ""
    type: str = ""


NO_FILTER = MemoryFilter()
