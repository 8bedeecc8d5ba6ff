"""Reports of looking around in the whole tree, one file a day."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.governance.scan_report import day_of, path_of, report, scope_of
from cortexfs.operations.shared.governance_file import govern

if TYPE_CHECKING:
    from cortexfs.cortex import Cortex
    from cortexfs.operations.shared.governance_file import Governed


class Scan(NamedTuple):
    """The report of a day, and what it says that it looked at."""

    day: str
    path: str
    scope: str


def new_scan(
    cortex: Cortex, scope: str, body: str, *, dry_run: bool = False, commit: bool = True
) -> Governed:
    """Write a report down; what was found later on the same day goes below the first."""
    now = cortex.clock()
    day = now.date().isoformat()

    def reported(text: str) -> tuple[str, str]:
        after = report(text or None, day, now.strftime("%H:%M UTC"), scope, body)
        return after, f"scan {day}"

    return govern(cortex, path_of(day), reported, dry_run=dry_run, commit=commit)


def list_scans(cortex: Cortex) -> list[Scan]:
    """Give every report, the latest first."""
    days = sorted(filter(None, map(day_of, cortex.tree.names("scans"))), reverse=True)
    return [Scan(day, path_of(day), _scope(cortex, path_of(day))) for day in days]


def _scope(cortex: Cortex, path: str) -> str:
    read = cortex.tree.read(path)
    return "" if isinstance(read, Flaw) else scope_of(read.text)
