"""Update OVERVIEW.md: a row for each project, with the date of its last activity."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import OVERVIEW_MD, project_from_path
from cortexfs.core.changes.plan import Write
from cortexfs.core.governance import edit_overview
from cortexfs.core.governance.issues import parse_issues
from cortexfs.core.governance.project_status import extract_phase, parse_updated_day
from cortexfs.core.governance.scan_report import parse_report_day

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from cortexfs.session.view import TreeFilesAndGit, View


def plan_activity_update(
    view: TreeFilesAndGit, planned: Mapping[str, Write], touched: Collection[str]
) -> Write | None:
    """Return the update that follows from a plan and other touched files; None if unchanged.

    Each project that the plan touches is active today; a new phase and a new scan report are
    entered too.
    """
    source = view.tree.read_text_or_flaw(OVERVIEW_MD)
    if isinstance(source, Flaw):
        return None
    today = view.clock().date().isoformat()
    projects = {project for path in (*planned, *touched) if (project := project_from_path(path))}
    projects &= {*view.tree.list_projects(), *map(project_from_path, planned)}  # not removed ones
    text = edit_overview.update_activity_days(source.text, dict.fromkeys(sorted(projects), today))
    for path, write in planned.items():
        if path.endswith("/STATUS.md") and write.expected_text is not None:
            phase = extract_phase(write.text)
            if phase != extract_phase(write.expected_text):
                text = edit_overview.set_phase(text, project_from_path(path), phase)
    days = (parse_report_day(path.removeprefix("scans/")) for path in planned)
    return _make_write(source.text, edit_overview.set_last_scan_day(text, max(days, default="")))


def plan_overview_update(view: View) -> Write | None:
    """Return the whole file in agreement with the tree; None if it is up to date."""
    source = view.tree.read_text_or_flaw(OVERVIEW_MD)
    if isinstance(source, Flaw):
        return None
    days = _find_activity_days(view)
    text = edit_overview.remove_missing_projects(source.text, days)
    text = edit_overview.set_last_scan_day(
        edit_overview.update_activity_days(text, days), _find_last_scan_day(view)
    )
    return _make_write(source.text, text)


def _make_write(before: str, text: str) -> Write | None:
    return None if text == before else Write(OVERVIEW_MD, text, before, is_derived=True)


def _find_activity_days(view: View) -> dict[str, str]:
    """Return the last day that the files of each project mention, without future days."""
    today = view.clock().date()
    of_atoms = view.queries.find_latest_days(today)
    return {
        project: max(
            of_atoms.get(project, ""),
            *(
                day
                for day in ("", *_iter_governance_days(view, project))
                if day <= today.isoformat()
            ),
        )
        for project in view.tree.list_projects()
    }


def _iter_governance_days(view: TreeFilesAndGit, project: str) -> Iterator[str]:
    """Yield the days in the governance files of a project."""
    status = view.tree.read_text_or_flaw(f"projects/{project}/STATUS.md")
    if not isinstance(status, Flaw):
        yield parse_updated_day(status.text)
    issues = view.tree.read_text_or_flaw(f"projects/{project}/ISSUES.md")
    if not isinstance(issues, Flaw):
        yield from (issue.date for issue in parse_issues(issues.text))


def _find_last_scan_day(view: TreeFilesAndGit) -> str:
    return max((parse_report_day(name) for name in view.tree.list_names("scans")), default="")
