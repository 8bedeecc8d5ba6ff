from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from conftest import Repository


def test_the_past_of_a_path_is_told_newest_first(
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
    past = repository.history.past(repository.atom, 2)
    assert [(entry.when, entry.author, entry.subject) for entry in past] == [
        ("2026-05-01T19:00:00Z", "Ada", "say three"),
        ("2026-04-30T19:00:00Z", "Ada", "say two"),
    ]
    assert past[0].commit == repository.git("rev-parse", "HEAD~1").strip()


def test_names_and_subjects_may_hold_anything(repository: Repository) -> None:
    repository.write(repository.atom, "two\n")
    author = "--author=e\x1b]52;c;\x1f vil <e@x>"
    repository.git("commit", "-q", author, "-am", "\x1b[2J subject\n with a second line\n\nbody")
    (entry, _) = repository.history.past(repository.atom, 9)
    assert entry.author == "e\x1b]52;c;\x1f vil"
    assert entry.subject == "\x1b[2J subject  with a second line"


def test_what_was_never_committed_has_no_past(empty: Repository) -> None:
    assert empty.history.past(empty.atom, 9) == []
    assert empty.history.show("HEAD", empty.atom) is None


@pytest.mark.parametrize(
    "commit", ["HEAD~9", "0" * 40, "-p", "--all", "HEAD:mine.md", "a\nHEAD", "", "x" * 9_999]
)
def test_a_commit_that_is_none_shows_nothing(repository: Repository, commit: str) -> None:
    assert repository.history.show(commit, "mine.md") is None


def test_a_commit_shows_what_a_path_held_then(repository: Repository) -> None:
    first = repository.history.past("mine.md", 1)[0].commit
    repository.write("mine.md", "two\n")
    repository.history.commit("two", ["mine.md"])
    show = repository.history.show
    assert (show(first, "mine.md"), show(first[:8], "mine.md")) == (b"one\n", b"one\n")
    assert (show("HEAD", "mine.md"), show("main", "mine.md")) == (b"two\n", b"two\n")
    assert (show("HEAD", "projects"), show("HEAD", "no.md")) == (None, None)
