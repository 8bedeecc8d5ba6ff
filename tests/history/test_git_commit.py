from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

from cortexfs.errors import HistoryFailed, OutsideTree
from cortexfs.history.commit_outcome import CommitMade, CommitSkipped
from cortexfs.history.find_repository import find_repository, init_repository

if TYPE_CHECKING:
    from git_repository import Repository


def test_a_commit_holds_its_paths_as_they_are_on_disk(repository: Repository) -> None:
    repository.write(repository.atom, "two\n")
    done = repository.history.commit("say two\n\nand why", [repository.atom])
    assert isinstance(done, CommitMade)
    assert repository.git("rev-parse", "HEAD").strip() == done.id
    assert repository.git("log", "-1", "--format=%an <%ae>|%B") == (
        "Ada <ada@example.org>|say two\n\nand why\n\n"
    )
    assert repository.git("show", "--format=", "--name-only").split() == [repository.atom]
    assert repository.head(repository.atom) == "two\n"
    assert repository.status() == ""
    assert repository.sound()


def test_staged_and_edited_files_of_the_user_stay_as_they_were(repository: Repository) -> None:
    repository.write("mine.md", "staged\n")
    repository.write("added.md", "staged\n")
    repository.git("add", "mine.md", "added.md")
    repository.write("mine.md", "edited\n")
    repository.write("unknown.md", "untracked\n")
    before = repository.work()
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    assert repository.work() == before
    assert repository.head("mine.md") == "one\n"


def test_after_a_commit_the_index_agrees_with_it_whatever_was_staged(
    repository: Repository,
) -> None:
    new = repository.write("projects/p/new.md", "first\n")
    repository.write(repository.atom, "staged\n")
    repository.write("mine.md", "staged\n")
    repository.git("add", ".")
    staged = repository.git("rev-parse", f":{repository.atom}").strip()
    for path in (repository.atom, new):
        repository.write(path, "disk\n")
    repository.history.commit("disk", [repository.atom, new])
    assert repository.status() == "M  mine.md"
    repository.git("commit", "-qm", "the user's next commit")
    assert repository.head(repository.atom) == repository.head(new) == "disk\n"
    assert repository.git("cat-file", "blob", staged) == "staged\n"


def test_a_committed_file_is_added_to_the_index_again(
    repository: Repository,
) -> None:
    repository.git("rm", "-q", "--cached", repository.atom)
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    assert repository.status() == ""


def test_a_file_moved_with_git_is_committed_under_its_new_name(
    repository: Repository,
) -> None:
    moved = "projects/p/moved.md"
    repository.git("mv", repository.atom, moved)
    repository.write(moved, "moved, and edited\n")
    repository.history.commit("move", [repository.atom, moved])
    assert repository.status() == ""
    assert repository.git("ls-tree", "-r", "--name-only", "HEAD").split() == ["mine.md", moved]


def test_a_file_added_with_intent_to_add_is_no_longer_staged(repository: Repository) -> None:
    path = repository.write("projects/p/new.md", "text\n")
    repository.git("add", "--intent-to-add", path)
    repository.history.commit("new", [path])
    assert repository.status() == ""


def test_a_removed_path_leaves_the_tree_with_its_empty_folder(
    repository: Repository,
) -> None:
    (repository.top / repository.atom).unlink()
    repository.history.commit("gone", [repository.atom])
    assert repository.git("ls-tree", "-r", "--name-only", "HEAD").split() == ["mine.md"]
    assert repository.status() == ""
    assert repository.sound()


def test_nothing_changed_makes_no_commit(repository: Repository) -> None:
    done = repository.history.commit("again", [repository.atom, "never/was.md"])
    assert done == CommitSkipped("nothing changed")
    assert repository.subjects() == ["start"]


