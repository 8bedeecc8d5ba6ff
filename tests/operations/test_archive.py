"""`project archive` is recorded in OVERVIEW.md, and no file is moved."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place


def test_an_archived_project_is_marked_and_its_files_stay(sample: Place) -> None:
    files = sample.git("ls-files", "projects/greenhouse")
    sample.ok("project", "archive", "greenhouse", "--reason", "The season is over")
    assert sample.git("ls-files", "projects/greenhouse") == files
    row = next(r for r in sample.read("OVERVIEW.md").splitlines() if r.startswith("| greenhouse"))
    assert row.startswith("| greenhouse | **Archived.** The season is over | low |")
    listed = json.loads(sample.ok("project", "list", "--json"))["projects"]
    assert [p["name"] for p in listed if p.get("archived")] == ["greenhouse"]
    assert sample.ok("show", "greenhouse/K-002", "--no-track")


def test_setting_a_phase_reactivates_an_archived_project(sample: Place) -> None:
    sample.ok("project", "archive", "greenhouse")
    assert "**Archived.** Phase 2: the season. Runs by itself" in sample.read("OVERVIEW.md")
    sample.ok("status", "set", "-p", "greenhouse", "--phase", "Phase 3: winter")
    assert "| greenhouse | **Phase 3: winter.** | low |" in sample.read("OVERVIEW.md")
    assert "archived" not in sample.ok("project", "list")


def test_a_missing_project_is_refused(sample: Place) -> None:
    assert sample.run("project", "archive", "greenhause").code == 3


def test_an_overview_without_the_projects_table_is_refused(sample: Place) -> None:
    sample.write("OVERVIEW.md", "# My own way\n")
    ran = sample.run("project", "archive", "greenhouse")
    assert (ran.code, "has no table" in ran.err) == (3, True)
    assert sample.read("OVERVIEW.md") == "# My own way\n"
