"""Watch the folders of a tree by events, as far as the system has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.watch import TreeObserver

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.interfaces.path_queue import PathQueue

_NO_EVENTS = "this user has no file events left; files are compared every 15 seconds"


def start_observer(root: str, hints: PathQueue) -> tuple[TreeObserver | None, str]:
    """Start to watch; return the reason if the system allows no events."""
    observer = TreeObserver(root, hints, notes=True)
    try:
        observer.start()
    except OSError as error:
        return None, f"{_NO_EVENTS} ({error.strerror or error})"
    return observer, ""


def make_folder_watcher(
    observer: TreeObserver | None, report: Callable[[str], object]
) -> Callable[[], str]:
    """Return a function that also watches the folders which are new."""

    def watch_new_folders() -> str:
        """Return the reason if a folder cannot be watched."""
        try:
            if observer:
                observer.watch_new_folders()
        except OSError as error:
            problem = f"a folder is not watched: {error.strerror or error}"
            report(problem)
            return problem
        return ""

    return watch_new_folders