def test_the_first_commit_of_a_branch_has_no_parent(empty: Repository) -> None:
    empty.write(empty.atom, "one\n")
    empty.write("theirs.md", "one\n")
    empty.git("add", "theirs.md")
    done = empty.history.commit("first", [empty.atom])
    assert isinstance(done, CommitMade)
    assert empty.git("rev-list", "--parents", "HEAD").split() == [done.id]
    assert empty.status() == "A  theirs.md"
    assert empty.sound()


def test_a_detached_head_moves_and_its_branch_does_not(repository: Repository) -> None:
    repository.git("checkout", "-q", "--detach")
    repository.write(repository.atom, "two\n")
    done = repository.history.commit("two", [repository.atom])
    assert isinstance(done, CommitMade)
    assert repository.git("rev-parse", "HEAD").strip() == done.id
    assert repository.git("log", "-1", "--format=%s", "main") == "start\n"
    assert repository.git("branch", "--show-current") == ""


def test_given_content_is_committed_instead_of_the_file_on_disk(repository: Repository) -> None:
    repository.write(repository.atom, "edited by hand\n")
    repository.history.commit("given", [repository.atom], contents={repository.atom: b"given\n"})
    assert repository.head(repository.atom) == "given\n"
    assert repository.status() == f" M {repository.atom}"


def test_modes_of_programs_and_symlinks_are_kept(
    repository: Repository,
) -> None:
    for name in ("run.sh", "plain.md", "target.md"):
        repository.write(name, "one\n")
    (repository.top / "run.sh").chmod(0o755)
    repository.git("add", ".")
    repository.git("commit", "-qm", "modes")
    for name in ("run.sh", "plain.md"):
        repository.write(name, "two\n")
    (repository.top / "run.sh").chmod(0o644)
    (repository.top / "plain.md").chmod(0o755)
    (repository.top / "link.md").symlink_to("target.md")
    repository.history.commit("modes", ["run.sh", "plain.md", "link.md"])
    listed = repository.git("ls-tree", "HEAD", "run.sh", "plain.md", "link.md").splitlines()
    assert [line.split()[0] for line in listed] == ["120000", "100644", "100755"]
    assert repository.head("link.md") == "target.md"


@pytest.mark.parametrize(
    "path",
    leave_to_soak(
        [
            "n/a\nb.md",
            '"quo"te.md',
            "tab\there.md",
            "naïve/日本.md",
            "-rf.md",
            ":(bad)x.md",
            "n/*.md",
        ],
        every=3,
    ),
)
def test_any_file_name_can_be_committed(repository: Repository, path: str) -> None:
    repository.write(path, "text\n")
    repository.history.commit("odd", [path])
    assert path in repository.git("ls-tree", "-rz", "--name-only", "HEAD").split("\0")
    assert repository.status() == ""
    assert [step.commit.subject for step in repository.history.list_file_commits(path, 5)] == [
        "odd"
    ]
    assert repository.history.read_file_at("HEAD", path) == b"text\n"
    assert not repository.history.find_user_changes([path]).changed
    assert repository.sound()


def test_a_name_that_is_not_utf8_can_be_committed(repository: Repository) -> None:
    path = os.fsdecode(b"notes/\xff\xfe.md")
    repository.write("notes/x.md", "")
    Path(repository.top / path).write_bytes(b"text\n")
    repository.history.commit("bytes", [path])
    assert repository.history.read_file_at("HEAD", path) == b"text\n"
    assert repository.history.list_changes() == ["notes/x.md"]


@pytest.mark.parametrize(
    "path", ["../out.md", "/etc/passwd", "a//b", "a/./b", ".git/config", "x/.GIT/y", ""]
)
def test_a_path_that_leaves_the_tree_is_refused(repository: Repository, path: str) -> None:
    for ask in (
        lambda: repository.history.commit("out", [path]),
        lambda: repository.history.find_user_changes([path]),
        lambda: repository.history.list_file_commits(path, 1),
        lambda: repository.history.read_file_at("HEAD", path),
    ):
        with pytest.raises(OutsideTree):
            ask()


