"""The sample tree is kept as cortexfs would have it, and has something of all that there is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import (
    DECISION_STATUS_SECTIONS,
    IDEA_STATUS_SECTIONS,
    STATUS_SECTIONS,
    parse_atom_status,
)
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.tombstone import make_tombstone
from cortexfs.core.tasks.backlog import TaskState

if TYPE_CHECKING:
    from place import Place

TOMBSTONE = "projects/driftwood/experiments/EXP-005.md"
SORTS = ("unsupported-claims", "unread", "successor-chains", "cold")
CLUSTERS = ("tag-clusters", "link-clusters")
UNDERSTOOD = {"stale-evidence", "status-case"}


@pytest.fixture(autouse=True)
def _on_the_day_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEXFS_NOW", "2026-05-06T20:31:10+00:00")


def _said(sample: Place, *words: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(sample.run(*words, "--json").out)
    return said


def test_rendering_it_anew_changes_no_byte(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("log", "--format=%s").split() == ["start"]


def test_it_has_no_errors_and_no_advice_that_a_reader_would_not_understand(sample: Place) -> None:
    found = _said(sample, "check")
    assert found["errors"] == 0
    assert {each["code"] for each in found["findings"]} == UNDERSTOOD


def test_it_has_every_status_there_is(sample: Place) -> None:
    atoms = _said(sample, "list")["atoms"]
    shown = {each.get("status", "active").lower().partition(":")[0] for each in atoms}
    assert shown == {*STATUS_SECTIONS, *DECISION_STATUS_SECTIONS, *IDEA_STATUS_SECTIONS}


def test_its_tombstone_is_as_mark_writes_it(sample: Place) -> None:
    text = sample.read(TOMBSTONE)
    fields = atom_text.parse_frontmatter(text).fields
    status, date, reason = (
        str(fields[key]) for key in ("status", "invalidated-date", "invalidated-reason")
    )
    again = make_tombstone(text, Ref("driftwood/EXP-005"), parse_atom_status(status), date, reason)
    assert again == text


def test_its_tasks_stand_in_every_way_and_none_is_wrong(sample: Place) -> None:
    shown = [
        *_said(sample, "task", "list")["tasks"],
        *_said(sample, "task", "list", "--status", "done")["tasks"],
    ]
    assert {each["state"] for each in shown} == {*TaskState}
    assert any("not-before" in each for each in shown)
    assert any("approval-needed" in each for each in shown)
    assert _said(sample, "task", "lint")["errors"] == 0


def test_maintenance_finds_something_of_each_sort(sample: Place) -> None:
    found = _said(sample, "maintain")["maintenance"]
    for sort in (*SORTS, *CLUSTERS):
        assert any(project[sort] for project in found), sort


def test_its_projects_score_differently_in_the_fresh_session_test(sample: Place) -> None:
    scores = {
        each["project"]: each["score"]
        for each in _said(sample, "check", "--fresh")["fresh-session"]
    }
    assert scores == {"driftwood": 99, "greenhouse": 80, "lighthouse": 100}
