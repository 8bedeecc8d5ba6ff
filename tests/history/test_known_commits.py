"""The commits of a tree, kept in memory: each read gives those of git."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.history.find_repository import find_repository
from cortexfs.history.known_commits import KnownCommits

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

NOTHING = frozenset[str]()


def list_subjects(place: Place, known: KnownCommits) -> list[str]:
    history = find_repository(str(place.root))
    assert history
    return [each.commit.subject for each in known.read(history, NOTHING).records]


def commit(place: Place, name: str, text: str, **env: str) -> None:
    place.write(name, text)
    place.git("add", name)
    place.git("commit", "-qm", f"{name}: {text}", **env)


def commit_on_day(place: Place, name: str, day: int) -> None:
    moment = f"2099-01-0{day}T00:00:00Z"
    commit(place, name, str(day), GIT_AUTHOR_DATE=moment, GIT_COMMITTER_DATE=moment)


def test_new_commits_are_added_and_git_is_asked_only_for_them(
    sample: Place, git_calls: Path
) -> None:
    known = KnownCommits()
    assert list_subjects(sample, known) == ["start"]
    calls = git_calls.read_text()
    assert list_subjects(sample, known) == ["start"]
    assert git_calls.read_text() == calls
    before = sample.git("rev-parse", "HEAD").strip()
    commit(sample, "a.md", "one")
    commit(sample, "a.md", "two")
    assert list_subjects(sample, known) == ["a.md: two", "a.md: one", "start"]
    logs = [line for line in git_calls.read_text().splitlines() if "--name-status" in line]
    assert [f" {before}.." in line for line in logs] == [False, True]


def test_a_file_has_its_first_and_its_last_commit(sample: Place) -> None:
    known = KnownCommits()
    list_subjects(sample, known)
    for text in ("one", "two", "three"):
        commit(sample, "a.md", text)
        list_subjects(sample, known)
    history = find_repository(str(sample.root))
    assert history
    found = known.read(history, NOTHING)
    assert found.first["a.md"].subject == "a.md: one"
    assert found.last["a.md"].subject == "a.md: three"
    assert found.first["OVERVIEW.md"].subject == "start"


def test_a_merge_brings_commits_that_are_older_than_known_ones(sample: Place) -> None:
    branch = sample.git("branch", "--show-current").strip()
    sample.git("checkout", "-qb", "other")
    commit_on_day(sample, "a.md", 1)
    sample.git("checkout", "-q", branch)
    commit_on_day(sample, "b.md", 2)
    known = KnownCommits()
    assert list_subjects(sample, known) == ["b.md: 2", "start"]
    commit_on_day(sample, "b.md", 3)
    sample.git(
        "merge", "-q", "--no-ff", "-m", "merge", "other", GIT_COMMITTER_DATE="2099-01-04T00:00:00Z"
    )
    expected = ["merge", "b.md: 3", "b.md: 2", "a.md: 1", "start"]
    assert list_subjects(sample, known) == expected
    commit_on_day(sample, "a.md", 5)
    assert list_subjects(sample, known) == ["a.md: 5", *expected]


def test_a_branch_that_was_moved_is_read_anew(sample: Place) -> None:
    known = KnownCommits()
    commit(sample, "a.md", "one")
    list_subjects(sample, known)
    sample.git("reset", "-q", "--hard", "HEAD^")
    assert list_subjects(sample, known) == ["start"]
    sample.git("checkout", "-q", "--orphan", "other")
    sample.git("commit", "-qm", "another start")
    assert list_subjects(sample, known) == ["another start"]


def test_packed_refs_are_noticed(sample: Place) -> None:
    known = KnownCommits()
    list_subjects(sample, known)
    commit(sample, "a.md", "one")
    sample.git("pack-refs", "--all")
    assert list_subjects(sample, known)[0] == "a.md: one"
    commit(sample, "a.md", "two")
    assert list_subjects(sample, known)[0] == "a.md: two"


def test_some_messages_are_left_out(sample: Place) -> None:
    commit(sample, "a.md", "one")
    history = find_repository(str(sample.root))
    assert history
    found = KnownCommits().read(history, frozenset(["a.md: one"]))
    assert [each.commit.subject for each in found.records] == ["start"]
