"""Runs of git that share resources see each change of the repository, as others do."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.object_reader import ObjectReader
from cortexfs.history.shared_resources import SharedResources

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from git_repository import Repository

    from cortexfs.history.repository import History


@pytest.fixture
def resources() -> Iterator[SharedResources]:
    with closing(SharedResources()) as made:
        yield made


@pytest.fixture
def shared(repository: Repository, resources: SharedResources, git_calls: Path) -> History:
    """The history of the repository, which has answered a question."""
    git_calls.write_text("")
    history = repository.history.share_resources(resources)
    assert not history.find_user_changes([repository.atom], ["mine.md"]).changed
    repository.write(repository.atom, "two\n")
    return history


def _count_calls(git_calls: Path, command: str) -> int:
    return sum(f" {command} " in line for line in git_calls.read_text().splitlines())


def test_a_comparison_and_a_commit_start_five_processes(
    repository: Repository, shared: History, git_calls: Path
) -> None:
    assert shared.find_user_changes([repository.atom]).changed == {repository.atom}
    repository.write("mine.md", "two\n")
    assert isinstance(shared.commit("two", [repository.atom, "mine.md"]), CommitMade)
    assert len(git_calls.read_text().splitlines()) == 5
    assert repository.status() == ""


def test_a_second_commit_is_built_on_what_the_user_committed_meanwhile(
    repository: Repository, shared: History, git_calls: Path
) -> None:
    assert isinstance(shared.commit("two", [repository.atom]), CommitMade)
    repository.write("mine.md", "by the user\n")
    repository.git("commit", "-qam", "by the user")
    repository.git("gc", "-q", "--prune=now")
    repository.write(repository.atom, "three\n")
    assert shared.find_user_changes([repository.atom, "mine.md"]).changed == {repository.atom}
    git_calls.write_text("")
    assert isinstance(shared.commit("three", [repository.atom]), CommitMade)
    assert _count_calls(git_calls, "cat-file") == 0
    assert repository.subjects() == ["three", "by the user", "two", "start"]
    assert repository.head("mine.md") == "by the user\n"
    assert repository.status() == ""
    assert repository.sound()


def test_what_is_staged_after_a_comparison_stays_staged(
    repository: Repository, shared: History
) -> None:
    lock = repository.top / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    assert isinstance(shared.commit("two", [repository.atom]), CommitMade)
    lock.unlink()
    assert not shared.find_user_changes([repository.atom]).changed  # its entry is outdated, ours
    for path in (repository.atom, "mine.md", "new.md"):
        repository.write(path, "staged\n")
    repository.git("add", ".")
    before = repository.work()
    other = repository.write("other.md", "other\n")
    assert isinstance(shared.commit("other", [other]), CommitMade)
    assert repository.work() == before
    assert shared.find_user_changes([repository.atom]).changed == {repository.atom}


def test_a_conflict_that_begins_after_a_comparison_is_noticed(
    repository: Repository, shared: History
) -> None:
    blob = repository.git("rev-parse", "HEAD:mine.md").strip()
    lines = "".join(f"100644 {blob} {stage}\t{repository.atom}\n" for stage in (1, 2, 3))
    words = ["git", "-C", str(repository.top), "update-index", "--index-info"]
    subprocess.run(words, input=lines, text=True, check=True)
    done = shared.commit("two", [repository.atom])
    assert isinstance(done, CommitSkipped)
    assert done.reason == f"`{repository.atom}` is in conflict: resolve the merge"


def test_an_index_that_is_removed_or_replaced_is_read_again(
    repository: Repository, shared: History
) -> None:
    (repository.top / ".git/index").unlink()
    assert shared.find_user_changes(["mine.md"]).changed == {"mine.md"}  # staged as removed
    repository.git("reset", "-q")
    assert not shared.find_user_changes(["mine.md"]).changed


def test_another_commit_need_not_wait_for_what_is_shared(
    repository: Repository, shared: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_GIT_TIMEOUT", "5")
    assert isinstance(shared.commit("two", [repository.atom]), CommitMade)
    repository.write(repository.atom, "three\n")
    assert isinstance(repository.history.commit("three", [repository.atom]), CommitMade)
    assert shared.read_file_at("HEAD", repository.atom) == b"three\n"


def test_an_answer_that_is_not_read_does_not_become_another_ones(
    repository: Repository, shared: History, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("cortexfs.history.object_reader._MAX_OBJECT_BYTES", 3)
        with pytest.raises(HistoryFailed, match="larger than 3 bytes"):
            shared.read_file_at("HEAD", repository.atom)
    assert shared.read_file_at("HEAD", repository.atom) == b"one\n"


def test_a_process_that_somebody_ended_is_replaced(
    repository: Repository, shared: History, resources: SharedResources
) -> None:
    child = resources.keep(ObjectReader, pytest.fail)._child
    child.kill()
    child.wait()
    assert isinstance(shared.commit("two", [repository.atom]), CommitMade)
    assert shared.read_file_at("HEAD", repository.atom) == b"two\n"


def test_a_process_of_which_a_fork_holds_the_pipe_ends_too(
    repository: Repository, resources: SharedResources, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cortexfs.history.object_reader._MAX_WAIT_MS", 10)
    assert repository.history.share_resources(resources).find_commit("HEAD")
    child = resources.keep(ObjectReader, pytest.fail)._child
    assert child.stdin
    held = os.dup(child.stdin.fileno())
    resources.close()
    os.close(held)
    assert child.returncode == -signal.SIGKILL


def test_another_thread_shares_nothing(
    repository: Repository, shared: History, git_calls: Path
) -> None:
    found: list[bytes | None] = []
    thread = threading.Thread(
        target=lambda: found.append(shared.read_file_at("HEAD", repository.atom))
    )
    thread.start()
    thread.join()
    assert found == [b"one\n"]
    assert _count_calls(git_calls, "cat-file") == 3  # one to find the commit, one for the file


def test_nothing_is_left_when_the_resources_are_closed(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    before = os.listdir("/dev/fd")
    with closing(SharedResources()) as resources:
        history = repository.history.share_resources(resources)
        history.find_user_changes([repository.atom])
        assert len(os.listdir(temporary)) == 1
    for _ in range(2):
        assert os.listdir(temporary) == []
        assert os.listdir("/dev/fd") == before
        assert history.read_file_at("HEAD", repository.atom) == b"one\n"  # on its own
