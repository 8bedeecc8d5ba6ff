"""How a session finds out what has changed: nothing is missed, and nothing asked for in vain."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest
from tree_strategies import NOW, open_session

from cortexfs.catalog.schema import COLUMN_COUNTS
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, PlanOnlyResult, Write
from cortexfs.session.session import Session
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from cortexfs.session.view import View

FOLDER = "projects/p/experiments"


def atom(number: int, summary: str = "One") -> str:
    return f"---\nid: EXP-{number:03d}\nsummary: {summary}\ntags: [a]\n---\n\nbody\n"


def write(root: Path, number: int, summary: str = "One") -> Path:
    path = root / FOLDER / f"EXP-{number:03d}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(atom(number, summary))
    return path


def summaries(session: Session, ingest: NeededContents = NeededContents.ATOMS) -> dict[str, str]:
    with session.read(ingest) as view:
        return {each.file_name: each.text_field("summary") for each in view.queries.list_atoms()}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "projects").mkdir()
    (tmp_path / "CORTEX.md").write_text("# Tree\n")
    write(tmp_path, 1)
    return tmp_path


@pytest.fixture
def session(root: Path) -> Iterator[Session]:
    with open_session(root) as session:
        yield session


@pytest.mark.parametrize("ingest", [NeededContents.ATOMS, NeededContents.TEXTS])
def test_a_read_sees_every_earlier_edit(
    root: Path, session: Session, ingest: NeededContents
) -> None:
    for turn in range(20):  # faster than a clock ticks, and of the same size
        path = write(root, 1, f"Run {turn:02d}")
        os.utime(path, ns=(1, 1))
        assert summaries(session, ingest) == {"EXP-001.md": f"Run {turn:02d}"}
    write(root, 2)
    assert len(summaries(session, ingest)) == 2
    path.unlink()
    assert summaries(session, ingest) == {"EXP-002.md": "One"}


def test_many_changes_at_once_are_all_seen(root: Path, session: Session) -> None:
    summaries(session)
    for number in range(1, 510):
        write(root, number, "Many")
    assert set(summaries(session).values()) == {"Many"}


def test_a_catalog_emptied_by_another_program_is_filled_again(root: Path, session: Session) -> None:
    os.utime(write(root, 1), ns=(1, 1))
    summaries(session)
    other = sqlite3.connect(session.catalog.path)
    for table in COLUMN_COUNTS:
        other.execute(f"DELETE FROM {table}")  # noqa: S608 - our own names
    other.commit()
    other.close()
    assert summaries(session) == {"EXP-001.md": "One"}


@pytest.fixture
def aged(root: Path) -> Iterator[Session]:
    """Open the tree as an interface does that serves requests for days."""
    session = Session.open(str(root), lambda: NOW, max_age_s=3600.0)
    yield session
    session.close()


def test_with_a_maximum_age_a_read_uses_an_earlier_comparison(
    root: Path, aged: Session, session: Session
) -> None:
    assert summaries(aged) == {"EXP-001.md": "One"}
    write(root, 1, "Two")
    assert summaries(aged) == {"EXP-001.md": "One"}
    assert summaries(session) == {"EXP-001.md": "Two"}


def test_with_an_age_an_older_comparison_is_made_again(root: Path) -> None:
    session = Session.open(str(root), lambda: NOW, max_age_s=1e-9)
    assert summaries(session) == {"EXP-001.md": "One"}
    write(root, 1, "Two")
    assert summaries(session) == {"EXP-001.md": "Two"}
    session.close()


def test_a_planner_compares_anew_and_its_writes_are_read_at_once(root: Path, aged: Session) -> None:
    summaries(aged)
    write(root, 1, "Two")
    path = f"{FOLDER}/EXP-002.md"

    def decide(view: View) -> PlanOnlyResult:
        assert [each.text_field("summary") for each in view.queries.list_atoms()] == ["Two"]
        return PlanOnlyResult(Plan("more", (Write(path, atom(2, "Three"), None),)))

    aged.execute(decide, ExecutionMode.WRITE)
    assert summaries(aged) == {"EXP-001.md": "Two", "EXP-002.md": "Three"}


def test_with_an_age_the_reads_that_were_just_logged_are_counted(root: Path, aged: Session) -> None:
    summaries(aged)
    payload = {
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": str(root / FOLDER / "EXP-001.md")},
        "session_id": "one",
    }
    aged.tree.spool.add_note("1775000000000000000.7", json.dumps(payload).encode())
    with aged.read(drain=True) as view:
        assert view.queries.count_reads("p")["EXP-001.md"].read_count == 1


def test_more_paths_are_refreshed_than_sqlite_takes_parameters(
    root: Path, session: Session
) -> None:
    summaries(session)
    session.catalog.db.setlimit(sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER, 25)
    for number in range(1, 30):
        write(root, number, "Many")
    assert len(session.refresh([f"{FOLDER}/EXP-{number:03d}.md" for number in range(1, 30)])) == 29
