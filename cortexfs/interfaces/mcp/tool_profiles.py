"""Which tools a server offers: the value of `--tools`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

ALL = "all"
"""The word for every tool."""


class Profile(StrEnum):
    """Groups of tools."""

    AGENT = "agent"
    """The memory tools for the work of an agent."""
    ADMIN = "admin"
    """The memory tools that delete, archive and count."""
    TREE = "tree"
    """The tools for the atoms of the tree."""
    STORY = "story"
    """The tools for chats that are remembered."""


def choose_tools(typed: str, profiles: Mapping[str, Profile]) -> list[str]:
    """Return the names of the chosen tools, in the order of the table.

    `typed` is a comma-separated list of profiles and names of tools; nothing, or `all` anywhere,
    means every tool. A name that no tool has chooses nothing.
    """
    words = {word for part in typed.split(",") if (word := part.strip())}
    if not words or ALL in words:
        return list(profiles)
    return [name for name, profile in profiles.items() if name in words or profile in words]
