from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from cortexfs.history.uncommitted_paths import UncommittedPaths

if TYPE_CHECKING:
    from git_repository import Repository

CLEAN = UncommittedPaths(frozenset(), frozenset())


def test_a_committed_file_is_unchanged_after_a_touch(repository: Repository) -> None:
    (repository.top / repository.atom).touch()
    assert repository.history.find_user_changes([repository.atom, "never/was.md"]) == CLEAN


@pytest.mark.parametrize("how", ["edited", "removed", "staged", "staged and put back", "unstaged"])
def test_every_edit_of_the_user_is_a_change(repository: Repository, how: str) -> None:
    file = repository.top / repository.atom
    if how == "removed":
        file.unlink()
    elif how == "unstaged":
        repository.git("rm", "-q", "--cached", repository.atom)
    else:
        file.write_text("two\n")
    if how.startswith("staged"):
        repository.git("add", repository.atom)
    if how == "staged and put back":
        file.write_text("one\n")
    assert repository.history.find_user_changes([repository.atom, "mine.md"]) == UncommittedPaths(
        frozenset({repository.atom}), frozenset()
    )


def test_an_unknown_file_is_untracked_and_a_staged_one_is_changed(
    repository: Repository,
) -> None:
    repository.write("unknown.md", "")
    repository.write("added.md", "")
    repository.git("add", "added.md")
    assert repository.history.find_user_changes(["unknown.md", "added.md"]) == UncommittedPaths(
        frozenset({"added.md"}), frozenset({"unknown.md"})
    )


def test_a_symlink_in_place_of_a_file_is_a_change(repository: Repository) -> None:
    repository.write("link.md", "mine.md")
    repository.git("add", "link.md")
    repository.git("commit", "-qm", "a file that reads like a link")
    (repository.top / "link.md").unlink()
    (repository.top / "link.md").symlink_to("mine.md")
    assert repository.history.find_user_changes(["link.md"]).changed == {"link.md"}
    assert repository.history.list_changes() == ["link.md"]


def test_before_the_first_commit_all_files_are_untracked(empty: Repository) -> None:
    empty.write("a.md", "")
    assert empty.history.find_user_changes(["a.md"]) == UncommittedPaths(
        frozenset(), frozenset({"a.md"})
    )
    assert empty.history.list_changes() == ["a.md"]


def test_more_paths_than_fit_a_command_line_can_be_compared(repository: Repository) -> None:
    paths = [f"projects/p/experiments/{'x' * 200}-{number}.md" for number in range(5_000)]
    assert repository.history.find_user_changes([*paths, repository.atom]) == CLEAN


def test_list_changes_names_files_with_other_content_that_are_not_ignored(
    repository: Repository,
) -> None:
    repository.write(".gitignore", ".cortexfs/\n*.tmp\n")
    repository.write(".cortexfs/lock", "")
    repository.write("projects/p/x.tmp", "")
    repository.write("projects/p/new.md", "")
    repository.write(repository.atom, "two\n")
    repository.write("staged.md", "")
    repository.git("add", "staged.md")
    (repository.top / "mine.md").unlink()
    os.mkfifo(repository.top / "pipe.md")
    history = repository.history
    assert history.list_changes("projects/p") == [repository.atom, "projects/p/new.md"]
    everything = history.list_changes()
    assert everything == [
        ".gitignore",
        "mine.md",
        repository.atom,
        "projects/p/new.md",
        "staged.md",
    ]
    history.commit("all", everything)
    assert history.list_changes() == []
    assert repository.status() == ""


def test_files_outside_of_a_sparse_checkout_are_not_removed(repository: Repository) -> None:
    repository.git("sparse-checkout", "set", "--no-cone", "/projects/")
    assert not (repository.top / "mine.md").exists()
    assert repository.history.list_changes() == []


def test_submodules_are_not_compared(repository: Repository) -> None:
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "-q", "add", str(repository.top), "sub"
    )
    repository.git("commit", "-qm", "sub")
    repository.write("sub/mine.md", "edited\n")
    assert repository.history.list_changes() == []


def test_a_folder_in_place_of_a_file_removes_the_file(repository: Repository) -> None:
    (repository.top / "mine.md").unlink()
    repository.write("mine.md/inner.md", "")
    assert repository.history.list_changes() == ["mine.md", "mine.md/inner.md"]
    repository.history.commit("all", ["mine.md", "mine.md/inner.md"])
    assert repository.status() == ""
    assert repository.sound()
