"""The queries on agent memory read an index, however many memories a tree has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tree_strategies import open_session

from cortexfs.core.memory.memory_filter import MemoryFilter

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place

    from cortexfs.catalog.memory_queries import MemoryQueries

PROJECT = MemoryFilter(project="flywheel")
QUERIES: dict[str, tuple[Callable[[MemoryQueries], object], str]] = {
    "number": (lambda ask: ask.find_number("observation", 7), "memories_by_number"),
    "topic": (lambda ask: ask.find_topic("a/b", "flywheel", "project"), "memories_by_topic"),
    "topics": (lambda ask: ask.list_topics_below("a/"), "memories_by_topic"),
    "content": (lambda ask: ask.list_same_content(b"1", "flywheel", 5), "memories_by_digest"),
    "session": (lambda ask: ask.list_session("s-1"), "memories_by_session"),
    "counts of sessions": (lambda ask: ask.count_by_session(["s-1"]), "memories_by_session"),
    "recent": (lambda ask: ask.list_recent("observation"), "memories_by_time"),
    "recent of a project": (
        lambda ask: ask.list_recent("observation", PROJECT),
        "memories_by_project",
    ),
    "counts": (
        lambda ask: ask.count_by_kind_and_project(),
        "COVERING INDEX memories_by_project",
    ),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_query_reads_only_its_index(tree: Place, name: str) -> None:
    ask, index = QUERIES[name]
    statements: list[str] = []
    with open_session(tree.root) as session, session.read() as view:
        db = view.catalog.db
        db.set_trace_callback(statements.append)
        ask(view.memories)
        db.set_trace_callback(None)
        plan = db.execute(f"EXPLAIN QUERY PLAN {statements[-1]}").fetchall()
    assert index in plan[0][3], plan
    assert not any(row[3] == "SCAN memories" for row in plan)
