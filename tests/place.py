"""A tree to try commands on."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from command_server import run_forked

if TYPE_CHECKING:
    from collections.abc import Callable

    CopyTree = Callable[[Path, Callable[["Place"], None]], "Place"]

_REPOSITORY = Path(__file__).parent.parent


@dataclass(frozen=True)
class Ran:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Place:
    """A tree to try commands on."""

    root: Path

    def run(self, *words: str, feed: str = "", **env: str) -> Ran:
        root = str(self.root)
        done = run_forked(("--root", root, *words), root, {**os.environ, **env}, feed)
        return Ran(done.returncode, done.stdout, done.stderr)

    def ok(self, *words: str, **env: str) -> str:
        """Run a command that must succeed; give its stdout."""
        ran = self.run(*words, **env)
        assert ran.code == 0, ran
        return ran.out

    def git(self, *words: str, **env: str) -> str:
        done = subprocess.run(
            ["git", *words],
            cwd=self.root,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    def write(self, path: str, text: str) -> Path:
        """Write a file as a person would, its bytes as they are given."""
        full = self.root / path
        full.parent.mkdir(parents=True, exist_ok=True)
        full.write_bytes(text.encode())
        return full

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()


def copy_file(source: str, copy: str) -> None:
    """Copy a small file with its times and permissions, in half the time of `shutil.copy2`."""
    with open(source, "rb", buffering=0) as file:
        state, content = os.fstat(file.fileno()), file.read()
    copied = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, state.st_mode & 0o777)
    try:
        os.write(copied, content)
        os.utime(copied, ns=(state.st_atime_ns, state.st_mtime_ns))
    finally:
        os.close(copied)


def build_tree(place: Place) -> None:
    """Make a new tree with one project, `flywheel`."""
    place.root.mkdir()
    place.ok("init", str(place.root))
    place.ok("project", "new", "flywheel", "--goal", "Spin, and keep spinning")


def build_sample(place: Place) -> None:
    """Make a copy of the sample tree in a repository of its own, all of it committed."""
    leave_out = shutil.ignore_patterns(".cortexfs")
    shutil.copytree(_REPOSITORY / "sample-context", place.root, ignore=leave_out)
    place.git("init", "-q", "--template=")
    place.git("add", ".")
    place.git("commit", "-qm", "start")
    place.ok("find", "varint")  # makes catalog and full text: a command on a copy parses no atom
