"""A tree to try commands on."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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

    def run(self, *words: str, feed: str | None = None, **env: str) -> Ran:
        done = subprocess.run(
            [sys.executable, "-m", "cortexfs", "--root", str(self.root), *words],
            input=feed,
            capture_output=True,
            text=True,
            cwd=self.root,
            env={**os.environ, **env},
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    def ok(self, *words: str, **env: str) -> str:
        """Run a command that must succeed; give its stdout."""
        ran = self.run(*words, **env)
        assert ran.code == 0, ran
        return ran.out

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.root, capture_output=True, text=True, check=True
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
