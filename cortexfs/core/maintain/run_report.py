"""The report of one maintenance run, which is kept in `scans/`, and the message of its commit."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.maintain.equal_memories import MemoryMerge, WeighedMemory
    from cortexfs.core.maintain.maintenance_report import ProposedStatus
    from cortexfs.core.settings.maintenance_settings import PruneRule

REPORT_SCOPE = "maintenance"
"""The scope of the report, which the list of scans shows."""


def format_run_message(marks: Sequence[ProposedStatus], merges: Sequence[MemoryMerge]) -> str:
    """Return the message of the commit: the number of changes of each sort."""
    counts = Counter(
        "archived" if mark.is_archival else mark.status.partition(":")[0] for mark in marks
    )
    parts = []
    if counts:
        parts.append("mark " + ", ".join(f"{n} {word}" for word, n in sorted(counts.items())))
    if merges:
        merged = sum(len(merge.merged) for merge in merges)
        parts.append(f"merge {format_count(merged, 'memory')}")
    return f"maintain: {', '.join(parts) or 'nothing'}"


def render_run_report(
    marks: Sequence[ProposedStatus],
    merges: Sequence[MemoryMerge],
    rule: PruneRule,
    version: str,
) -> str:
    """Return what a run changed, each change with its reason, and how to undo it."""
    lines = [
        f"`cortexfs maintain --apply`, version {version}. `cortexfs undo` takes the run back;",
        "later `cortexfs undo COMMIT`, with the id of its commit.",
    ]
    statuses = [mark for mark in marks if not mark.is_archival]
    archived = [mark for mark in marks if mark.is_archival]
    if statuses:
        lines += ["", "Marked:", "", *(_format_mark(mark) for mark in statuses)]
    if archived:
        lines += ["", f"Archived, below {rule.below:g} and older than {rule.min_age_days} days,"]
        lines += [f"at {rule.decay_per_day:g} a day:", "", *map(_format_archived, archived)]
    if merges:
        lines += ["", "Merged, equal in title and content after normalising:", ""]
        lines += (line for merge in merges for line in _format_merge(merge))
    return "\n".join(lines) + "\n"


def _format_mark(mark: ProposedStatus) -> str:
    return f"- {mark.ref}: {to_one_line(mark.status)}; {to_one_line(mark.why)}"


def _format_archived(mark: ProposedStatus) -> str:
    return f"- {mark.ref}: {to_one_line(mark.why)}"


def _format_merge(merge: MemoryMerge) -> Iterator[str]:
    for merged in merge.merged:
        yield f"- {_format_memory(merged)} into {_format_memory(merge.kept)}"


def _format_memory(memory: WeighedMemory) -> str:
    return f"{memory.record.ref} ({memory.importance:.2f})"
