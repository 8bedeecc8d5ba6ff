"""Which paths are renamed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection


class Renamed(NamedTuple):
    """The paths of files that are renamed, and of a folder, if one is."""

    files: Collection[str]
    folder: str = ""

    def has(self, path: str) -> bool:
        """Tell whether a path below the root is renamed."""
        is_within = path == self.folder or path.startswith(f"{self.folder}/")
        return path in self.files or bool(self.folder and is_within)
