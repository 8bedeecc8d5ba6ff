"""`check` examines what has changed, and its findings are those of a new catalog."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tree_strategies import (
    apply_change,
    changes,
    open_session,
    trees,
    write_file,
    write_tree,
)

from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.operations.check import check
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tree_strategies import Change, Files

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

NUMBER = "---\nid: EXP-001\nsummary: s\n---\n\n## Results\n\nIt takes {} ms.\n"
PATH = "projects/flywheel/experiments/EXP-001.md"


def find_anew(root: Path) -> list[Finding]:
    """Return the findings of a catalog that knows nothing."""
    shutil.rmtree(root / ".cortexfs", ignore_errors=True)
    with open_session(root) as session:
        return list(check(session, None).findings)


@given(trees(), st.lists(changes(), max_size=4))
def test_findings_after_changes_are_those_of_a_new_catalog(
    files: Files, steps: Sequence[Change]
) -> None:
    with write_tree(files) as root:
        with open_session(root) as session:
            check(session, None)
            for step in steps:
                apply_change(root, step)
                found = list(check(session, None).findings)
        if steps:
            assert found == find_anew(root)


def list_unexamined(session: Session) -> list[str]:
    return [path for (path,) in session.catalog.db.execute("SELECT path FROM unexamined")]


def list_numbers(session: Session) -> list[str]:
    return [f.path for f in check(session, None).findings if f.code == "no-provenance"]


def test_only_changed_atoms_are_examined_after_the_first_check() -> None:
    files = {"CORTEX.md": b"# Tree\n", PATH: NUMBER.format(3.2).encode()}
    with write_tree(files) as root, open_session(root) as session:
        session.refresh()
        assert list_unexamined(session) == [], "before the first check all atoms are unexamined"
        assert list_numbers(session) == [PATH]
        write_file(root, PATH, b"---\nid: EXP-001\nsummary: other\n---\n")
        session.refresh()
        assert list_unexamined(session) == [PATH]
        assert list_numbers(session) == []
        (root / PATH).unlink()
        session.refresh()
        assert list_unexamined(session) == [PATH]
        assert list_numbers(session) == list_unexamined(session) == []
        assert (
            session.catalog.db.execute("SELECT * FROM examined WHERE NOT is_page").fetchone()
            is None
        )


def test_a_file_that_is_saved_again_before_it_is_read_stays_to_be_examined() -> None:
    files = {"CORTEX.md": b"# Tree\n", PATH: b"---\nid: EXP-001\nsummary: s\n---\n"}
    with write_tree(files) as root, open_session(root) as session:
        check(session, None)
        write_file(root, PATH, NUMBER.format(3.2).encode())
        session.refresh()
        write_file(root, PATH, NUMBER.format(44).encode())
        session.reader.updates.ingest(NeededContents.FINDINGS)
        assert list_unexamined(session) == [PATH]
        write_file(root, PATH, NUMBER.format(3.2).encode())
        os.utime(root / PATH, ns=(1, 1))
        assert list_numbers(session) == [PATH]
        assert list_unexamined(session) == []


QUERIES: dict[str, Callable[[View], object]] = {
    "most read": lambda view: list(view.entries.iter_entries(limit=5)),
    "newest": lambda view: list(view.entries.iter_entries(AtomCriteria(), SortKey.DATE, limit=5)),
    "tags": lambda view: list(view.entries.iter_tags()),
    "reads since": lambda view: view.entries.count_reads_since("2026-01-01"),
    "findings": lambda view: list(view.finding_cache.iter_findings()),
    "flaws": lambda view: view.stored_atoms.count_flaws([""]),
    "kinds": lambda view: list(view.stored_atoms.iter_kinds({"decision"})),
}


@pytest.mark.parametrize("name", QUERIES)
def test_a_list_of_many_atoms_is_read_from_an_index(name: str) -> None:
    statements: list[str] = []
    files = {"CORTEX.md": b"# Tree\n", PATH: NUMBER.format(3.2).encode()}
    with (
        write_tree(files) as root,
        open_session(root) as session,
        session.read(NeededContents.FINDINGS) as view,
    ):
        db = view.catalog.db
        db.set_trace_callback(statements.append)
        QUERIES[name](view)
        db.set_trace_callback(None)
        (first, *_) = [each for each in statements if each.startswith(("SELECT", "\n"))]
        plan = [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {first}")]
    sorted_apart = [each for each in plan if "TEMP B-TREE FOR ORDER" in each or "GROUP" in each]
    assert "INDEX" in plan[0] or name == "reads since", plan
    assert name == "kinds" or not sorted_apart, plan
    assert not any(each in {"SCAN rows", "SCAN atoms", "SCAN examined"} for each in plan), plan
