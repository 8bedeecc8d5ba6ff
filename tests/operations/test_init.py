"""`init` creates a tree, and adds to an existing one only what is missing."""

from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from typing import TYPE_CHECKING

import pytest
from command_server import run_forked
from place import Place

if TYPE_CHECKING:
    from pathlib import Path


def _run(*words: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return run_forked(words, str(cwd), {**os.environ, **env})


def _files(root: Path) -> dict[str, bytes]:
    files = (path for path in root.rglob("*") if path.is_file())
    kept = (p for p in files if not {".git", ".cortexfs"} & set(p.relative_to(root).parts))
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in kept}


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_tree_is_one_commit_without_findings(tmp_path: Path) -> None:
    place = Place(tmp_path / "new/tree")
    assert _run("init", str(place.root), cwd=tmp_path).returncode == 0
    assert place.git("log", "--format=%s") == "init: cortexfs tree\n"
    assert place.git("status", "--porcelain", "--ignored") == "!! .cortexfs/\n"
    assert place.read(".gitignore") == ".cortexfs/\n/user/observations/\n/BULLETIN.md\n"
    unions = "access-log*.jsonl merge=union\nindex.md merge=union\n"
    assert place.read(".gitattributes") == f"*.md -text\n{unions}"
    assert {"CORTEX.md", "OVERVIEW.md", "projects/CORTEX.md"} <= _files(place.root).keys()
    assert place.run("check", "--strict").code == 0
    assert place.run("index", "regen", "--all", "--check").code == 0


def test_a_second_init_changes_nothing(tree: Place) -> None:
    before, head = _files(tree.root), tree.git("rev-parse", "HEAD")
    assert "nothing was missing" in tree.ok("init")
    assert _files(tree.root) == before
    assert tree.git("rev-parse", "HEAD") == head


def test_init_names_the_next_command_until_there_is_a_project(tmp_path: Path, tree: Place) -> None:
    place = Place(tmp_path / "new")
    place.root.mkdir()
    ran = place.run("init")
    assert "next: `cortexfs project new NAME --goal TEXT`\n" in ran.err
    assert "next:" not in tree.run("init").err
    quiet = place.run("init", "-q")
    assert (quiet.code, quiet.out, quiet.err) == (0, "", "")


def test_a_dry_run_in_an_empty_place_leaves_it_empty(tmp_path: Path) -> None:
    ran = _run("init", str(tmp_path / "tree"), "--dry-run", cwd=tmp_path)
    assert ran.returncode == 0
    assert "+++ CORTEX.md" in ran.stdout
    assert not list((tmp_path / "tree").glob("[!.]*"))
    assert not (tmp_path / "tree/.git").exists()


def test_init_in_an_existing_tree_keeps_every_byte(tmp_path: Path) -> None:
    place = Place(tmp_path / "tree")
    theirs = {
        "CORTEX.md": "my own words\r\n",
        "OVERVIEW.md": "",
        ".gitignore": "*.tmp",
        "projects/old/experiments/EXP-001.md": "---\nid: EXP-001\nrefs: 7\n---\n",
        "projects/old/experiments/index.md": "| ID | Refs |\n|---|---|\n| EXP-002 | 3 |\n",
    }
    for path, text in theirs.items():
        place.write(path, text)
    place.git("init", "-q")
    place.write("staged.txt", "theirs")
    place.git("add", "staged.txt")
    assert _run("init", str(place.root), cwd=tmp_path).returncode == 0
    now = _files(place.root)
    for path in ("CORTEX.md", "OVERVIEW.md", "projects/old/experiments/EXP-001.md"):
        assert now[path] == theirs[path].encode(), path
    assert now[".gitignore"] == b"*.tmp\n.cortexfs/\n/user/observations/\n/BULLETIN.md\n"
    assert place.git("diff", "--cached", "--name-only") == "staged.txt\n"
    assert "EXP-001.md" not in place.git("ls-files"), "what is theirs is not committed for them"


