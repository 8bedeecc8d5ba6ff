"""A repository to experiment on."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.history.find_repository import find_repository

if TYPE_CHECKING:
    from pathlib import Path

    from cortexfs.history.repository import History


@dataclass
class Repository:
    """A work tree, and git as its user runs it."""

    top: Path
    atom = "projects/p/knowledge/K-001.md"

    def git(self, *args: str, check: bool = True) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.top), *args], capture_output=True, text=True, check=False
        )
        assert not check or done.returncode == 0, done.stderr
        return done.stdout

    def write(self, path: str, text: str) -> str:
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        return path

    def status(self) -> str:
        return self.git("status", "--porcelain").rstrip("\n")

    def head(self, path: str) -> str:
        return self.git("show", f"HEAD:{path}")

    def subjects(self) -> list[str]:
        return self.git("log", "--format=%s").splitlines()

    def sound(self) -> bool:
        self.git("fsck", "--strict")
        return not self.git("log", "--merges", "--format=%H")

    def work(self) -> tuple[str, str, str]:
        """Return the uncommitted changes as the user sees them."""
        staged, edited = self.git("diff", "--cached"), self.git("diff")
        return self.git("status", "--porcelain=v2", "-z"), staged, edited

    @property
    def history(self) -> History:
        found = find_repository(str(self.top))
        assert found
        return found
