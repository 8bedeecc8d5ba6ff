"""No name in a repository leads outside: HEAD, refs, our notes, and `.git` itself."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.find_repository import explain_unusable_repository, find_repository

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository


def call_every_function(repository: Repository) -> None:
    """Call every function, which may refuse, and try to commit."""
    history = repository.history
    for ask in (
        lambda: history.commit("two", [repository.atom]),
        lambda: history.find_user_changes([repository.atom]),
        history.list_changes,
        lambda: history.list_file_commits(repository.atom, 1),
        lambda: next(history.find_undoable_changes()),
    ):
        with pytest.raises(HistoryFailed):
            ask()


@pytest.mark.parametrize(
    "head",
    [
        "ref: refs/heads/../../../victim",
        "ref: ../victim",
        "ref: refs/heads/a..b",
        "nonsense",
        "",
        "ref: refs/heads/x.lock",
        "ref: HEAD",
        "ref: /victim",
        "ref:",
        "\x00",
        "a" * 39,
        pytest.param("x" * 10**7, id="too large"),
    ],
)
def test_a_head_that_is_neither_a_commit_nor_a_ref_is_refused(
    repository: Repository, head: str
) -> None:
    victim = repository.top.parent / "victim"
    victim.write_text("mine\n")
    repository.write(repository.atom, "two\n")
    (repository.top / ".git/HEAD").write_text(f"{head}\n")
    call_every_function(repository)
    assert victim.read_text() == "mine\n"


def test_a_symbolic_branch_to_an_invalid_ref_is_refused(repository: Repository) -> None:
    heads = repository.top / ".git/refs/heads"
    (heads / "main").write_text("ref: refs/heads/../../../../victim\n")
    call_every_function(repository)
    (heads / "main").write_text("ref: refs/heads/main\n")
    call_every_function(repository)


def test_committing_on_a_symbolic_branch_moves_its_target(repository: Repository) -> None:
    repository.git("branch", "other")
    repository.git("symbolic-ref", "refs/heads/main", "refs/heads/other")
    repository.write(repository.atom, "two\n")
    done = repository.history.commit("two", [repository.atom])
    assert isinstance(done, CommitMade)
    assert repository.git("rev-parse", "other").strip() == done.id
    lock = repository.top / ".git/refs/heads/other.lock"
    lock.touch()
    repository.write(repository.atom, "three\n")
    assert isinstance(repository.history.commit("three", [repository.atom]), CommitSkipped)


@pytest.mark.parametrize(
    "name",
    [
        "refs",
        "refs/heads",
        "refs/heads/main",
        "logs",
        "logs/HEAD",
        "logs/refs",
        "logs/refs/heads",
        "logs/refs/heads/main",
        "objects",
        "objects/pack",
        "objects/info",
        "objects/e6",
        "index",
        "HEAD",
        "config",
        "packed-refs",
        "shallow",
        "cortexfs",
    ],
)
def test_a_symlink_through_which_git_would_write_or_read_is_refused(
    repository: Repository, name: str, tmp_path: Path
) -> None:
    repository.write(repository.atom, "new text\n")
    inner, outer = repository.top / ".git" / name, tmp_path / "outside"
    if inner.exists():
        inner.rename(outer)
    else:
        outer.mkdir()
    inner.symlink_to(outer)
    before = sorted(os.walk(tmp_path / "outside"))
    call_every_function(repository)
    assert sorted(os.walk(tmp_path / "outside")) == before


@pytest.mark.parametrize(
    "note",
    [
        "../../victim {}",
        "refs/heads/../../../victim {}",
        "refs/heads/main nonsense",
        "{}",
        "x " * 9,
        "refs/evil/victim {}",
        "\x00",
        "HEAD",
        "/victim {}",
    ],
)
def test_a_forged_lock_note_removes_no_lock(repository: Repository, note: str) -> None:
    git_dir, top = repository.top / ".git", repository.top
    (git_dir / "cortexfs").mkdir()
    (git_dir / "refs/evil").symlink_to(top.parent)
    (git_dir / "cortexfs/moving").write_text(note.format("1" * 40))
    locks = [top.parent / "victim.lock", top / "victim.lock", top / "x.lock"]
    for lock in locks:
        lock.write_text("1" * 40)
    repository.write(repository.atom, "two\n")
    assert isinstance(repository.history.commit("two", [repository.atom]), CommitMade)
    assert all(lock.exists() for lock in locks)
    assert not (git_dir / "cortexfs/moving").exists()


@pytest.mark.parametrize("name", ["moving", "index-pending"])
@pytest.mark.parametrize(
    "kind", leave_to_soak(["pipe", "symlink", "garbage", "large", "traversal"], every=3)
)
def test_a_damaged_lock_note_is_ignored(
    repository: Repository, name: str, kind: str, tmp_path: Path, soak: bool
) -> None:
    (repository.top / ".git/cortexfs").mkdir()
    large = "x" * (100_000_000 if soak else 10_000_000)
    for note in (repository.top / ".git/cortexfs" / end for end in (name, f"{name}.draft")):
        if kind == "pipe":
            os.mkfifo(note)
        elif kind == "symlink":
            (tmp_path / "outside").write_text("mine\n")
            note.symlink_to(tmp_path / "outside")
        else:
            zeros = "0" * 40
            damage = {"garbage": "1 2\t3\0\xff\0", "traversal": f"100644 {zeros} 0\t../../x\0"}
            note.write_text(damage.get(kind, large))
    repository.write(repository.atom, "two\n")
    history = repository.history
    assert history.find_user_changes([repository.atom]).changed == {repository.atom}
    assert isinstance(history.commit("two", [repository.atom]), CommitMade)
    assert repository.status() == ""
    assert kind != "symlink" or (tmp_path / "outside").read_text() == "mine\n"


@pytest.fixture
def victim(repository: Repository, tmp_path: Path) -> Repository:
    """Another repository of the user, to which a hostile `.git` leads."""
    other = type(repository)(tmp_path / "other")
    subprocess.run(["git", "clone", "-q", repository.top, other.top], check=True)
    return other


@pytest.mark.parametrize("how", ["file", "symlink", "worktree", "pipe"])
def test_a_dot_git_file_into_another_repository_is_rejected(
    repository: Repository, victim: Repository, how: str
) -> None:
    before = victim.git("rev-parse", "HEAD")
    dot_git = repository.top / ".git"
    dot_git.rename(repository.top.parent / "gone")
    if how == "symlink":
        dot_git.symlink_to(victim.top / ".git")
    elif how == "pipe":
        os.mkfifo(dot_git)
    else:
        victim.git("worktree", "add", "-q", "-b", "side", str(victim.top.parent / "side"))
        inner = "/worktrees/side" if how == "worktree" else ""
        dot_git.write_text(f"gitdir: {victim.top}/.git{inner}\n")
    assert find_repository(str(repository.top)) is None
    assert str(dot_git) in explain_unusable_repository(str(repository.top))
    assert victim.git("rev-parse", "HEAD") == before


def test_a_worktree_with_a_foreign_common_folder_is_rejected(
    repository: Repository, victim: Repository
) -> None:
    repository.git("worktree", "add", "-q", "-b", "side", str(repository.top.parent / "side"))
    assert find_repository(str(repository.top.parent / "side")) is not None
    common = repository.top / ".git/worktrees/side/commondir"
    common.write_text(f"{victim.top}/.git\n")
    assert find_repository(str(repository.top.parent / "side")) is None


def test_a_git_dir_that_names_our_folder_as_its_work_tree_is_accepted(
    repository: Repository,
) -> None:
    apart = repository.top.parent / "apart"
    (repository.top / ".git").rename(apart)
    (repository.top / ".git").symlink_to(apart)
    assert find_repository(str(repository.top)) is None
    assert "core.worktree" in explain_unusable_repository(str(repository.top))
    repository.git("config", "core.worktree", str(repository.top))
    repository.write(repository.atom, "two\n")
    assert isinstance(repository.history.commit("two", [repository.atom]), CommitMade)
    assert repository.status() == ""


def test_a_submodule_is_a_repository_of_its_own(repository: Repository, victim: Repository) -> None:
    repository.git(
        "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(victim.top), "sub"
    )
    inner = type(repository)(repository.top / "sub")
    inner.write(inner.atom, "two\n")
    assert isinstance(inner.history.commit("two", [inner.atom]), CommitMade)
    assert inner.status() == ""


def hash_object(repository: Repository, kind: str, body: bytes) -> str:
    """Write an object that git itself would not create; return its id."""
    words = ["git", "-C", str(repository.top), "hash-object", "-t", kind, "-w", "--stdin"]
    ran = subprocess.run([*words, "--literally"], input=body, capture_output=True, check=True)
    return ran.stdout.decode().strip()


def commit_tree(repository: Repository, tree: str) -> None:
    commit = f"tree {tree}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n"
    created = hash_object(repository, "commit", commit.encode())
    (repository.top / ".git/refs/heads/main").write_text(f"{created}\n")


def test_a_git_tree_with_outside_paths_reads_nothing_outside(repository: Repository) -> None:
    (repository.top.parent / "secret").write_text("secret\n")
    inner = hash_object(repository, "tree", b"100644 secret\0" + b"1" * 20)
    commit_tree(repository, hash_object(repository, "tree", b"40000 ..\0" + bytes.fromhex(inner)))
    found = repository.history.list_changes()
    assert repository.atom in found
    assert not [path for path in found if ".." in path]


@pytest.mark.parametrize("body", [b"nonsense", b"100644 a", b"\xff a\0" + b"1" * 20, b"1 a\0x"])
def test_a_damaged_git_tree_is_reported(repository: Repository, body: bytes) -> None:
    commit_tree(repository, hash_object(repository, "tree", body))
    with pytest.raises(HistoryFailed, match=r"damaged|lacks|could not read"):
        repository.history.list_changes()


def test_a_git_tree_of_billions_of_files_is_refused(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cortexfs.history.trees._MAX_FILES", 10_000)
    tree = hash_object(repository, "tree", b"100644 f\0" + b"1" * 20)
    for _ in range(10):
        entries = (b"40000 %d\0" % number + bytes.fromhex(tree) for number in range(10))
        tree = hash_object(repository, "tree", b"".join(entries))
    commit_tree(repository, tree)
    with pytest.raises(HistoryFailed, match="more than"):
        repository.history.list_changes()


def test_a_pipe_as_commondir_is_refused_at_once(repository: Repository) -> None:
    os.mkfifo(repository.top / ".git/commondir")
    repository.write(repository.atom, "two\n")
    with pytest.raises(HistoryFailed, match="commondir"):
        repository.history.commit("two", [repository.atom])


@pytest.mark.parametrize("names_itself", [True, False])
def test_a_commondir_that_leads_elsewhere_is_refused(
    repository: Repository, victim: Repository, *, names_itself: bool
) -> None:
    logs = victim.top / ".git/logs/refs/heads/main"
    (repository.top.parent / "file").write_text("mine\n")
    logs.unlink()
    logs.symlink_to(repository.top.parent / "file")
    target = "." if names_itself else f"{victim.top}/.git"
    (repository.top / ".git/commondir").write_text(f"{target}\n")
    repository.write(repository.atom, "two\n")
    before = victim.git("rev-parse", "HEAD")
    call_every_function(repository)
    assert victim.git("rev-parse", "HEAD") == before
    assert (repository.top.parent / "file").read_text() == "mine\n"


def test_a_commondir_in_the_shared_part_of_a_worktree_is_refused(
    repository: Repository, victim: Repository
) -> None:
    side = repository.top.parent / "side"
    repository.git("worktree", "add", "-q", "-b", "side", str(side))
    (repository.top / ".git/commondir").write_text(f"{victim.top}/.git\n")
    history = find_repository(str(side))
    assert history is not None
    with pytest.raises(HistoryFailed, match="another repository"):
        history.list_changes()
