"""The commits that brought lines and added files, in honest and in hostile repositories."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from cortexfs.history.find_repository import find_repository

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository

    from cortexfs.history.line_history import LineHistory

FOLDER = "projects/p/knowledge"


def _open(repository: Repository) -> LineHistory:
    found = repository.history.open_line_history()
    assert found
    return found


def _commit(repository: Repository, message: str) -> str:
    repository.git("add", "-A")
    repository.git("commit", "-qm", message)
    return repository.git("rev-parse", "HEAD").strip()


def _trace(repository: Repository, *paths: str) -> list[tuple[str, bytes, dict[int, str]]]:
    return list(_open(repository).trace_files(paths))


def _merge_side(repository: Repository) -> tuple[str, str, str]:
    """Add the same path on two branches; the merge gives one of them another name."""
    path = f"{FOLDER}/K-002.md"
    repository.git("checkout", "-qb", "side")
    repository.write(path, "side\n")
    side = _commit(repository, "side")
    repository.git("checkout", "-q", "main")
    repository.write(path, "ours\n")
    ours = _commit(repository, "ours")
    repository.git("merge", "-q", "side", check=False)
    repository.write(path, "ours\n")
    repository.write(f"{FOLDER}/K-002-side.md", "side\n")
    return side, ours, _commit(repository, "merge")


def test_each_line_has_the_commit_that_brought_it(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD").strip()
    repository.write("mine.md", "zero\none\ntwo\n")
    second = _commit(repository, "second")
    repository.write("mine.md", "uncommitted\n")
    lines = {1: second, 2: start, 3: second}
    assert _trace(repository, "absent.md", "mine.md") == [("mine.md", b"zero\none\ntwo\n", lines)]


def test_a_file_of_a_tree_in_a_folder_of_the_repository_is_traced(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD").strip()
    history = find_repository(str(repository.top / "projects"))
    assert history
    lines = history.open_line_history()
    assert lines
    assert list(lines.trace_files(["p/knowledge/K-001.md"])) == [
        ("p/knowledge/K-001.md", b"one\n", {1: start})
    ]
    assert lines.list_additions("p/knowledge") == [(start, "p/knowledge/K-001.md")]


def test_what_both_sides_and_the_merge_added_is_listed(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD").strip()
    side, ours, merge = _merge_side(repository)
    assert sorted(_open(repository).list_additions(FOLDER)) == sorted(
        [
            (start, repository.atom),
            (side, f"{FOLDER}/K-002.md"),
            (ours, f"{FOLDER}/K-002.md"),
            (merge, f"{FOLDER}/K-002-side.md"),
        ]
    )


def test_an_addition_that_a_merge_dropped_is_listed(repository: Repository) -> None:
    repository.git("checkout", "-qb", "side")
    repository.write(f"{FOLDER}/K-002.md", "side\n")
    side = _commit(repository, "side")
    repository.git("checkout", "-q", "main")
    repository.write("mine.md", "two\n")
    _commit(repository, "ours")
    repository.git("merge", "-q", "-s", "ours", "-m", "merge", "side")
    assert (side, f"{FOLDER}/K-002.md") in _open(repository).list_additions(FOLDER)


def test_the_descendants_of_a_commit_are_those_of_its_side(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD").strip()
    side, ours, merge = _merge_side(repository)
    lines = _open(repository)
    assert lines.list_descendants(side) == {side, merge}
    assert lines.list_descendants(start) == {start, side, ours, merge}


def test_a_branch_without_a_commit_has_no_lines(empty: Repository) -> None:
    assert empty.history.open_line_history() is None


@pytest.mark.parametrize("name", [".mailmap", ".gitattributes", ".git-blame-ignore-revs"])
def test_a_pipe_that_git_blame_would_read_does_not_block(
    repository: Repository, hermetic: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_GIT_TIMEOUT", "5")
    with hermetic.open("a") as settings:
        settings.write("[blame]\nignoreRevsFile = .git-blame-ignore-revs\n[log]\nmailmap = true\n")
    os.mkfifo(repository.top / name)
    assert len(_trace(repository, "mine.md")) == 1


def test_no_converter_of_the_user_or_the_repository_runs(
    repository: Repository, hermetic: Path, tmp_path: Path
) -> None:
    program, trace = tmp_path / "convert", tmp_path / "trace"
    program.write_text(f'#!/bin/sh\ntouch "{trace}"\ncat "$1"\n')
    program.chmod(0o755)
    for file in (hermetic, repository.top / ".git/config"):
        with file.open("a") as settings:
            settings.write(f'[diff "evil"]\n\ttextconv = {program}\n')
    repository.write(".gitattributes", "* diff=evil\n")
    _commit(repository, "attributes")
    subprocess.run(["git", "blame", "mine.md"], cwd=repository.top, check=True, capture_output=True)
    assert trace.exists()
    trace.unlink()
    assert len(_trace(repository, "mine.md")) == 1
    assert not trace.exists()


def test_a_file_whose_history_is_damaged_is_left_out(repository: Repository) -> None:
    old = repository.git("rev-parse", "HEAD:mine.md").strip()
    repository.write("mine.md", "one\ntwo\n")
    _commit(repository, "second")
    (repository.top / f".git/objects/{old[:2]}/{old[2:]}").unlink()
    repository.write("other.md", "one\n")
    paths = [path for path, _, _ in _trace(repository, "mine.md", "other.md", repository.atom)]
    assert "mine.md" not in paths
