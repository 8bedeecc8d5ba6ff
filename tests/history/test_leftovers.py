"""After a kill at any point, and with a stale lock, the next commit succeeds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.find_repository import find_repository
from cortexfs.history.substitute_common_dir import remove_abandoned_folders

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository


ASK = """
import sys
from cortexfs.history.find_repository import find_repository
find_repository(sys.argv[1]).commit("two", sys.argv[2:])
"""

HALVING = """#!{python}
import os, subprocess, sys

words = ["{git}", *sys.argv[1:]]
if "cat-file" not in words:
    os.execv(words[0], words)
for number, line in enumerate(sys.stdin.buffer):
    answer = subprocess.run(words, input=line, capture_output=True).stdout
    sys.stdout.buffer.write(answer[:-20] if number else answer)
    sys.stdout.buffer.flush()
    if number:
        break
"""


def commit(repository: Repository, text: str) -> CommitMade:
    repository.write(repository.atom, text)
    done = repository.history.commit(text, [repository.atom])
    assert isinstance(done, CommitMade)
    return done


def make_old(path: Path) -> Path:
    os.utime(path, (1, 1))
    return path


def test_our_files_in_the_git_directory_are_private(repository: Repository) -> None:
    before = os.umask(0)
    try:
        commit(repository, "one")
    finally:
        os.umask(before)
    own = repository.top / ".git/cortexfs"
    assert {path.stat().st_mode & 0o077 for path in (own, *own.iterdir())} == {0}


def test_a_locked_index_stops_no_commit_and_is_updated_by_the_next(repository: Repository) -> None:
    lock = repository.top / ".git/index.lock"
    lock.touch()
    make_old(lock)
    assert commit(repository, "two\n").pending_paths == (repository.atom,)
    assert commit(repository, "three\n").pending_paths == (repository.atom,)
    assert lock.exists()
    assert repository.head(repository.atom) == "three\n"
    assert repository.history.find_user_changes([repository.atom]).changed == frozenset()
    lock.unlink()
    assert repository.git("show", f":{repository.atom}") == "one\n"
    repository.write("mine.md", "two\n")
    assert isinstance(repository.history.commit("mine", ["mine.md"]), CommitMade)
    assert repository.status() == ""


def test_a_commit_without_changes_updates_the_index_too(repository: Repository) -> None:
    lock = repository.top / ".git/index.lock"
    lock.touch()
    make_old(lock)
    commit(repository, "two\n")
    lock.unlink()
    assert repository.history.commit("again", [repository.atom]) == CommitSkipped("nothing changed")
    assert repository.status() == ""


def test_files_staged_after_a_commit_without_an_index_update_stay(
    repository: Repository,
) -> None:
    lock = repository.top / ".git/index.lock"
    lock.touch()
    make_old(lock)
    commit(repository, "two\n")
    lock.unlink()
    repository.write(repository.atom, "staged\n")
    repository.git("add", repository.atom)
    new = repository.write("new.md", "new\n")
    assert isinstance(repository.history.commit("new", [new]), CommitMade)
    assert repository.git("show", f":{repository.atom}") == "staged\n"


def test_a_young_lock_is_waited_for(repository: Repository) -> None:
    lock = repository.top / ".git/index.lock"
    lock.touch()
    assert commit(repository, "two\n").pending_paths == (repository.atom,)  # but not for long
    assert lock.exists()


def test_our_own_stale_index_lock_is_removed(repository: Repository) -> None:
    commit(repository, "two\n")
    desk = repository.top / ".git/cortexfs"
    (desk / "index").write_bytes((repository.top / ".git/index").read_bytes())
    (desk / "index.lock").touch()
    os.link(desk / "index", repository.top / ".git/index.lock")
    assert commit(repository, "three\n").pending_paths == ()
    assert sorted(os.listdir(desk)) == ["empty", "lock"]
    assert repository.status() == ""


def test_our_leftover_index_copy_does_not_remove_a_foreign_lock(
    repository: Repository,
) -> None:
    commit(repository, "two\n")
    git_dir = repository.top / ".git"
    os.link(git_dir / "index", git_dir / "cortexfs/index")
    (git_dir / "index.lock").write_bytes((git_dir / "index").read_bytes())
    make_old(git_dir / "index.lock")
    assert commit(repository, "three\n").pending_paths == (repository.atom,)
    assert (git_dir / "index.lock").exists()


@pytest.mark.parametrize("content", ["ours", "empty"])
@pytest.mark.parametrize("detached", [False, True])
def test_stale_ref_locks_of_our_git_are_removed(
    repository: Repository, content: str, detached: bool
) -> None:
    if detached:
        repository.git("checkout", "-q", "--detach")
    commit(repository, "two\n")
    git_dir, ours = repository.top / ".git", "1" * 40
    ref = "HEAD" if detached else "refs/heads/main"
    (git_dir / "cortexfs/moving").write_text(f"{ref} {ours}")
    (git_dir / "HEAD.lock").write_text(f"{ours}\n" if detached and content == "ours" else "")
    if not detached:
        (git_dir / f"{ref}.lock").write_text(f"{ours}\n" if content == "ours" else "")
    commit(repository, "three\n")
    assert not list(git_dir.rglob("*.lock"))
    assert repository.sound()


@pytest.mark.parametrize("name", ["refs/heads/main.lock", "HEAD.lock"])
def test_a_foreign_ref_lock_is_kept_and_the_commit_can_be_repeated(
    repository: Repository, name: str
) -> None:
    lock = repository.top / ".git" / name
    lock.touch()
    repository.write(repository.atom, "two\n")
    done = repository.history.commit("two", [repository.atom])
    assert done == CommitSkipped(
        f".git/{name} exists (git is running, or was killed)", can_retry=True
    )
    assert lock.exists()
    assert repository.git("diff", "--cached") == ""
    lock.unlink()
    assert isinstance(repository.history.commit("two", [repository.atom]), CommitMade)
    assert repository.status() == ""


def test_a_short_ref_lock_is_waited_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock = repository.top / ".git/refs/heads/main.lock"
    lock.touch()
    pause = time.sleep

    def end_other_program(seconds: float) -> None:
        lock.unlink(missing_ok=True)
        pause(seconds)

    monkeypatch.setattr("cortexfs.history.commit_lock_folder.time.sleep", end_other_program)
    commit(repository, "two\n")


def test_an_older_ref_lock_is_not_taken_for_ours(repository: Repository) -> None:
    commit(repository, "two\n")
    git_dir = repository.top / ".git"
    lock = git_dir / "refs/heads/main.lock"
    lock.touch()
    make_old(lock)
    (git_dir / "cortexfs/moving").write_text(f"refs/heads/main {'1' * 40}")
    repository.write(repository.atom, "three\n")
    assert isinstance(repository.history.commit("three", [repository.atom]), CommitSkipped)
    assert lock.exists()


@pytest.mark.parametrize(
    "verb",
    leave_to_soak(
        ["cat-file", "ls-files", "unpack-objects", "commit-tree", "update-index", "update-ref"],
        every=3,
    ),
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_kill_during_any_git_command_is_repaired(
    repository: Repository, tmp_path: Path, verb: str, when: str
) -> None:
    repository.write("mine.md", "staged\n")
    repository.git("add", "mine.md")
    if verb == "commit-tree":
        repository.git("config", "user.name", "only git knows what becomes of this.")
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
    deadly = tmp_path / "bin/git"
    deadly.parent.mkdir()
    run = f'{real.stdout.strip()} "$@"'
    kill = f'case " $* " in *" {verb} "*) kill -9 $PPID $$;; esac'
    deadly.write_text("\n".join(("#!/bin/sh", *((kill, run) if when == "before" else (run, kill)))))
    deadly.chmod(0o755)
    repository.write(repository.atom, "two\n")
    words = [sys.executable, "-c", ASK, str(repository.top), repository.atom]
    path = f"{deadly.parent}:{os.environ['PATH']}"
    assert subprocess.run(words, env=os.environ | {"PATH": path}, check=False).returncode == -9
    repository.write(repository.atom, "three\n")
    assert isinstance(repository.history.commit("three", [repository.atom]), CommitMade)
    assert repository.status() == "M  mine.md"
    assert repository.head(repository.atom) == "three\n"
    assert repository.sound()


def test_a_truncated_answer_of_git_is_an_error(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A truncated tree must not be committed as if the rest had been removed."""
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
    short = tmp_path / "bin/git"
    short.parent.mkdir()
    short.write_text(HALVING.format(python=sys.executable, git=real.stdout.strip()))
    short.chmod(0o755)
    repository.write("mine.md", "two\n")
    monkeypatch.setenv("PATH", f"{short.parent}:{os.environ['PATH']}")
    history = find_repository(str(repository.top))
    assert history
    with pytest.raises(HistoryFailed, match="could not read"):
        history.commit("two", ["mine.md"])
    assert repository.subjects() == ["start"]


