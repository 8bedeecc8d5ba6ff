from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.find_repository import find_repository, init_repository

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository


def test_the_repository_may_be_the_root_or_its_parent(repository: Repository) -> None:
    top = str(repository.top)
    at_root, at_parent = find_repository(top), find_repository(f"{top}/projects")
    assert at_root
    assert at_parent
    assert (at_root.prefix, at_root.is_enclosing) == ("", False)
    assert (at_parent.prefix, at_parent.top, at_parent.is_enclosing) == ("projects/", top, False)


def test_below_a_parent_paths_are_those_of_the_tree(repository: Repository) -> None:
    history = find_repository(str(repository.top / "projects"))
    assert history
    repository.write(repository.atom, "two\n")
    repository.write("mine.md", "edited\n")
    path = repository.atom.removeprefix("projects/")
    assert history.find_user_changes([path]).changed == {path}
    assert history.list_changes() == [path]
    assert isinstance(history.commit("two", [path]), CommitMade)
    assert repository.head(repository.atom) == "two\n"
    assert history.read_file_at("HEAD~1", path) == b"one\n"
    assert [step.commit.subject for step in history.list_file_commits(path, 9)] == ["two", "start"]
    assert repository.status() == " M mine.md"


def test_an_outer_repository_is_committed_to_only_with_permission(
    repository: Repository,
) -> None:
    root = str(repository.top / "projects/p")
    path = repository.atom.removeprefix("projects/p/")
    repository.write(repository.atom, "two\n")
    far, allowed = find_repository(root), find_repository(root, allow_enclosing=True)
    assert far
    assert far.is_enclosing
    assert far.commit("no", [path]) == CommitSkipped(
        f"the root of the repository is higher up, at {repository.top}"
    )
    assert repository.subjects() == ["start"]
    assert allowed
    assert isinstance(allowed.commit("yes", [path]), CommitMade)
    assert repository.subjects() == ["yes", "start"]


def test_a_symlinked_root_belongs_to_the_repository_of_its_target(
    repository: Repository, tmp_path: Path
) -> None:
    (tmp_path / "link").symlink_to(repository.top)
    history = find_repository(str(tmp_path / "link"))
    assert history
    assert (history.root, history.prefix) == (str(repository.top), "")


