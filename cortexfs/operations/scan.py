"""Reports of looking around in the whole tree, one file a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.changes.plan import Mode
from cortexfs.core.governance.scan_report import day_of, path_of, report, scope_of
from cortexfs.operations.shared.governance_file import govern

if TYPE_CHECKING:
    from cortexfs.operations.shared.governance_file import Governed
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView


class Scan(NamedTuple):
    """The report of a day, and what it says that it looked at."""

    day: str
    path: str
    scope: str


def new_scan(session: Session, scope: str, body: str, *, mode: Mode = Mode.COMMIT) -> Governed:
    """Write a report down; what was found later on the same day goes below the first."""
    now = session.clock()
    day = now.date().isoformat()

    def reported(text: str) -> tuple[str, str]:
        after = report(text or None, day, now.strftime("%H:%M UTC"), scope, body)
        return after, f"scan {day}"

    return govern(session, path_of(day), reported, mode=mode)


def list_scans(view: FileView) -> list[Scan]:
    """Give every report, the latest first."""
    days = sorted(filter(None, map(day_of, view.tree.names("scans"))), reverse=True)
    return [Scan(day, path_of(day), _scope(view, path_of(day))) for day in days]


def _scope(view: FileView, path: str) -> str:
    read = view.tree.read(path)
    return "" if isinstance(read, Flaw) else scope_of(read.text)
