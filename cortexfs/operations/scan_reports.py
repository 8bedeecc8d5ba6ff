"""Scan reports of the whole tree, one file a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.governance.scan_report import (
    extract_scope,
    parse_report_day,
    render_scan_report,
    scan_report_path,
)
from cortexfs.operations.shared.governance_file import change_governance_file

if TYPE_CHECKING:
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit


class ScanReport(NamedTuple):
    """The report of a day, and its stated scope."""

    day: str
    path: str
    scope: str


def new_scan(
    session: Session, scope: str, body: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> GovernanceChangeResult:
    """Write a report; a later report of the same day is appended to the first."""
    now = session.clock()
    day = now.date().isoformat()

    def reported(text: str) -> tuple[str, str]:
        after = render_scan_report(text or None, day, now.strftime("%H:%M UTC"), scope, body)
        return after, f"scan {day}"

    return change_governance_file(session, scan_report_path(day), reported, mode=mode)


def list_scans(view: TreeFilesAndGit) -> list[ScanReport]:
    """Return every report, the latest first."""
    days = sorted(filter(None, map(parse_report_day, view.tree.list_names("scans"))), reverse=True)
    return [
        ScanReport(day, scan_report_path(day), _read_scope(view, scan_report_path(day)))
        for day in days
    ]


def _read_scope(view: TreeFilesAndGit, path: str) -> str:
    read = view.tree.read_text_or_flaw(path)
    return "" if isinstance(read, Flaw) else extract_scope(read.text)
