from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from git_repository import Repository


def test_the_log_of_a_path_is_newest_first(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    for number, text in enumerate(("two\n", "three\n")):
        repository.write(repository.atom, text)
        date = f"2026-05-0{number + 1}T00:30:00+05:30"
        monkeypatch.setenv("GIT_AUTHOR_DATE", date)
        repository.git("commit", "-qam", f"say {text}")
    repository.write("mine.md", "two\n")
    repository.git("commit", "-qam", "elsewhere")
    past = repository.history.list_file_commits(repository.atom, 2)
    assert [(created.when, created.author, created.subject) for created, *_ in past] == [
        ("2026-05-01T19:00:00Z", "Ada", "say three"),
        ("2026-04-30T19:00:00Z", "Ada", "say two"),
    ]
    assert past[0].commit.commit == repository.git("rev-parse", "HEAD~1").strip()


def test_names_and_subjects_may_hold_anything(repository: Repository) -> None:
    repository.write(repository.atom, "two\n")
    author = "--author=e\x1b]52;c;\x1f vil <e@x>"
    repository.git("commit", "-q", author, "-am", "\x1b[2J subject\n with a second line\n\nbody")
    entry = repository.history.list_file_commits(repository.atom, 9)[0].commit
    assert entry.author == "e\x1b]52;c;\x1f vil"
    assert entry.subject == "\x1b[2J subject  with a second line"


def test_an_uncommitted_path_has_no_log(empty: Repository) -> None:
    assert empty.history.list_file_commits(empty.atom, 9) == []
    assert empty.history.find_messages("a.c") == []
    assert empty.history.read_file_at("HEAD", empty.atom) is None


@pytest.mark.parametrize(
    "commit", ["HEAD~9", "0" * 40, "-p", "--all", "HEAD:mine.md", "a\nHEAD", "", "x" * 9_999]
)
def test_an_unknown_commit_shows_nothing(repository: Repository, commit: str) -> None:
    assert repository.history.read_file_at(commit, "mine.md") is None


def test_a_commit_shows_the_text_of_a_path_at_that_time(repository: Repository) -> None:
    first = repository.history.list_file_commits("mine.md", 1)[0].commit.commit
    repository.write("mine.md", "two\n")
    repository.history.commit("two", ["mine.md"])
    show = repository.history.read_file_at
    assert (show(first, "mine.md"), show(first[:8], "mine.md")) == (b"one\n", b"one\n")
    assert (show("HEAD", "mine.md"), show("main", "mine.md")) == (b"two\n", b"two\n")
    assert (show("HEAD", "projects"), show("HEAD", "no.md")) == (None, None)


def move(repository: Repository, old: str, new: str, more: str) -> None:
    repository.write(new, (repository.top / old).read_text() + more)
    (repository.top / old).unlink()
    repository.git("add", "-A")
    repository.git("commit", "-qm", f"move {old}")


def test_a_file_is_followed_across_renames(repository: Repository) -> None:
    long = "".join(f"line {number}\n" for number in range(40))
    repository.write(repository.atom, long)
    repository.git("commit", "-qam", "grow")
    move(repository, repository.atom, "projects/p/knowledge/K-007.md", "more\n")
    move(repository, "projects/p/knowledge/K-007.md", "projects/q/knowledge/K-001.md", "moved\n")
    steps = repository.history.list_file_commits("projects/q/knowledge/K-001.md")
    assert [step.paths for step in steps] == [
        (("projects/p/knowledge/K-007.md", "projects/q/knowledge/K-001.md"),),
        ((repository.atom, "projects/p/knowledge/K-007.md"),),
        ((repository.atom, repository.atom),),
        ((repository.atom, repository.atom),),
    ]
    assert [path for path, _ in repository.history.list_removals()] == [
        "projects/p/knowledge/K-007.md",
        repository.atom,
    ]


def test_the_last_changes_of_a_tree_name_their_paths(repository: Repository) -> None:
    repository.write("mine.md", "two\n")
    repository.write(repository.atom, "two\n")
    repository.git("commit", "-qam", "both")
    latest = repository.history.list_recent_commits(1)
    assert [path for path, _ in latest[0].paths] == ["mine.md", repository.atom]
    assert [step.commit.subject for step in repository.history.list_recent_commits(9)] == [
        "both",
        "start",
    ]
    without = repository.history.list_recent_commits(9, with_paths=False)
    assert [(step.commit.subject, step.paths) for step in without] == [("both", ()), ("start", ())]


def test_excluded_commits_do_not_count_towards_the_limit(
    repository: Repository,
) -> None:
    for number, subject in enumerate(("keep books", "keep books, and more", "keep books")):
        repository.write(repository.atom, f"{number}\n")
        repository.git("commit", "-qam", subject)
    changes = repository.history.list_file_commits(repository.atom, 2, {"keep books"})
    assert [step.commit.subject for step in changes] == ["keep books, and more", "start"]


def test_a_day_means_the_last_commit_until_its_end(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    for day, text in (("2026-05-01T23:59:59Z", "two\n"), ("2026-05-02T00:00:01Z", "three\n")):
        repository.write("mine.md", text)
        monkeypatch.setenv("GIT_COMMITTER_DATE", day)
        repository.git("commit", "-qam", text)
    history = repository.history
    assert history.read_file_at("2026-05-01", "mine.md") == b"two\n"
    assert history.read_file_at("2026-05-02", "mine.md") == b"three\n"
    assert [history.find_commit(day) for day in ("1999-01-01", "2026-02-30", "0000-00-00")] == [
        None,
        None,
        None,
    ]


def test_a_path_added_later_is_left_out(repository: Repository) -> None:
    for text in ("two\n", "three\n"):
        repository.write("mine.md", text)
        repository.git("commit", "-qam", text)
    steps = repository.history.list_file_commits("mine.md")
    then = repository.history.find_commit("HEAD~1")
    assert then
    assert repository.history.filter_reachable(then, steps) == steps[1:]


def test_settings_of_the_repository_do_not_change_what_is_read(repository: Repository) -> None:
    repository.write("mine.md", "two\n")
    repository.git("commit", "-qam", "second (with a bracket)")
    plain = (
        repository.history.list_file_commits("mine.md"),
        repository.history.list_recent_commits(9),
        repository.history.list_recent_commits(9, with_paths=False),
    )
    for setting in (
        "log.showRoot=false",
        "log.follow=true",
        "diff.renames=false",
        "diff.noprefix=true",
        "grep.patternType=fixed",
        "format.pretty=oneline",
        "core.quotePath=false",
        "color.ui=always",
        "diff.relative=true",
        "log.diffMerges=on",
    ):
        key, _, value = setting.partition("=")
        repository.git("config", key, value)
    assert (
        repository.history.list_file_commits("mine.md"),
        repository.history.list_recent_commits(9),
        repository.history.list_recent_commits(9, with_paths=False),
    ) == plain
    assert len(repository.history.list_recent_commits(9, {"start"})) == 1


def test_commits_are_found_by_a_literal_word(
    repository: Repository,
) -> None:
    for message in ("a.c (one)", "abc", "later\n\nA.C, and a.c at last"):
        repository.git("commit", "--allow-empty", "-qm", message)
    repository.git("config", "grep.patternType", "perl")
    assert [said.strip() for said in repository.history.find_messages("a.c")] == [
        "later\n\nA.C, and a.c at last",
        "a.c (one)",
    ]
    assert repository.history.find_messages("(one)") == ["a.c (one)\n"]


def test_no_file_of_the_work_tree_is_read_for_the_log(repository: Repository) -> None:
    """Of a pipe in place of a file of attributes git would read until its deadline."""
    os.mkfifo(Path(repository.history.top, ".gitattributes"))
    assert len(repository.history.list_file_commits(repository.atom, 9)) == 1
