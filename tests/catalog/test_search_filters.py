"""Filters as SQL: what they read depends on what they find, not on the size of the tree."""

from __future__ import annotations

from tree_strategies import open_session, write_tree

from cortexfs.catalog.search_filters import filter_to_sql
from cortexfs.core.find.atom_filter import AtomFilter


def _count_steps(atoms: int, entity: str) -> tuple[int, int]:
    """Return the number of matches, and the steps of SQLite until they are found."""
    head = "---\nid: K-{0:04d}\ndate: 2026-05-06\nproject: p\nsummary: x\ntags: [a]\n---\n"
    body = "See `src/unit_{0}.rs` and `src/common.rs`.\n"
    files = {
        f"projects/p/knowledge/K-{n:04d}.md": (head + body).format(n).encode() for n in range(atoms)
    }
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with write_tree({"CORTEX.md": b"# Tree\n", **files}) as root, open_session(root) as session:
        session.refresh()
        session.ingest_texts()
        where, values = filter_to_sql(AtomFilter(entities=(entity,)))
        db = session.catalog.db
        db.set_progress_handler(count, 1)
        sql = f"SELECT count(*) FROM texts WHERE 1{where}"  # noqa: S608 - our own SQL
        (found,) = db.execute(sql, values).fetchone()
        db.set_progress_handler(None, 0)
    return found, steps


def test_an_entity_with_exactly_that_name_reads_no_other_mention() -> None:
    few, many = _count_steps(20, "src/unit_7.rs"), _count_steps(200, "src/unit_7.rs")
    assert (few[0], many[0]) == (1, 1)
    assert many[1] - few[1] < 180 * 5  # at most the atoms themselves are looked at
    assert _count_steps(20, "unit_7.rs")[0] == 1
    assert _count_steps(20, "UNIT_1")[0] == 11
