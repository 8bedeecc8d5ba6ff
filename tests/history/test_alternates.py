"""Objects of another repository that `objects/info/alternates` names are read, as git does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from git_repository import Repository

from cortexfs.history.commit_outcome import CommitMade
from cortexfs.history.find_repository import find_repository
from cortexfs.history.repository import History

if TYPE_CHECKING:
    from pathlib import Path


def _stamp_files(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("how", ["--shared", "--reference"])
def test_a_shared_clone_works_and_its_source_stays_as_it_was(
    repository: Repository, tmp_path: Path, how: str
) -> None:
    clone = Repository(tmp_path / "clone")
    source = str(repository.top)
    words = (how, source) if how == "--shared" else (how, source, f"file://{source}")
    repository.git("clone", "-q", *words, str(clone.top))
    assert (clone.top / ".git/objects/info/alternates").read_text() == f"{source}/.git/objects\n"
    before = _stamp_files(repository.top)
    history = find_repository(str(clone.top))
    assert isinstance(history, History)
    assert history.read_file_at("HEAD", clone.atom) == repository.head(clone.atom).encode()
    clone.write(clone.atom, "in the clone\n")
    assert isinstance(history.commit("clone", [clone.atom]), CommitMade)
    assert clone.head(clone.atom) == "in the clone\n"
    assert _stamp_files(repository.top) == before
