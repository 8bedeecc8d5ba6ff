from __future__ import annotations

import shutil
import time
import warnings
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from cortexfs.interfaces.path_queue import PathQueue
from cortexfs.interfaces.watch import MAX_WATCHED_FOLDERS, TreeObserver

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DEADLINE_S = 30.0


@contextmanager
def observing(root: Path) -> Iterator[tuple[TreeObserver, PathQueue]]:
    with warnings.catch_warnings(), ExitStack() as stack:  # the observer sets a filter
        hints = PathQueue()
        stack.callback(hints.close)
        observer = TreeObserver(str(root), hints)
        observer.start()
        stack.callback(observer.stop)
        yield observer, hints


def wait_for(hints: PathQueue, path: str) -> bool:
    """Return whether this path is queued; others before it are dropped."""
    deadline = time.monotonic() + DEADLINE_S
    while (left := deadline - time.monotonic()) > 0:
        if path in hints.wait(left):
            return True
    return False


def test_a_folder_that_replaces_a_removed_one_is_watched_even_with_its_inode(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "projects"
    folder.mkdir()
    with observing(tmp_path) as (observer, hints):
        inode = folder.stat().st_ino
        for _ in range(3):  # most file systems give the number to the next folder
            shutil.rmtree(folder)
            folder.mkdir()
            (tmp_path / "last.md").touch()
            assert wait_for(hints, "last.md")
            observer.watch_new_folders()
            (folder / "new.md").touch()
            assert wait_for(hints, "projects/new.md"), f"inode {inode}"
            (tmp_path / "last.md").unlink()


def test_a_root_with_too_many_folders_is_refused(tmp_path: Path) -> None:
    for number in range(MAX_WATCHED_FOLDERS + 1):
        (tmp_path / str(number)).mkdir()
    with pytest.raises(OSError, match="more than 100 folders"), observing(tmp_path):
        pass
