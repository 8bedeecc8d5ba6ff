"""A search takes any text, finds beginnings of words and topics, and never a deleted memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from place import build_tree
from soak_cases import leave_rows_to_soak
from tree_strategies import open_session

from cortexfs.core.memory.memory_filter import MemoryFilter
from cortexfs.operations.memory.archive_memory import archive_memory
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.search_memories import search_memories
from cortexfs.operations.shared.memory_types import MemoryDraft

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

    from cortexfs.session.session import Session

DRAFTS = (
    MemoryDraft("Nil panic", "the bugfix for the auth token check", "bugfix", "flywheel"),
    MemoryDraft("JWT", "RS256 tokens, signed by the gateway", "decision", topic_key="auth/jwt"),
    MemoryDraft("日本語の設定", "データベースの接続は環境変数で設定する", "config", "orchard"),
    MemoryDraft("Mine", "my token lives in the keychain", "manual", "flywheel", "personal"),
)  # fmt: skip


def build_filled(place: Place) -> None:
    """Save a memory for each draft."""
    build_tree(place)
    with open_session(place.root) as session:
        for draft in DRAFTS:
            save_memory(session, draft._replace(project=draft.project or "flywheel"))


@pytest.fixture
def tree(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", build_filled)


@pytest.fixture
def filled(session: Session) -> Session:
    """Open the tree with the memories."""
    return session


def find(session: Session, query: str, only: MemoryFilter | None = None) -> list[int]:
    found = search_memories(session, query, only or MemoryFilter())
    return [hit.record.number for hit in found.hits]


@pytest.mark.parametrize(
    ("query", "numbers"),
    leave_rows_to_soak(
        [
            ("gateway", {2}),
            ("kind:knowledge gateway", {2}),  # an agent's query has no filters
            ("bug", {1}),  # the beginning of "bugfix"
            ("auth* +token^ -check~", {1}),
            ('"signed by"', {2}),
            ("データベース", {3}),
            ("AND (NEAR", set()),
            ("token\x00gateway", {2}),
            ("x" * 5000, set()),
        ],
        every=3,
    ),
)
def test_any_text_is_a_query_of_words(filled: Session, query: str, numbers: set[int]) -> None:
    assert set(find(filled, query)) >= numbers
    assert bool(find(filled, query)) is bool(numbers)


def test_a_topic_key_finds_its_memory_first_whatever_its_words_are(filled: Session) -> None:
    assert find(filled, "auth/jwt")[0] == 2
    assert find(filled, " AUTH/JWT ")[0] == 2


@pytest.mark.parametrize(
    ("only", "numbers"),
    [
        (MemoryFilter(project="Flywheel"), {1, 2, 4}),
        (MemoryFilter(scope="personal"), {4}),
        (MemoryFilter(type="decision"), {2}),
        (MemoryFilter(type="nonsense"), set()),
        (MemoryFilter(project="nowhere"), set()),
    ],
)
def test_a_filter_leaves_out_the_others(
    filled: Session, only: MemoryFilter, numbers: set[int]
) -> None:
    assert set(find(filled, "token", only)) == numbers


def test_an_archived_memory_is_not_found(filled: Session) -> None:
    archive_memory(filled, "1")
    assert 1 not in find(filled, "token")


def test_a_memory_whose_file_has_vanished_does_not_stop_the_search(
    tree: Place, filled: Session
) -> None:
    filled.serve_reads(60.0)
    assert set(find(filled, "token")) == {1, 2, 4}
    (tree.root / "projects/flywheel/observations/OBS-001.md").unlink()
    assert set(find(filled, "token")) == {2, 4}


def test_the_limit_counts_matches_of_the_topic_too(filled: Session) -> None:
    found = search_memories(filled, "auth/jwt", limit=1)
    assert [hit.record.number for hit in found.hits] == [2]
