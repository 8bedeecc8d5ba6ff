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
from cortexfs.core.tasks.task_readiness import TaskState

if TYPE_CHECKING:
    from place import Place

TOMBSTONE = "projects/driftwood/experiments/EXP-005.md"
REPORT_SECTIONS = ("unsupported-claims", "unread", "successor-chains", "cold")
CLUSTERS = ("tag-clusters", "link-clusters")
EXPECTED_WARNINGS = {"stale-evidence", "status-case"}


@pytest.fixture(autouse=True)
def _on_the_day_of_the_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEXFS_NOW", "2026-05-06T20:31:10+00:00")


def _said(sample: Place, *words: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(sample.run(*words, "--json").out)
    return said


def test_rendering_the_sample_again_changes_no_byte(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("log", "--format=%s").split() == ["start"]


def test_the_sample_has_no_errors_and_only_expected_warnings(sample: Place) -> None:
    found = _said(sample, "check")
    assert found["errors"] == 0
    assert {each["code"] for each in found["findings"]} == EXPECTED_WARNINGS


def test_the_sample_has_every_status(sample: Place) -> None:
    atoms = _said(sample, "list")["atoms"]
    shown = {each.get("status", "active").lower().partition(":")[0] for each in atoms}
    assert shown == {*STATUS_SECTIONS, *DECISION_STATUS_SECTIONS, *IDEA_STATUS_SECTIONS}


def test_the_tombstone_of_the_sample_is_as_mark_writes_it(sample: Place) -> None:
    text = sample.read(TOMBSTONE)
    fields = atom_text.parse_frontmatter(text).fields
    status, date, reason = (
        str(fields[key]) for key in ("status", "invalidated-date", "invalidated-reason")
    )
    again = make_tombstone(text, Ref("driftwood/EXP-005"), parse_atom_status(status), date, reason)
    assert again == text


def test_the_tasks_of_the_sample_have_every_status_and_no_errors(sample: Place) -> None:
    shown = [
        *_said(sample, "task", "list")["tasks"],
        *_said(sample, "task", "list", "--status", "done")["tasks"],
    ]
    assert {each["state"] for each in shown} == {*TaskState}
    assert any("not-before" in each for each in shown)
    assert any("approval-needed" in each for each in shown)
    assert _said(sample, "task", "lint")["errors"] == 0


def test_maintain_finds_something_for_each_section(sample: Place) -> None:
    found = _said(sample, "maintain")["maintenance"]
    for sort in (*REPORT_SECTIONS, *CLUSTERS):
        assert any(project[sort] for project in found), sort


def test_the_projects_of_the_sample_score_differently(sample: Place) -> None:
    scores = {
        each["project"]: each["score"]
        for each in _said(sample, "check", "--fresh")["fresh-session"]
    }
    assert scores == {"driftwood": 99, "greenhouse": 80, "lighthouse": 100}