def test_two_paths_to_our_folder_do_not_lead_out_of_the_repository(
    repository: Repository, tmp_path: Path
) -> None:
    (repository.top / ".git/cortexfs").symlink_to(tmp_path)
    repository.write(repository.atom, "two\n")
    with pytest.raises(HistoryFailed, match="is a symlink, not a folder"):
        repository.history.commit("two", [repository.atom])
    assert repository.subjects() == ["start"]


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def left_folder(temporary: Path, name: str) -> Path:
    """Plant a folder as a killed command leaves it, and make it old."""
    folder = temporary / name
    (folder / "info").mkdir(parents=True)
    (folder / "config").write_text("[core]\n")
    (folder / "refs").symlink_to(temporary)
    return make_old(folder)


def test_the_temporary_folders_of_killed_commands_are_removed_by_a_later_commit(
    repository: Repository, temporary: Path
) -> None:
    left_folder(temporary, f"cortexfs-git-{'a' * 24}")
    (temporary / "mine").write_text("mine")
    commit(repository, "two\n")
    assert os.listdir(temporary) == ["mine"]


def test_temporary_folders_that_are_young_or_of_other_programs_are_kept(
    repository: Repository, temporary: Path
) -> None:
    young = left_folder(temporary, f"cortexfs-git-{'a' * 24}")
    os.utime(young)
    left_folder(temporary, "cortexfs-git-mine")
    (temporary / f"cortexfs-git-{'b' * 24}").symlink_to(left_folder(temporary, "linked"))
    before = sorted(temporary.rglob("*"))
    commit(repository, "two\n")
    assert sorted(temporary.rglob("*")) == before


def test_temporary_folders_of_another_user_are_kept(
    temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = left_folder(temporary, f"cortexfs-git-{'a' * 24}")
    us = os.geteuid()
    monkeypatch.setattr("cortexfs.history.substitute_common_dir.os.geteuid", lambda: us + 1)
    remove_abandoned_folders()
    assert left.exists()