def test_a_linked_worktree_is_committed_to_and_the_main_one_is_not(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    (tmp_path / "side" / repository.atom).write_text("two\n")
    history = find_repository(str(tmp_path / "side"))
    assert history
    done = history.commit("two", [repository.atom])
    assert isinstance(done, CommitMade)
    assert repository.git("rev-parse", "side").strip() == done.id
    assert repository.subjects() == ["start"]
    assert repository.status() == ""
    side = type(repository)(tmp_path / "side")
    assert side.status() == ""
    assert side.sound()


def test_a_linked_worktree_without_a_reflog_is_committed_to(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    shutil.rmtree(repository.top / ".git/logs")
    (tmp_path / "side" / repository.atom).write_text("two\n")
    history = find_repository(str(tmp_path / "side"))
    assert history
    assert isinstance(history.commit("two", [repository.atom]), CommitMade)
    assert (repository.top / ".git/logs/refs/heads/side").read_text().endswith("cortexfs: two\n")


def test_a_folder_that_looks_like_a_bare_repository_is_not_one(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--bare", tmp_path], check=True)
    assert find_repository(str(tmp_path)) is None
    (tmp_path / "context").mkdir()
    assert find_repository(str(tmp_path / "context")) is None


def test_a_dot_git_folder_that_is_no_repository_is_passed_over(
    repository: Repository,
) -> None:
    (repository.top / "projects/.git").mkdir()
    history = find_repository(str(repository.top / "projects"))
    assert history
    assert history.top == str(repository.top)


@pytest.mark.parametrize("text", ["gitdir: nowhere\n", "nonsense", "", "gitdir: ..\n"])
def test_a_dangling_dot_git_file_is_no_repository(repository: Repository, text: str) -> None:
    repository.write("projects/.git", text)
    assert find_repository(str(repository.top / "projects")) is None


def test_a_folder_inside_dot_git_has_no_repository(repository: Repository) -> None:
    assert find_repository(str(repository.top / ".git/objects")) is None


def test_without_git_there_is_no_history(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_repository(str(repository.top)) is None
    with pytest.raises(HistoryFailed, match="git is not installed"):
        init_repository(str(tmp_path))


def test_a_git_in_the_working_directory_is_not_run(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "git").write_text(f"#!/bin/sh\ntouch {tmp_path}/canary\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".::{os.environ['PATH']}")
    repository.write(repository.atom, "two\n")
    assert isinstance(repository.history.commit("two", [repository.atom]), CommitMade)
    assert not (tmp_path / "canary").exists()


def test_init_makes_a_repository_without_a_commit_and_without_templates(
    tmp_path: Path, hermetic: Path
) -> None:
    (tmp_path / "template/hooks").mkdir(parents=True)
    (tmp_path / "template/hooks/post-commit").write_text("#!/bin/sh\n")
    hermetic.write_text(f"[init]\ntemplateDir = {tmp_path}/template\ndefaultBranch = trunk\n")
    root = tmp_path / "context"
    root.mkdir()
    history = init_repository(str(root))
    assert history.prefix == ""
    assert os.listdir(root) == [".git"]
    assert not (root / ".git/hooks").exists()
    assert (root / ".git/HEAD").read_text() == "ref: refs/heads/main\n"
    assert history.list_changes() == []
    assert init_repository(str(root)) == history


def test_init_inside_another_repository_creates_its_own(repository: Repository) -> None:
    assert init_repository(str(repository.top / "projects")).prefix == ""


def test_leftovers_of_a_killed_init_stop_nothing(tmp_path: Path) -> None:
    root = tmp_path / "context"
    (root / ".git.cortexfs/.git/objects").mkdir(parents=True)
    init_repository(str(root))
    assert os.listdir(root) == [".git"]


def test_init_is_refused_when_dot_git_is_something_else(tmp_path: Path) -> None:
    (tmp_path / ".git").write_text("no repository")
    with pytest.raises(HistoryFailed, match="is not a repository"):
        init_repository(str(tmp_path))
    with pytest.raises(HistoryFailed, match="no repository was created"):
        init_repository(str(tmp_path / "missing"))


def test_a_repository_of_another_user_is_refused_without_permission(
    repository: Repository, tmp_path: Path, hermetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True).stdout
    wary = tmp_path / "bin/git"
    wary.parent.mkdir()
    wary.write_text(f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {real.strip()} "$@"\n')
    wary.chmod(0o755)
    us = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: us + 1)
    monkeypatch.setenv("PATH", f"{wary.parent}:{os.environ['PATH']}")
    repository.write(repository.atom, "two\n")
    history = find_repository(str(repository.top))
    assert history
    with pytest.raises(HistoryFailed, match="another user") as refusal:
        history.commit("two", [repository.atom])
    assert refusal.value.hint
    assert "safe.directory" in refusal.value.hint
    hermetic.write_text(f"{hermetic.read_text()}[safe]\ndirectory = {repository.top}\n")
    assert isinstance(history.commit("two", [repository.atom]), CommitMade)


LOADED = """
import sys
before = set(sys.modules)
import cortexfs.history.find_repository
cortexfs.history.find_repository.find_repository("/")
loaded = set(sys.modules) - before
print(*{"subprocess", "hashlib", "zlib", "json", "tempfile"} & loaded)
"""

IN_PROGRESS = {
    "merge": ("merge", "other"),
    "cherry-pick": ("cherry-pick", "other"),
    "revert": ("revert", "--no-edit", "HEAD~1"),
    "rebase": ("rebase", "other"),
    "rebase or am": ("rebase", "--apply", "other"),
    "bisect": ("bisect", "start", "HEAD", "HEAD~1"),
}


@pytest.mark.parametrize("name", leave_to_soak(IN_PROGRESS, every=3))
def test_nothing_is_committed_during_a_git_operation(repository: Repository, name: str) -> None:
    repository.git("checkout", "-qb", "other")
    repository.write("mine.md", "other\n")
    repository.git("commit", "-qam", "other")
    repository.git("checkout", "-q", "main")
    for text in ("main\n", "main again\n"):
        repository.write("mine.md", text)
        repository.git("commit", "-qam", text)
    repository.git(*IN_PROGRESS[name], check=False)
    before, history = repository.work(), repository.history
    assert history.busy_reason() == f"a {name} is in progress"
    assert history.commit("no", [repository.atom]) == CommitSkipped(
        f"a {name} is in progress", can_retry=True
    )
    assert repository.work() == before


def test_a_path_with_a_merge_conflict_is_not_committed(
    repository: Repository,
) -> None:
    repository.write(repository.atom, "stashed\n")
    repository.git("stash", "-q")
    repository.write(repository.atom, "committed\n")
    repository.git("commit", "-qam", "committed")
    repository.git("stash", "pop", "-q", check=False)
    before, history = repository.work(), repository.history
    assert history.busy_reason() is None
    done = history.commit("no", [repository.atom])
    assert isinstance(done, CommitSkipped)
    assert done.can_retry
    assert repository.work() == before


def test_finding_a_repository_starts_no_process_and_imports_little() -> None:
    words = [sys.executable, "-c", LOADED]
    ran = subprocess.run(words, capture_output=True, text=True, check=True)
    assert ran.stdout == "\n"
