"""What one tool call showed of a tree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Found(NamedTuple):
    """An atom, by its project and the name of its file."""

    project: str
    file: str


@dataclass(frozen=True, slots=True)
class Seen:
    """The atoms that were shown, and the projects whose atoms were searched in vain."""

    found: frozenset[Found] = frozenset()
    searched: frozenset[str] = frozenset()

    def __or__(self, other: Seen) -> Seen:
        return Seen(self.found | other.found, self.searched | other.searched)
