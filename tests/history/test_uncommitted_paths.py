"""Files that are too large to be read are compared by git's stamps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.history.uncommitted_paths import list_changes

if TYPE_CHECKING:
    from git_repository import Repository


def test_a_large_file_has_changed_if_its_stamp_has(repository: Repository) -> None:
    paths = [repository.write(f"data/{name}.bin", "x" * 100) for name in ("one", "two", "staged")]
    repository.git("add", "data")
    repository.git("commit", "-qm", "data")
    history = repository.history
    assert list_changes(history, max_bytes=64) == []
    new = repository.write("data/new.bin", "x" * 100)
    repository.write(paths[0], "y" * 100)
    repository.write(paths[2], "y" * 100)
    repository.git("add", paths[2])
    assert list_changes(history, max_bytes=64) == sorted([new, paths[0], paths[2]])


def test_many_large_files_are_compared_too(repository: Repository) -> None:
    paths = [repository.write(f"data/{number}.bin", "x" * 100) for number in range(100)]
    repository.git("add", "data")
    repository.git("commit", "-qm", "data")
    repository.write(paths[7], "y" * 101)
    assert list_changes(repository.history, max_bytes=64) == [paths[7]]
