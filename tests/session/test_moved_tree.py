"""A tree that is moved while a server runs gets no write in its place."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import TreeMoved
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.search_memories import search_memories
from cortexfs.operations.shared.memory_types import MemoryDraft
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from place import Place

DRAFT = MemoryDraft("JWT auth", "Signed with RS256", "decision", "flywheel")


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    opened = Session.open(str(tree.root), lambda: datetime.now(UTC))
    save_memory(opened, DRAFT)
    yield opened
    opened.close()


def _put_nothing(root: Path) -> None:
    assert not root.exists()


def _put_link(root: Path) -> None:
    other = root.with_name("other")
    shutil.copytree(root.with_name("moved"), other)
    root.symlink_to(other)


def _put_folder(root: Path) -> None:
    root.mkdir()


@pytest.mark.parametrize("put", [_put_nothing, _put_link, _put_folder])
@pytest.mark.parametrize("mode", [ExecutionMode.COMMIT, ExecutionMode.DEFER])
def test_nothing_is_written_or_read_where_the_tree_was(
    tree: Place, session: Session, put: Callable[[Path], None], mode: ExecutionMode
) -> None:
    tree.root.rename(moved := tree.root.with_name("moved"))
    put(tree.root)
    before = sorted(map(str, tree.root.parent.rglob("*")))
    with pytest.raises(TreeMoved, match="was moved or replaced"):
        save_memory(session, DRAFT._replace(title="Two"), mode=mode)
    with pytest.raises(TreeMoved):
        search_memories(session, "auth")
    with pytest.raises(TreeMoved):
        session.drain_spool()
    assert sorted(map(str, tree.root.parent.rglob("*"))) == before
    assert (moved / "CORTEX.md").exists()


def test_a_tree_that_comes_back_is_used_again(tree: Place, session: Session) -> None:
    tree.root.rename(moved := tree.root.with_name("moved"))
    with pytest.raises(TreeMoved):
        save_memory(session, DRAFT._replace(title="Two"))
    moved.rename(tree.root)
    assert save_memory(session, DRAFT._replace(title="Two")).record.number == 2