@pytest.mark.parametrize("allowed", [False, True])
def test_commits_to_an_outer_repository_need_the_permission_of_the_user(
    tmp_path: Path, world: Path, *, allowed: bool
) -> None:
    above = Place(tmp_path / "dotfiles")
    above.write("theirs.txt", "x")
    above.git("init", "-q")
    above.git("add", ".")
    above.git("commit", "-qm", "theirs")
    if allowed:
        config = world / ".config/cortexfs/config.yaml"
        config.parent.mkdir(parents=True)
        config.write_text(f"commit-in: [{above.root}]\n")
    place = Place(above.root / "deep/down/tree")
    assert _run("init", str(place.root), cwd=tmp_path).returncode == 0
    place.ok("project", "new", "flywheel", "--goal", "x")
    subjects = above.git("log", "--format=%s").splitlines()
    assert (subjects == ["theirs"]) is not allowed
    assert not (place.root / ".git").exists()
    ran = place.run("doctor")
    assert ("is higher up" in ran.out) is not allowed
    assert place.run("commit").code == (0 if allowed else 3)


def _warnings(ran: subprocess.CompletedProcess[str]) -> str:
    return "".join(re.findall(r"^(?:warning|hint): .*\n", ran.stderr, re.MULTILINE))


def test_init_says_which_tree_commands_find_and_how_to_find_another(
    tmp_path: Path, world: Path
) -> None:
    outer, inner = tmp_path / "outer", tmp_path / "outer/notes/inner"
    first = _run("init", str(outer), cwd=tmp_path)
    assert f"commands here use {world}/.cortex/context, not this tree\n" in first.stderr
    assert f"hint: `cd {outer}`, `export CORTEXFS_ROOT={outer}`" in _warnings(first)
    assert _warnings(_run("init", cwd=outer)) == ""
    inner.mkdir(parents=True)
    for words in (["init", ".", "--dry-run"], ["init", "."]):
        second = _warnings(_run(*words, cwd=inner))
        assert f"it is inside the tree {outer}, which lists none of its atoms\n" in second
        assert f"`cortexfs --root {outer} project new NAME --goal TEXT`" in second
        assert "commands here" not in second
    third = _warnings(_run("init", ".", cwd=inner, CORTEXFS_ROOT=str(outer)))
    assert f"commands here use {outer}, not this tree\n" in third
    assert "`cd " not in third
    document = json.loads(_run("init", ".", "--json", cwd=inner).stdout)
    assert [list(each) for each in document["warnings"]] == [["message", "hint"]] * 2


