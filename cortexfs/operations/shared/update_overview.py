"""Keep OVERVIEW.md true: a row for each project, and when something last happened there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import OVERVIEW, project_of
from cortexfs.core.changes.plan import Write
from cortexfs.core.governance import overview
from cortexfs.core.governance.issues import read_issues
from cortexfs.core.governance.scan_report import day_of
from cortexfs.core.governance.status import phase_of, updated

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cortexfs.session.view import FileView, View


def with_activity(
    view: FileView, planned: Mapping[str, Write], touched: Collection[str]
) -> Write | None:
    """Say what follows from a plan, and files touched beside it; None where that is said already.

    Something happens today in each project that it touches; one that enters another phase is
    said to be in it; and a report of a scan is the last one.
    """
    read = view.tree.read(OVERVIEW)
    if isinstance(read, Flaw):
        return None
    today = view.clock().date().isoformat()
    projects = {project for path in (*planned, *touched) if (project := project_of(path))}
    projects &= {*view.tree.projects(), *map(project_of, planned)}  # others go with the plan
    text = overview.with_days(read.text, dict.fromkeys(sorted(projects), today))
    for path, write in planned.items():
        if path.endswith("/STATUS.md") and write.replacing is not None:
            phase = phase_of(write.text)
            if phase != phase_of(write.replacing):
                text = overview.with_phase(text, project_of(path), phase)
    days = (day_of(path.removeprefix("scans/")) for path in planned)
    return _write(read.text, overview.with_scan(text, max(days, default="")))


def brought_up(view: View) -> Write | None:
    """Make the whole file agree with the tree; None where it does."""
    read = view.tree.read(OVERVIEW)
    if isinstance(read, Flaw):
        return None
    days = _days(view)
    text = overview.without_gone(read.text, days)
    text = overview.with_scan(overview.with_days(text, days), _scanned(view))
    return _write(read.text, text)


def _write(before: str, text: str) -> Write | None:
    return None if text == before else Write(OVERVIEW, text, before, bookkeeping=True)


def _days(view: View) -> dict[str, str]:
    """Give the last day that the files of each project speak of, none that is still to come."""
    today = view.clock().date()
    of_atoms = view.facts.latest(today)
    return {
        project: max(
            of_atoms.get(project, ""),
            *(day for day in ("", *_said(view, project)) if day <= today.isoformat()),
        )
        for project in view.tree.projects()
    }


def _said(view: FileView, project: str) -> Iterator[str]:
    """Give the days that the governance files of a project bear."""
    status = view.tree.read(f"projects/{project}/STATUS.md")
    if not isinstance(status, Flaw):
        yield updated(status.text)
    issues = view.tree.read(f"projects/{project}/ISSUES.md")
    if not isinstance(issues, Flaw):
        yield from (issue.date for issue in read_issues(issues.text))


def _scanned(view: FileView) -> str:
    return max((day_of(name) for name in view.tree.names("scans")), default="")
