"""Several atoms are changed in one commit; a refused one does not stop the others."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import Usage
from cortexfs.operations.change_several import SeveralRequest, change_several
from cortexfs.operations.undo import undo
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

NOW = datetime(2026, 5, 6, 20, 31, tzinfo=UTC)
TWO = ("driftwood/EXP-006", "driftwood/EXP-007")


@pytest.fixture
def session(sample: Place) -> Session:
    return Session.open(str(sample.root), lambda: NOW)


def read_status(place: Place, ref: str) -> str:
    project, ident = ref.split("/")
    text = place.read(f"projects/{project}/experiments/{ident}.md")
    return next(line for line in text.splitlines() if line.startswith("status:"))


def test_one_commit_has_all_and_one_undo_takes_it_back(session: Session, sample: Place) -> None:
    before = sample.git("rev-parse", "HEAD^{tree}")
    result = change_several(session, SeveralRequest(TWO, "stale", reason="too old"))
    assert [each.ref for each in result.changed] == list(TWO)
    assert read_status(sample, TWO[1]) == "status: stale"
    assert sample.git("log", "--format=%s", "-1").strip() == "mark selected atoms stale: too old"
    assert sample.git("rev-list", "--count", "HEAD").strip() == "2"
    assert result.commit == sample.git("rev-parse", "HEAD").strip()
    undo(session, result.commit)
    assert sample.git("rev-parse", "HEAD^{tree}") == before


def test_a_refused_one_does_not_stop_the_others(session: Session, sample: Place) -> None:
    result = change_several(session, SeveralRequest(("driftwood/EXP-999", TWO[0]), "archive"))
    assert [ref for ref, _ in result.refused] == ["driftwood/EXP-999"]
    assert read_status(sample, TWO[0]) == "status: deprecated"


def test_what_was_archived_is_restored(session: Session, sample: Place) -> None:
    change_several(session, SeveralRequest(TWO, "archive"))
    result = change_several(session, SeveralRequest(TWO, "restore"))
    assert not result.refused
    assert read_status(sample, TWO[0]) == "status: active"
    again = change_several(session, SeveralRequest(TWO, "restore"))
    assert len(again.refused) == 2
    assert again.commit == ""


def test_a_memory_is_set_aside_and_comes_back(tree: Place) -> None:
    path = "projects/flywheel/observations/OBS-001.md"
    tree.write(
        path,
        "---\nid: OBS-001\ndate: 2026-05-01\nproject: flywheel\nsummary: Oil it\ntags: []\n"
        "type: bugfix\n---\n\nThe bearing.\n",
    )
    session = Session.open(str(tree.root), lambda: NOW)
    change_several(session, SeveralRequest(("flywheel/OBS-001",), "archive"))
    assert "deleted-at:" in tree.read(path)
    change_several(session, SeveralRequest(("flywheel/OBS-001",), "restore"))
    assert "deleted-at:" not in tree.read(path)
    assert "stale" not in tree.read(path)


def test_a_tombstone_gets_its_text_back(session: Session, sample: Place) -> None:
    before = sample.read("projects/driftwood/experiments/EXP-016.md")
    ref = ("driftwood/EXP-016",)
    change_several(session, SeveralRequest(ref, "invalidated", reason="wrong"))
    change_several(session, SeveralRequest(ref, "restore"))
    assert before.partition("---\n\n")[2] in sample.read(
        "projects/driftwood/experiments/EXP-016.md"
    )


def test_a_decision_follows_its_own_rules(session: Session, sample: Place) -> None:
    result = change_several(session, SeveralRequest(("DR-0003",), "accepted"))
    assert not result.refused
    assert "status: accepted" in sample.read("decisions/DR-0003-corrections-open-tasks.md")
    result = change_several(session, SeveralRequest(("DR-0001",), "superseded", cause="DR-0003"))
    assert not result.refused, result.refused
    path = "decisions/DR-0001-one-tree-for-all-projects.md"
    assert "superseded:DR-0003" in sample.read(path)


def test_a_dry_run_plans_all_and_writes_nothing(session: Session, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    request = SeveralRequest((*TWO, "driftwood/EXP-999"), "stale")
    result = change_several(session, request, mode=ExecutionMode.DRY_RUN)
    assert [each.ref for each in result.changed] == list(TWO)
    assert len(result.refused) == 1
    assert sample.git("rev-parse", "HEAD") == head
    assert not sample.git("status", "--short")


def test_no_atom_and_too_many_are_refused(session: Session) -> None:
    for refs in ((), ("DR-0001",) * 501):
        with pytest.raises(Usage):
            change_several(session, SeveralRequest(refs, "archive"))
