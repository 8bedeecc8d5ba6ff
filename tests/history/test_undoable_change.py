"""Our own commits are known again, and nobody else's are taken for ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_trailer import CHANGE_TRAILER, add_change_trailer, read_trailer
from cortexfs.history.repository import find_repository

if TYPE_CHECKING:
    from conftest import Repository

    from cortexfs.history.undoable_change import UndoableChange

ATOM = "projects/p/knowledge/K-001.md"
NEW = "projects/p/knowledge/K-002.md"


@pytest.fixture
def changed(repository: Repository) -> Repository:
    """A repository in which we have changed one file, made one and taken one away."""
    repository.write(ATOM, "two\n")
    repository.write(NEW, "new\n")
    (repository.top / "mine.md").unlink()
    repository.history.commit("ours", [ATOM, NEW, "mine.md"], signed=True)
    return repository


def last(repository: Repository) -> UndoableChange:
    found = repository.history.find_last_change()
    assert found
    return found


def test_a_change_has_the_text_of_each_file_before_and_after(changed: Repository) -> None:
    assert [tuple(file) for file in last(changed).files] == [
        ("mine.md", b"one\n", None),
        (ATOM, b"one\n", b"two\n"),
        (NEW, None, b"new\n"),
    ]
    assert last(changed).commit.subject == "ours"


def test_a_commit_without_the_trailer_is_not_ours(repository: Repository) -> None:
    repository.write(ATOM, "two\n")
    repository.history.commit("chore: keep books", [ATOM])
    assert repository.history.find_last_change() is None


def test_an_empty_branch_has_no_change(empty: Repository) -> None:
    assert empty.history.find_last_change() is None


def test_later_commits_of_others_are_passed_over(changed: Repository) -> None:
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-qm", "theirs")
    assert last(changed).commit.subject == "ours"


def test_an_amended_commit_is_not_ours(changed: Repository) -> None:
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-q", "--amend", "--no-edit")
    assert CHANGE_TRAILER in changed.git("log", "-1", "--format=%B")
    assert changed.history.find_last_change() is None


def test_below_an_amended_commit_our_previous_change_is_the_last(changed: Repository) -> None:
    changed.write(NEW, "newer\n")
    changed.history.commit("ours too", [NEW], signed=True)
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-q", "--amend", "--no-edit")
    assert last(changed).commit.subject == "ours"


def test_a_commit_with_only_its_message_amended_stays_ours(changed: Repository) -> None:
    said = changed.git("log", "-1", "--format=%B").replace("ours", "ours, said better")
    changed.git("commit", "-q", "--amend", "-m", said)
    assert last(changed).commit.subject == "ours, said better"


def test_squashed_commits_are_not_ours(changed: Repository) -> None:
    changed.write(NEW, "newer\n")
    changed.history.commit("ours too", [NEW], signed=True)
    said = changed.git("log", "-2", "--format=%B")
    changed.git("reset", "-q", "--soft", "HEAD~2")
    changed.git("commit", "-qm", said)
    assert changed.history.find_last_change() is None


def test_a_rebased_commit_stays_ours(changed: Repository) -> None:
    changed.git("checkout", "-q", "-b", "other", "HEAD~1")
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-qm", "theirs")
    changed.git("checkout", "-q", "-")
    changed.git("rebase", "-q", "other")
    assert last(changed).commit.subject == "ours"


def test_a_git_revert_is_not_ours(changed: Repository) -> None:
    changed.git("revert", "--no-edit", "HEAD")
    assert last(changed).commit.subject == "ours"


def test_a_merged_commit_is_not_the_last_change_of_the_branch(changed: Repository) -> None:
    changed.git("checkout", "-q", "-b", "other", "HEAD~1")
    changed.write("other.md", "x\n")
    changed.history.commit("on the other branch", ["other.md"], signed=True)
    changed.git("checkout", "-q", "-")
    changed.git("merge", "-q", "--no-ff", "--no-edit", "other")
    assert last(changed).commit.subject == "ours"


def test_the_root_commit_can_be_ours(empty: Repository) -> None:
    empty.write(ATOM, "one\n")
    empty.history.commit("first", [ATOM], signed=True)
    assert [tuple(file) for file in last(empty).files] == [(ATOM, None, b"one\n")]


def test_each_tree_of_a_repository_has_its_own_last_change(empty: Repository) -> None:
    for name in ("one", "two"):
        empty.write(f"{name}/{ATOM}", "x\n")
        history = find_repository(str(empty.top / name))
        assert history
        history.commit(name, [ATOM], signed=True)
    for name in ("one", "two"):
        history = find_repository(str(empty.top / name))
        assert history
        change = history.find_last_change()
        assert change
        assert (change.commit.subject, change.files[0].path) == (name, ATOM)


def test_a_change_is_found_by_its_commit(changed: Repository) -> None:
    ours = last(changed)
    changed.write(NEW, "newer\n")
    changed.history.commit("later", [NEW], signed=True)
    assert changed.history.find_change(ours.commit.commit) == ours
    assert changed.history.find_change("0" * 40) is None


def test_a_symlink_is_not_restored_as_a_file(repository: Repository) -> None:
    (repository.top / "link.md").symlink_to("mine.md")
    repository.history.commit("a link", ["link.md"], signed=True)
    with pytest.raises(HistoryFailed, match=r"link\.md"):
        repository.history.find_last_change()


@pytest.mark.parametrize("name", ["naïve/日本.md", "tab\there.md", "n/a\nb.md", '"quo"te.md'])
def test_any_file_name_is_reported_exactly(repository: Repository, name: str) -> None:
    repository.write(name, "x\n")
    repository.history.commit("odd", [name], signed=True)
    assert last(repository).files[0].path == name


@pytest.mark.parametrize(
    ("message", "gap"),
    [
        ("one line", "\n\n"),
        ("subject\n\nbody: of several\nlines", "\n\n"),
        ("subject\n\nCo-authored-by: Ada <a@b>", "\n"),
        ("subject: with colon", "\n\n"),
    ],
)
def test_the_trailer_is_added_to_existing_trailers(message: str, gap: str) -> None:
    said = add_change_trailer(message, {}, {})
    assert said.startswith(f"{message}{gap}{CHANGE_TRAILER}: ")
    assert len(read_trailer(said, CHANGE_TRAILER)) == 20


def test_a_quoted_trailer_does_not_count() -> None:
    assert not read_trailer(f"subject\n\n{CHANGE_TRAILER}: {'a' * 20}\n\nas I said", CHANGE_TRAILER)
