"""The folders of a tree whose events are read: those that a scan reads, and those above them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import OutsideTree
from cortexfs.tree.folder_events import is_local
from cortexfs.tree.list_and_stamp_files import iter_stamped_folders, list_names, list_projects
from cortexfs.tree.safe_open import open_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.folder_events import FolderEvents


class WatchedFolders:
    """The watched folders of one tree; none is watched at first."""

    def __init__(self, root: str, kinds: Kinds, events: FolderEvents) -> None:
        self._root, self._kinds, self._events = root, kinds, events
        self._by_watch: dict[int, str] = {}
        """The folders by the numbers of their watches."""
        self._places: set[str] = set()
        self._wanted: dict[str, Callable[[str], bool]] = {}
        """The folders that a scan reads, and which names in them."""

    def __contains__(self, folder: str) -> bool:
        return folder in self._places

    def find_folder(self, watch: int) -> str | None:
        """Return the folder with a watch of this number; None if it has been given up."""
        return self._by_watch.get(watch)

    def is_scanned(self, folder: str, name: str) -> bool:
        """Return whether a scan reads a file of this name in a folder."""
        return folder in self._wanted and self._wanted[folder](name)

    def list_files(self, folder: str) -> Iterator[str]:
        """Yield the paths of the files in a folder that a scan reads."""
        prefix, wanted = f"{folder}/" if folder else "", self._wanted.get(folder)
        names = list_names(self._root, folder) if wanted else ()
        return (f"{prefix}{name}" for name in names if wanted and wanted(name))

    def watch_new(self) -> list[str]:
        """Watch each folder that is not watched yet, those above it first; return them.

        A folder that appears later has an event in the one above it, if no folder was new. So each
        folder is watched in which one for atoms may appear. Raises `OSError` if one cannot be.
        """
        projects = list_projects(self._root)
        self._wanted = dict(iter_stamped_folders(self._root, self._kinds, projects, existing=True))
        above = {"", "projects", *(f"projects/{name}" for name in projects)}
        above.update(folder for place in self._wanted for folder in _list_folders_above(place))
        new = sorted(
            (above | self._wanted.keys()) - self._places, key=lambda each: (each.count("/"), each)
        )
        return [folder for folder in new if self._watch_folder(folder)]

    def _watch_folder(self, folder: str) -> bool:
        """Watch a folder; return False if there is none."""
        try:
            with open_folder(self._root, folder) as at:
                if not is_local(at):
                    raise OSError(None, "events of this file system may be incomplete")
                self._by_watch[self._events.watch(at)] = folder
                self._places.add(folder)
        except (FileNotFoundError, NotADirectoryError, PermissionError, OutsideTree):
            return False
        return True


def _list_folders_above(place: str) -> Iterator[str]:
    """Yield the folders that contain a folder, up to the root, which is empty."""
    while place:
        place = place.rpartition("/")[0]
        yield place
