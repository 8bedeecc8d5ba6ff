"""Combine both sides of a merge conflict in an access log."""

from __future__ import annotations

from cortexfs.core.access.access_log import parse_access_log
from cortexfs.core.atoms.conflict_markers import is_conflict_marker
from cortexfs.core.indexes.atom_with_reads import normalize_time


def unite_log(log: str) -> str:
    """Return a log without conflict markers: each distinct event once, in time order."""
    lines = dict.fromkeys(
        row.rstrip("\r") for row in log.split("\n") if not is_conflict_marker(row)
    )
    events = [
        (normalize_time(entries[0].ts), row)
        for row in lines
        if (entries := parse_access_log(row)[0])
    ]
    return "".join(f"{row}\n" for _, row in sorted(events, key=lambda event: event[0]))
