"""Move the past months of an access log into one file each; their reads still count."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import ACCESS_LOG, access_log_path
from cortexfs.core.changes.plan import Write
from cortexfs.core.indexes.atom_with_reads import normalize_time

if TYPE_CHECKING:
    from collections.abc import Mapping

_TIMESTAMP = re.compile(r'"ts":\s*"([^"]*)"')
_MONTH = re.compile(r"[0-9]{4}-[0-9]{2}")


def plan_log_rotation(
    project: str, log: str, months: Mapping[str, str], current: str
) -> list[Write]:
    """Return the writes that split a log by month.

    Lines of the `current` month (`YYYY-MM`) and lines without a month stay in the log. `months`
    has the texts of the existing month files. Month files are written first: after a crash,
    lines may be in both files, and count once.
    """
    moved: dict[str, list[str]] = defaultdict(list)
    kept = []
    for line in _split_log(log):
        month = _find_month(line)
        if month and month < current:
            moved[month].append(line if line.endswith("\n") else f"{line}\n")
        else:
            kept.append(line)
    writes = [
        _plan_month_file(project, month, lines, months) for month, lines in sorted(moved.items())
    ]
    path = access_log_path(project)
    return [*writes, Write(path, "".join(kept), log)] if writes else []


def monthly_log_path(project: str, month: str) -> str:
    """Return the path of a month's log file."""
    return f"{access_log_path(project).removesuffix(ACCESS_LOG)}access-log.{month}.jsonl"


def _find_month(line: str) -> str:
    """Return the month of a line (`YYYY-MM`, UTC), or an empty string if it has none."""
    ts = _TIMESTAMP.search(line)
    month = _MONTH.match(normalize_time(ts[1]) or ts[1]) if ts else None
    return month[0] if month else ""


def _plan_month_file(
    project: str, month: str, lines: list[str], months: Mapping[str, str]
) -> Write:
    """Return the write that adds lines to a month's file, without those that it already has."""
    present = months.get(month)
    moved_before = Counter(_split_log(present or ""))
    added = []
    for line in lines:
        if moved_before[line]:
            moved_before[line] -= 1  # moved by a run that was killed
        else:
            added.append(line)
    return Write(monthly_log_path(project, month), (present or "") + "".join(added), present)


def _split_log(text: str) -> list[str]:
    """Split a log at LF only, not at the other line separators of Unicode."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)
