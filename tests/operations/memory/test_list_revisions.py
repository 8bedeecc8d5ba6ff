"""The texts that a memory had."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import NoSuchAtom
from cortexfs.operations.memory.list_revisions import list_revisions
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

PATH = "projects/flywheel/observations/OBS-001.md"


@pytest.fixture
def session(tree: Place) -> Session:
    session = Session.open(str(tree.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    save_memory(session, MemoryDraft("The speed", "It was one.", project="flywheel"))
    for old, new in (("one", "two"), ("two", "three")):
        tree.write(PATH, tree.read(PATH).replace(f"was {old}", f"was {new}"))
        tree.ok("commit", PATH)
    return session


def test_all_texts_are_read_from_git_at_once(
    tree: Place, session: Session, git_calls: Path
) -> None:
    tree.git("rm", "-q", PATH)
    tree.git("commit", "-qm", "lost")
    tree.git("revert", "--no-edit", "HEAD")
    git_calls.write_text("")
    found = list_revisions(session, "1")
    numbers = [each.text.partition("It was ")[2].partition(".")[0] for each in found]
    assert numbers == ["three", "three", "two", "one"]
    assert git_calls.read_text().count("--follow") == 1
    assert len(list_revisions(session, "OBS-001", 2)) == 1  # the newest, and the removal
    with pytest.raises(NoSuchAtom):
        list_revisions(session, "2")
