"""A repository to experiment on, with no settings but these."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from cortexfs.history.repository import History, find_repository

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(autouse=True)
def hermetic(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give git a home with a user name."""
    home = tmp_path_factory.mktemp("home")
    for name in [name for name in os.environ if name.startswith(("GIT_", "XDG_"))]:
        monkeypatch.delenv(name)
    settings = home / "gitconfig"
    settings.write_text(
        "[user]\nname = Ada\nemail = ada@example.org\n[init]\ndefaultBranch = main\n"
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    return settings


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


@pytest.fixture
def empty(tmp_path: Path) -> Repository:
    """Create a repository without a commit."""
    repository = Repository(tmp_path / "context")
    repository.top.mkdir()
    repository.git("init", "-q")
    return repository


@pytest.fixture
def repository(empty: Repository) -> Repository:
    """Create a repository with one commit: an atom and a file of the user."""
    empty.write(empty.atom, "one\n")
    empty.write("mine.md", "one\n")
    empty.git("add", ".")
    empty.git("commit", "-qm", "start")
    return empty
