"""The paths that are renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection


class Renamed(NamedTuple):
    """The paths of renamed files, and of a renamed folder, or empty."""

    files: Collection[str]
    folder: str = ""

    def has(self, path: str) -> bool:
        """Return whether a path below the root is renamed."""
        is_within = path == self.folder or path.startswith(f"{self.folder}/")
        return path in self.files or bool(self.folder and is_within)
