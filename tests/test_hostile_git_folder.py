"""Whatever replaces a file or folder below `.git`: each command ends, and harms nothing.

Every path is replaced in turn by everything that a file system knows; a sample of it by default.
"""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from command_server import run_forked
from hostile_paths import forget_original, replace, snapshot_outside
from place import Place
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Pick

LIMIT_S = 60
"""Seconds that a command may take; git itself is given one."""

SAMPLE = {
    "symlink": "refs/heads",
    "pipe": "index",
    "socket": "objects",
    "folder": "logs/HEAD",
    "garbage": "HEAD",
    "large": "packed-refs",
    "traversal": "config",
    "mode 000": "cortexfs",
}
"""What something is replaced by, and the path that is tried where not all are."""

OBJECTS = 4
"""So many loose objects and fan-out folders are tried; the others are like them."""

COMMANDS = (
    "new experiment -p flywheel -s one-of-its-own -t t",
    "mark flywheel/EXP-001 challenged --reason because --cause flywheel/EXP-002",
    "commit",
    "log",
    "log flywheel/EXP-001",
    "diff flywheel/EXP-001",
    "undo",
    "check",
    "doctor",
    "list",
    "find wheel",
)

CONFIG = """
[core]
	fsmonitor = {trap}
	pager = {trap}
	editor = {trap}
[diff]
	external = {trap}
[filter "evil"]
	clean = {trap}
	smudge = {trap}
[hook "evil"]
	event = reference-transaction
	command = {trap}
"""

TRAVERSAL = b"ref: refs/heads/../../../../outside/victim\n"
HOOKS = ("pre-commit", "post-commit", "reference-transaction", "post-index-change")


@pytest.fixture(scope="module")
def seed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree whose repository has all that a repository can have, and a trap in each place."""
    folder = tmp_path_factory.mktemp("seed")
    place = Place(folder / "tree")
    (folder / "gitconfig").write_text("[user]\nname = Ada\nemail = ada@example.org\n")
    env = {"HOME": str(folder), "GIT_CONFIG_GLOBAL": str(folder / "gitconfig")}
    assert not run_forked(("init", str(place.root)), str(folder), os.environ | env).returncode
    for command in (
        "project new flywheel --goal spin",
        "new experiment -p flywheel -s wheel -t t",
        "new experiment -p flywheel -s another-one -t t",
    ):
        place.ok(*command.split(), **env)
    place.git("config", "gc.auto", "0")
    place.git("pack-refs", "--all")
    place.git("repack", "-q", "-d")
    place.ok(*["new", "experiment", "-p", "flywheel", "-s", "unpacked", "-t", "t"], **env)
    git_dir = place.root / ".git"
    for path, text in (
        ("info/exclude", "*.tmp\n"),
        ("objects/info/alternates", ""),
        ("config.worktree", ""),
        ("shallow", ""),
        ("cortexfs/moving", f"refs/heads/main {'1' * 40}"),
        ("cortexfs/index-pending", ""),
    ):
        (git_dir / path).parent.mkdir(exist_ok=True)
        (git_dir / path).write_text(text)
    return folder


@pytest.fixture
def hostile(seed: Path, tmp_path: Path) -> tuple[Place, Path]:
    """A copy of it, and where the programs of the repository leave a trace."""
    place, trace = Place(tmp_path / "tree"), tmp_path / "outside/trace"
    shutil.copytree(seed / "tree", place.root, symlinks=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "temporary").mkdir()
    trap = tmp_path / "outside/trap"
    trap.write_text(f"#!/bin/sh\ntouch {trace}\n")
    trap.chmod(0o755)
    (place.root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    with (place.root / ".git/config").open("a") as config:
        config.write(CONFIG.format(trap=trap))
    (place.root / ".git/hooks").mkdir(exist_ok=True)
    for name in HOOKS:
        (place.root / ".git/hooks" / name).symlink_to(trap)
    return place, trace


def paths_below(git_dir: Path) -> list[str]:
    """Name every file and folder, of loose objects a few."""
    found, objects = [], 0
    for path in sorted(git_dir.rglob("*")):
        name = str(path.relative_to(git_dir))
        loose = name.startswith("objects/") and len(name.split("/")[1]) == 2
        objects += loose
        if not loose or objects <= OBJECTS:
            found.append(name)
    return found


def run(place: Place, words: list[str]) -> tuple[int, str]:
    temporary = str(place.root.parent / "temporary")
    environment = os.environ | {"CORTEXFS_GIT_TIMEOUT": "1", "TMPDIR": temporary}
    words, limit = ["--root", str(place.root), *words], f"import signal; signal.alarm({LIMIT_S})"
    done = run_forked(tuple(words), str(place.root), environment, before=limit)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("kind", leave_to_soak(SAMPLE, every=4))
def test_each_command_ends_and_harms_nothing(
    hostile: tuple[Place, Path], kind: str, soak: bool, pick: Pick, tmp_path: Path
) -> None:
    place, trace = hostile
    shutil.copytree(place.root, tmp_path / "whole", symlinks=True)
    for path in pick(paths_below(place.root / ".git"), 4) if soak else [SAMPLE[kind]]:
        shutil.rmtree(place.root)
        shutil.copytree(tmp_path / "whole", place.root, symlinks=True)
        replace(place.root / ".git" / path, kind, tmp_path / "outside", TRAVERSAL)
        before = snapshot_outside(tmp_path)
        for command in COMMANDS:
            code, text = run(place, command.split())
            where = f"{path}: {kind}: {command}\n{text}"
            assert code in {0, 1, 2, 3, 4}, where
            assert "Traceback" not in text, where
            assert not trace.exists(), where
            assert snapshot_outside(tmp_path) == before, where
        forget_original(tmp_path / "outside")


def test_a_pipe_that_only_git_opens_is_waited_for_within_the_limit(
    hostile: tuple[Place, Path],
) -> None:
    place, _ = hostile
    objects = place.root / ".git/objects"
    commit = place.git("-c", "core.fsmonitor=false", "rev-parse", "HEAD").strip()
    loose = objects / commit[:2] / commit[2:]
    loose.unlink()
    os.mkfifo(loose)
    code, text = run(place, ["log"])
    assert code == 3
    assert "did not end within 1 s" in text
