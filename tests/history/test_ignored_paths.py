"""Ignored files are committed only when git tracks them already."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository

NEW = (
    "projects/p/knowledge/index.md",
    "projects/p/knowledge/K-002.md",
    "projects/p/_meta/access-log.jsonl",
    "projects/p/a b[1]*?.md",
    "projects/p/ü\n.md",
    ":(top)mine.md",
    ":!x.md",
    "-x.md",
    "CORTEX.md",
)


def _list_committed_paths(repository: Repository) -> list[str]:
    text = repository.git("show", "--format=", "--name-only", "-z", "HEAD")
    return sorted(filter(None, text.split("\0")))


@pytest.mark.parametrize(
    "lines",
    leave_to_soak(
        [
            "",
            "index.md\n",
            "*.md\n",
            "*.md\n!K-002.md\n",
            "projects/\n",
            "/projects/p/*\n!/projects/p/knowledge/\n",
            "*\n",
            "_meta/\nCORTEX.md\n",
            "a b*\n",
            "**/knowledge\n",
        ],
        every=3,
    ),
)
def test_new_files_are_committed_when_git_would_add_them(
    repository: Repository, lines: str
) -> None:
    repository.write(".gitignore", lines)
    repository.git("add", "--force", ".gitignore")
    repository.git("commit", "-qm", "ignore", "--allow-empty")
    for path in NEW:
        repository.write(path, "x")
    repository.git("add", "-A")
    wanted = sorted(
        filter(None, repository.git("diff", "--cached", "--name-only", "-z").split("\0"))
    )
    repository.git("reset", "-q")
    done = repository.history.commit("ours", list(NEW))
    if wanted:
        assert isinstance(done, CommitMade)
        assert _list_committed_paths(repository) == wanted
    else:
        assert done == CommitSkipped("nothing changed")
    assert repository.status() == ""
    assert repository.sound()


def test_tracked_files_are_committed_although_ignored(repository: Repository) -> None:
    repository.write("forced.md", "one\n")
    repository.write(".git/info/exclude", "*\n")
    repository.git("add", "--force", "forced.md")
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom, "forced.md", "never.md"])
    assert _list_committed_paths(repository) == ["forced.md", repository.atom]
    (repository.top / repository.atom).unlink()
    repository.history.commit("gone", [repository.atom])
    assert _list_committed_paths(repository) == [repository.atom]
    assert repository.status() == ""


def test_every_ignore_file_of_the_user_applies(repository: Repository, hermetic: Path) -> None:
    (hermetic.parent / "ignore").write_text("everywhere.md\n")
    repository.git("config", "--global", "core.excludesFile", str(hermetic.parent / "ignore"))
    repository.write(".git/info/exclude", "here.md\n")
    repository.write("projects/.gitignore", "deeper.md\n")
    paths = ["everywhere.md", "here.md", "projects/p/deeper.md", "deeper.md"]
    for path in paths:
        repository.write(path, "x")
    repository.history.commit("ours", paths)
    assert _list_committed_paths(repository) == ["deeper.md"]


def test_ignore_patterns_apply_to_paths_of_the_repository(
    repository: Repository,
) -> None:
    repository.write(".gitignore", "/context/index.md\n")
    for path in ("context/index.md", "context/p/index.md"):
        repository.write(path, "x")
    history = repository.history._replace(root=f"{repository.top}/context", prefix="context/")
    history.commit("ours", ["index.md", "p/index.md"])
    assert _list_committed_paths(repository) == ["context/p/index.md"]


@pytest.mark.parametrize("place", [".gitignore", "projects/p/.gitignore", ".git/info/exclude"])
def test_a_pipe_in_place_of_an_ignore_file_does_not_block(
    repository: Repository, place: str
) -> None:
    (repository.top / place).unlink(missing_ok=True)
    os.mkfifo(repository.top / place)
    repository.history.commit("new", [repository.write("projects/p/new.md", "x")])
    assert _list_committed_paths(repository) == ["projects/p/new.md"]


@pytest.mark.parametrize("place", [".gitignore", "projects/p/.gitignore", "new/folder/.gitignore"])
def test_with_a_pipe_in_the_place_of_an_ignore_file_changes_are_not_listed(
    repository: Repository, place: str, git_calls: Path
) -> None:
    repository.write(place, "")
    (repository.top / place).unlink()
    os.mkfifo(repository.top / place)
    with pytest.raises(HistoryFailed, match=r"\.gitignore` is a named pipe, not a regular file"):
        repository.history.list_changes()
    assert "--exclude-standard" not in git_calls.read_text()
    (repository.top / place).unlink()
    assert repository.history.list_changes() == []


def test_only_files_that_git_would_not_add_are_checked_against_ignore_rules(
    repository: Repository, git_calls: Path
) -> None:
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    assert "update-ref" in git_calls.read_text()
    assert "--others" not in git_calls.read_text()
    new = repository.write("tab\there\n.md", "x")
    repository.history.commit("new", [new, repository.write("projects/new/new.md", "x")])
    assert "check-ignore" not in git_calls.read_text()
    repository.write(".git/info/exclude", "private.md\n")
    repository.history.commit("ignored", [repository.write("private.md", "x")])
    assert git_calls.read_text().count("check-ignore") == 1
    assert repository.subjects() == ["new", "two", "start"]


def test_a_very_large_folder_is_not_read_for_one_new_file(
    repository: Repository, git_calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = repository.write("projects/p/knowledge/new.md", "x")
    monkeypatch.setattr("cortexfs.history.staged_entries._MAX_FOLDER_BYTES", 1)
    repository.history.commit("new", [new])
    assert "--others" not in git_calls.read_text()
    assert git_calls.read_text().count("check-ignore") == 1
    assert _list_committed_paths(repository) == [new]


def test_files_in_a_folder_that_has_taken_the_place_of_a_file_are_not_listed(
    repository: Repository, git_calls: Path
) -> None:
    (repository.top / "mine.md").unlink()
    (repository.top / "mine.md").mkdir()
    os.mkfifo(repository.top / "mine.md/.gitignore")
    new = repository.write("new.md", "x")
    repository.history.commit("folder", ["mine.md", new])
    assert "--others" not in git_calls.read_text()
    assert repository.git("ls-files").split() == ["new.md", repository.atom]


@pytest.mark.parametrize("place", [".gitignore", "projects/p/.gitignore", ".git/info/exclude"])
def test_a_huge_ignore_file_is_refused_before_git_reads_it(
    repository: Repository, place: str, git_calls: Path
) -> None:
    with (repository.top / place).open("wb") as file:
        file.truncate(1 << 40)
    new = repository.write("projects/p/new.md", "x")
    for attempt in (repository.history.list_changes, lambda: repository.history.commit("n", [new])):
        with pytest.raises(HistoryFailed, match=f"{place}` is larger than 1048576 bytes"):
            attempt()
    assert not {"check-ignore", "--exclude-standard"} & set(git_calls.read_text().split())


def test_a_huge_ignore_file_of_the_user_is_not_read_whole(repository: Repository) -> None:
    with (repository.top / ".gitignore").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(HistoryFailed, match=r"`\.gitignore`: it is larger than 33554432 bytes"):
        repository.history.find_user_changes([".gitignore"])
