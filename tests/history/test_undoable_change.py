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
    found = next(repository.history.find_undoable_changes(), None)
    assert found
    return found


def test_a_change_tells_what_each_file_held_before_and_after(changed: Repository) -> None:
    assert [tuple(file) for file in last(changed).files] == [
        ("mine.md", b"one\n", None),
        (ATOM, b"one\n", b"two\n"),
        (NEW, None, b"new\n"),
    ]
    assert last(changed).commit.subject == "ours"


def test_what_was_not_signed_is_no_change_of_ours(repository: Repository) -> None:
    repository.write(ATOM, "two\n")
    repository.history.commit("chore: keep books", [ATOM])
    assert next(repository.history.find_undoable_changes(), None) is None


def test_an_empty_branch_has_no_change(empty: Repository) -> None:
    assert next(empty.history.find_undoable_changes(), None) is None


def test_other_commits_on_top_are_passed_over(changed: Repository) -> None:
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-qm", "theirs")
    assert last(changed).commit.subject == "ours"


def test_a_commit_that_was_amended_is_theirs(changed: Repository) -> None:
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-q", "--amend", "--no-edit")
    assert CHANGE_TRAILER in changed.git("log", "-1", "--format=%B")
    assert next(changed.history.find_undoable_changes(), None) is None


def test_below_one_that_was_amended_our_change_before_is_the_last(changed: Repository) -> None:
    changed.write(NEW, "newer\n")
    changed.history.commit("ours too", [NEW], signed=True)
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-q", "--amend", "--no-edit")
    assert last(changed).commit.subject == "ours"


def test_a_commit_whose_words_only_were_amended_stays_ours(changed: Repository) -> None:
    said = changed.git("log", "-1", "--format=%B").replace("ours", "ours, said better")
    changed.git("commit", "-q", "--amend", "-m", said)
    assert last(changed).commit.subject == "ours, said better"


def test_two_that_are_melted_into_one_are_theirs(changed: Repository) -> None:
    changed.write(NEW, "newer\n")
    changed.history.commit("ours too", [NEW], signed=True)
    said = changed.git("log", "-2", "--format=%B")
    changed.git("reset", "-q", "--soft", "HEAD~2")
    changed.git("commit", "-qm", said)
    assert next(changed.history.find_undoable_changes(), None) is None


def test_a_commit_that_is_moved_onto_another_base_stays_ours(changed: Repository) -> None:
    changed.git("checkout", "-q", "-b", "other", "HEAD~1")
    changed.write("theirs.md", "x\n")
    changed.git("add", ".")
    changed.git("commit", "-qm", "theirs")
    changed.git("checkout", "-q", "-")
    changed.git("rebase", "-q", "other")
    assert last(changed).commit.subject == "ours"


def test_the_taking_back_by_git_itself_is_theirs(changed: Repository) -> None:
    changed.git("revert", "--no-edit", "HEAD")
    assert last(changed).commit.subject == "ours"


def test_what_was_merged_in_is_no_last_change_of_this_branch(changed: Repository) -> None:
    changed.git("checkout", "-q", "-b", "other", "HEAD~1")
    changed.write("other.md", "x\n")
    changed.history.commit("on the other branch", ["other.md"], signed=True)
    changed.git("checkout", "-q", "-")
    changed.git("merge", "-q", "--no-ff", "--no-edit", "other")
    assert last(changed).commit.subject == "ours"


def test_the_first_commit_of_all_can_be_ours(empty: Repository) -> None:
    empty.write(ATOM, "one\n")
    empty.history.commit("first", [ATOM], signed=True)
    assert [tuple(file) for file in last(empty).files] == [(ATOM, None, b"one\n")]


def test_trees_in_one_repository_have_each_its_own_last_change(empty: Repository) -> None:
    for name in ("one", "two"):
        empty.write(f"{name}/{ATOM}", "x\n")
        history = find_repository(str(empty.top / name))
        assert history
        history.commit(name, [ATOM], signed=True)
    for name in ("one", "two"):
        history = find_repository(str(empty.top / name))
        assert history
        change = next(history.find_undoable_changes(), None)
        assert change
        assert (change.commit.subject, change.files[0].path) == (name, ATOM)


def test_one_change_is_found_by_its_commit(changed: Repository) -> None:
    ours = last(changed)
    changed.write(NEW, "newer\n")
    changed.history.commit("later", [NEW], signed=True)
    assert changed.history.find_change(ours.commit.commit) == ours
    assert changed.history.find_change("0" * 40) is None


def test_a_link_cannot_be_put_back_as_a_file(repository: Repository) -> None:
    (repository.top / "link.md").symlink_to("mine.md")
    repository.history.commit("a link", ["link.md"], signed=True)
    with pytest.raises(HistoryFailed, match=r"link\.md"):
        next(repository.history.find_undoable_changes(), None)


@pytest.mark.parametrize("name", ["naïve/日本.md", "tab\there.md", "n/a\nb.md", '"quo"te.md'])
def test_any_name_that_a_file_can_have_is_told(repository: Repository, name: str) -> None:
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
def test_the_signature_joins_the_trailers_that_are_there(message: str, gap: str) -> None:
    said = add_change_trailer(message, {}, {})
    assert said.startswith(f"{message}{gap}{CHANGE_TRAILER}: ")
    assert len(read_trailer(said, CHANGE_TRAILER)) == 20


def test_a_signature_that_is_only_quoted_is_none() -> None:
    assert not read_trailer(f"subject\n\n{CHANGE_TRAILER}: {'a' * 20}\n\nas I said", CHANGE_TRAILER)