def test_files_behind_a_symlinked_folder_are_never_read(
    repository: Repository, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_text("secret\n")
    (repository.top / "linked").symlink_to(tmp_path)
    assert repository.history.commit("no", ["linked/secret.md"]) == CommitSkipped("nothing changed")


def test_a_file_may_replace_a_folder_and_a_folder_a_file(
    repository: Repository,
) -> None:
    (repository.top / repository.atom).unlink()
    (repository.top / "projects/p/knowledge").rmdir()
    repository.write("projects/p/knowledge", "now a file\n")
    repository.history.commit("file", ["projects/p/knowledge", repository.atom])
    assert repository.head("projects/p/knowledge") == "now a file\n"
    (repository.top / "projects/p/knowledge").unlink()
    repository.write(repository.atom, "back\n")
    repository.history.commit("folder", [repository.atom, "projects/p/knowledge"])
    assert repository.head(repository.atom) == "back\n"
    assert repository.status() == ""
    assert repository.sound()


def test_tree_entries_are_in_the_order_of_git(
    empty: Repository,
) -> None:
    paths = [empty.write(path, path) for path in ("a.md", "a/x.md", "a-b.md", "a0", "ab/x.md")]
    empty.history.commit("order", paths)
    assert empty.sound()
    assert empty.status() == ""


def test_hundreds_of_files_make_one_pack_and_not_hundreds_of_objects(empty: Repository) -> None:
    paths = [empty.write(f"n/{number}.md", f"{number}\n") for number in range(300)]
    empty.history.commit("many", paths)
    assert empty.git("count-objects").startswith("0 objects")
    assert empty.status() == ""
    assert empty.sound()


def test_a_nested_repository_is_left_alone(repository: Repository) -> None:
    inner = repository.top / "projects/other"
    inner.mkdir()
    repository.git("init", "-q", str(inner))
    repository.write("projects/other/K-001.md", "theirs\n")
    done = repository.history.commit("no", ["projects/other/K-001.md"])
    assert done == CommitSkipped("`projects/other` is a repository of its own")
    assert repository.history.list_changes() == []


def test_no_user_name_is_needed_to_commit(
    repository: Repository, hermetic: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermetic.write_text("")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "somebody's environment")
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    ident = "cortexfs <cortexfs@localhost>"
    assert repository.git("log", "-1", "--format=%an <%ae>|%cn <%ce>") == f"{ident}|{ident}\n"


def test_git_variables_of_the_caller_are_ignored(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    elsewhere = str(tmp_path / "elsewhere")
    subprocess.run(["git", "init", "-q", "--bare", elsewhere], check=True)
    monkeypatch.setenv("GIT_DIR", elsewhere)
    monkeypatch.setenv("GIT_INDEX_FILE", f"{elsewhere}/index")
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", f"{elsewhere}/objects")
    repository.write(repository.atom, "two\n")
    done = repository.history.commit("two", [repository.atom])
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.delenv(name)
    assert isinstance(done, CommitMade)
    assert repository.git("rev-parse", "HEAD").strip() == done.id
    assert repository.status() == ""


def test_a_sha256_repository_works_like_any_other(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", "--object-format=sha256", tmp_path / "t"], check=True)
    (tmp_path / "t/a.md").write_text("one\n")
    history = find_repository(str(tmp_path / "t"))
    assert history
    for text in ("one\n", "two\n"):
        (tmp_path / "t/a.md").write_text(text)
        done = history.commit(text, ["a.md"])
        assert isinstance(done, CommitMade)
        assert len(done.id) == 64
    assert history.read_file_at("HEAD~1", "a.md") == b"one\n"
    assert not history.find_user_changes(["a.md"]).changed
    assert history.list_changes() == []
    fsck = subprocess.run(["git", "-C", tmp_path / "t", "fsck", "--strict"], check=False)
    assert fsck.returncode == 0


@pytest.mark.parametrize("setting", ["split", "untracked", "v4", "fsmonitor"])
def test_the_index_format_of_the_user_is_kept(repository: Repository, setting: str) -> None:
    if setting == "split":
        repository.git("update-index", "--split-index")
    elif setting == "untracked":
        repository.git("update-index", "--untracked-cache")
    elif setting == "v4":
        repository.git("update-index", "--index-version=4")
    else:
        repository.git("config", "core.fsmonitor", "false")
        repository.git("update-index", "--assume-unchanged", "mine.md")
    repository.status()
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    index = (repository.top / ".git/index").read_bytes()
    assert {"split": b"link", "untracked": b"UNTR", "v4": b"\0\0\0\4", "fsmonitor": b""}[
        setting
    ] in index
    assert repository.status() == ""
    if setting == "fsmonitor":
        assert repository.git("ls-files", "-v", "mine.md").startswith("h ")


def test_an_edit_as_recent_as_the_index_is_not_taken_for_clean(repository: Repository) -> None:
    mine, index = repository.top / "mine.md", repository.top / ".git/index"
    stamp = index.stat().st_mtime_ns - 10**10
    repository.git("config", "core.trustCtime", "false")
    repository.git("config", "core.checkStat", "minimal")
    os.utime(mine, ns=(stamp, stamp))
    repository.git("update-index", "--refresh")
    os.utime(index, ns=(stamp, stamp))
    mine.write_text("ONE\n")
    os.utime(mine, ns=(stamp, stamp))
    repository.write(repository.atom, "two\n")
    repository.history.commit("two", [repository.atom])
    assert repository.status() == " M mine.md"


def test_a_message_may_have_characters_that_git_rejects(repository: Repository) -> None:
    repository.write(repository.atom, "two\n")
    repository.history.commit("  nul\0 \udcff " + "x" * 200_000, [repository.atom])
    assert repository.subjects()[0].startswith("nul ? xxx")


def test_a_failure_of_git_is_refused_with_its_message(repository: Repository) -> None:
    repository.write(repository.atom, "two\n")
    history = repository.history
    (repository.top / ".git/config").write_text("[core\n")
    for ask in (
        lambda: history.commit("two", [repository.atom]),
        lambda: history.find_user_changes([repository.atom]),
        history.list_changes,
        lambda: history.list_file_commits(repository.atom, 1),
        lambda: history.read_file_at("HEAD", repository.atom),
    ):
        with pytest.raises(HistoryFailed, match="bad config"):
            ask()


def test_a_damaged_repository_is_not_made_worse(repository: Repository) -> None:
    tree = repository.git("rev-parse", "HEAD:projects").strip()
    (repository.top / f".git/objects/{tree[:2]}/{tree[2:]}").unlink()
    repository.write(repository.atom, "two\n")
    before = repository.git("rev-parse", "HEAD")
    with pytest.raises(HistoryFailed, match="lacks the tree"):
        repository.history.commit("two", [repository.atom])
    assert repository.git("rev-parse", "HEAD") == before


def test_one_commit_starts_five_processes_however_large_the_tree(
    empty: Repository, git_calls: Path
) -> None:
    paths = [empty.write(f"n/{number // 50}/{number}.md", "x\n") for number in range(500)]
    empty.history.commit("many", paths)
    empty.write(paths[7], "y\n")
    new = empty.write("n/7/new.md", "x\n")
    history = find_repository(str(empty.top))
    assert history
    for path in (paths[7], new):
        git_calls.write_text("")
        history.commit("one", [path])
        assert len(git_calls.read_text().splitlines()) == 5


def test_a_commit_right_after_init_is_whole(tmp_path: Path) -> None:
    history = init_repository(str(tmp_path))
    (tmp_path / "a.md").write_text("one\n")
    assert isinstance(history.commit("first", ["a.md"]), CommitMade)
    assert not history.find_user_changes(["a.md"]).changed