def test_init_says_where_changes_are_committed_and_as_whose(tmp_path: Path, world: Path) -> None:
    above = Place(tmp_path / "dotfiles")
    above.root.mkdir()
    above.git("init", "-q")
    deep, beside = above.root / "deep/down/tree", above.root / "tree"
    deep.mkdir(parents=True)
    beside.mkdir()
    said = _warnings(_run("init", ".", cwd=deep))
    assert f"nothing is committed: its repository begins higher up, at {above.root}\n" in said
    assert f"`git init {deep}`, then `cortexfs commit`" in said
    assert f"it is committed to the repository at {above.root}\n" in _warnings(
        _run("init", ".", cwd=beside)
    )
    (world / ".gitconfig").write_text("")
    author = "the author of commits is cortexfs <cortexfs@localhost>"
    ran = _run("init", ".", cwd=beside)
    assert author in _warnings(ran)
    assert 'git config --global user.name "Your Name"; git config --global user.email' in ran.stderr
    doctor = Place(beside).run("doctor")
    assert (doctor.code, author in doctor.out) == (0, True)
    subprocess.run(["git", "init", "-q", str(deep)], check=True)
    (world / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    assert _warnings(_run("init", ".", cwd=deep)) == ""
    Place(deep).ok("commit")
    assert Place(deep).git("log", "--format=%an") == "Ada\n"


def test_without_git_everything_works_except_history(tmp_path: Path) -> None:
    bare = tmp_path / "bin"
    bare.mkdir()
    place = Place(tmp_path / "tree")
    env = {"PATH": str(bare)}
    ran = _run("init", str(place.root), cwd=tmp_path, **env)
    assert (ran.returncode, "git is not installed" in _warnings(ran)) == (0, True)
    assert not (place.root / ".git").exists()
    place.ok("project", "new", "flywheel", "--goal", "x", **env)
    place.ok("new", "experiment", "-s", "one", "-t", "a", **env)
    place.ok("show", "EXP-001", **env)
    place.ok("index", "regen", "--all", **env)
    refused = place.run("commit", **env)
    assert refused.code == 3
    assert "git is not installed" in refused.err


@pytest.mark.parametrize(
    ("below_home", "umask", "folder", "file"),
    [(True, 0o022, 0o700, 0o600), (True, 0, 0o700, 0o600), (False, 0o022, 0o755, 0o644)],
)
def test_below_the_home_only_its_owner_may_read_the_tree_whatever_the_umask(
    tmp_path: Path, world: Path, *, below_home: bool, umask: int, folder: int, file: int
) -> None:
    place = Place((world if below_home else tmp_path) / "deep/tree")
    for words in (
        ["init", str(place.root)],
        ["project", "new", "flywheel", "--goal", "x"],
        ["new", "experiment", "-s", "one", "-t", "a"],
        ["show", "EXP-001"],
        ["hook", "drain"],
        ["index", "regen", "--all"],
        ["setup", "claude-code", "--yes"],
    ):
        argv, masked = ("--root", str(place.root), *words), f"import os; os.umask({umask})"
        done = run_forked(argv, str(world), dict(os.environ), before=masked)
        assert done.returncode == 0, done
    for path in place.root.rglob("*"):
        parts = path.relative_to(place.root).parts
        if parts[0] == ".git":
            continue
        if parts[0] == ".cortexfs":
            assert not _mode(place.root / ".cortexfs") & 0o077
        elif parts == ("BULLETIN.md",):  # it has personal observations
            assert _mode(path) == 0o600
        else:
            assert _mode(path) == (folder if path.is_dir() else file), path
    created = (path for path in world.rglob("*") if path.name != ".gitconfig")
    assert [path for path in created if ".git" not in path.parts and _mode(path) & 0o077] == []


def test_the_default_tree_is_below_the_home(tmp_path: Path, world: Path) -> None:
    assert _run("init", cwd=tmp_path).returncode == 0
    assert (world / ".cortex/context/CORTEX.md").is_file()
    assert _run("project", "list", cwd=tmp_path).returncode == 0
    shutil.rmtree(world / ".cortex")
    ran = _run("project", "list", cwd=tmp_path)
    assert (ran.returncode, "cortexfs init" in ran.stderr) == (3, True)


def test_a_handwritten_index_of_an_existing_tree_is_kept(tmp_path: Path) -> None:
    place = Place(tmp_path / "adopted")
    mine = "# Experiments\n\nHand-written intro.\n\n| ID | Refs |\n|---|---|\n| EXP-001 | 7 |\n"
    place.write("projects/alpha/experiments/index.md", mine)
    atom = "---\nid: EXP-001\ndate: 2026-01-05\nproject: alpha\nsummary: One\ntags: [a]\n---\n"
    place.write("projects/alpha/experiments/EXP-001.md", atom)
    place.run("init", str(place.root))
    assert place.read("projects/alpha/experiments/index.md") == mine
    place.ok("index", "regen", "--all")
    assert "| 7 |" in place.read("projects/alpha/experiments/index.md")
    copies = list((place.root / ".cortexfs" / "replaced").iterdir())
    assert [copy.read_text() for copy in copies] == [mine]
