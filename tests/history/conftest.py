"""A repository to experiment on, with no settings but these."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from git_repository import Repository

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
