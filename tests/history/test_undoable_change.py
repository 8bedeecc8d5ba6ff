"""Our own commits are recognized, and no others are taken for ours."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_trailer import CHANGE_TRAILER, add_change_trailer, read_trailer
from cortexfs.history.find_repository import find_repository

if TYPE_CHECKING:
    from git_repository import Repository

    from cortexfs.history.undoable_change import UndoableChange

ATOM = "projects/p/knowledge/K-001.md"
NEW = "projects/p/knowledge/K-002.md"


@pytest.fixture
def with_change(repository: Repository) -> Repository:
    """A repository in which we have changed, added and removed a file."""
    repository.write(ATOM, "two\n")
    repository.write(NEW, "new\n")
    (repository.top / "mine.md").unlink()
    repository.history.commit("ours", [ATOM, NEW, "mine.md"], signed=True)
    return repository


def read_last_change(repository: Repository) -> list[tuple[str, bytes | None, bytes | None]]:
    found = repository.history.read_changed_files(find_last_change(repository))
    return [tuple(file) for file in found]


def find_last_change(repository: Repository) -> UndoableChange:
    found = next(repository.history.find_undoable_changes(), None)
    assert found
    return found


def test_a_change_has_the_text_of_each_file_before_and_after(with_change: Repository) -> None:
    assert read_last_change(with_change) == [
        ("mine.md", b"one\n", None),
        (ATOM, b"one\n", b"two\n"),
        (NEW, None, b"new\n"),
    ]
    assert find_last_change(with_change).commit.subject == "ours"


def test_a_commit_without_the_trailer_is_not_ours(repository: Repository) -> None:
    repository.write(ATOM, "two\n")
    repository.history.commit("chore: keep books", [ATOM])
    assert next(repository.history.find_undoable_changes(), None) is None


def test_an_empty_branch_has_no_change(empty: Repository) -> None:
    assert next(empty.history.find_undoable_changes(), None) is None


def test_later_commits_of_others_are_passed_over(with_change: Repository) -> None:
    with_change.write("theirs.md", "x\n")
    with_change.git("add", ".")
    with_change.git("commit", "-qm", "theirs")
    assert find_last_change(with_change).commit.subject == "ours"


def test_an_amended_commit_is_not_ours(with_change: Repository) -> None:
    with_change.write("theirs.md", "x\n")
    with_change.git("add", ".")
    with_change.git("commit", "-q", "--amend", "--no-edit")
    assert CHANGE_TRAILER in with_change.git("log", "-1", "--format=%B")
    assert next(with_change.history.find_undoable_changes(), None) is None


def test_below_an_amended_commit_our_previous_change_is_the_last(with_change: Repository) -> None:
    with_change.write(NEW, "newer\n")
    with_change.history.commit("ours too", [NEW], signed=True)
    with_change.write("theirs.md", "x\n")
    with_change.git("add", ".")
    with_change.git("commit", "-q", "--amend", "--no-edit")
    assert find_last_change(with_change).commit.subject == "ours"


def test_a_commit_with_only_its_message_amended_stays_ours(with_change: Repository) -> None:
    text = with_change.git("log", "-1", "--format=%B").replace("ours", "ours, said better")
    with_change.git("commit", "-q", "--amend", "-m", text)
    assert find_last_change(with_change).commit.subject == "ours, said better"


def test_squashed_commits_are_not_ours(with_change: Repository) -> None:
    with_change.write(NEW, "newer\n")
    with_change.history.commit("ours too", [NEW], signed=True)
    text = with_change.git("log", "-2", "--format=%B")
    with_change.git("reset", "-q", "--soft", "HEAD~2")
    with_change.git("commit", "-qm", text)
    assert next(with_change.history.find_undoable_changes(), None) is None


def test_a_rebased_commit_stays_ours(with_change: Repository) -> None:
    with_change.git("checkout", "-q", "-b", "other", "HEAD~1")
    with_change.write("theirs.md", "x\n")
    with_change.git("add", ".")
    with_change.git("commit", "-qm", "theirs")
    with_change.git("checkout", "-q", "-")
    with_change.git("rebase", "-q", "other")
    assert find_last_change(with_change).commit.subject == "ours"


def test_a_git_revert_is_not_ours(with_change: Repository) -> None:
    with_change.git("revert", "--no-edit", "HEAD")
    assert find_last_change(with_change).commit.subject == "ours"


def test_a_merged_commit_is_not_the_last_change_of_the_branch(with_change: Repository) -> None:
    with_change.git("checkout", "-q", "-b", "other", "HEAD~1")
    with_change.write("other.md", "x\n")
    with_change.history.commit("on the other branch", ["other.md"], signed=True)
    with_change.git("checkout", "-q", "-")
    with_change.git("merge", "-q", "--no-ff", "--no-edit", "other")
    assert find_last_change(with_change).commit.subject == "ours"


def test_the_root_commit_can_be_ours(empty: Repository) -> None:
    empty.write(ATOM, "one\n")
    empty.history.commit("first", [ATOM], signed=True)
    assert read_last_change(empty) == [(ATOM, None, b"one\n")]


def test_each_tree_of_a_repository_has_its_own_last_change(empty: Repository) -> None:
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
        assert (change.commit.subject, [*change.new]) == (name, [ATOM])


def test_a_change_is_found_by_its_commit(with_change: Repository) -> None:
    ours = find_last_change(with_change)
    with_change.write(NEW, "newer\n")
    with_change.history.commit("later", [NEW], signed=True)
    assert with_change.history.find_change(ours.commit.commit) == ours
    assert with_change.history.find_change("0" * 40) is None


def test_a_symlink_is_not_restored_as_a_file(repository: Repository) -> None:
    (repository.top / "link.md").symlink_to("mine.md")
    repository.history.commit("a link", ["link.md"], signed=True)
    with pytest.raises(HistoryFailed, match=r"link\.md"):
        read_last_change(repository)


@pytest.mark.parametrize("name", ["naïve/日本.md", "tab\there.md", "n/a\nb.md", '"quo"te.md'])
def test_any_file_name_is_reported_exactly(repository: Repository, name: str) -> None:
    repository.write(name, "x\n")
    repository.history.commit("odd", [name], signed=True)
    assert [*find_last_change(repository).new] == [name]


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
    text = add_change_trailer(message, {}, {})
    assert text.startswith(f"{message}{gap}{CHANGE_TRAILER}: ")
    assert len(read_trailer(text, CHANGE_TRAILER)) == 20


def test_a_quoted_trailer_does_not_count() -> None:
    assert not read_trailer(f"subject\n\n{CHANGE_TRAILER}: {'a' * 20}\n\nas I said", CHANGE_TRAILER)
