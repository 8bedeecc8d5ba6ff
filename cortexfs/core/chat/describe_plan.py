"""A planned change as a person reads it before a confirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan_diff import format_diff
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cortexfs.core.changes.plan import Plan

MAX_DIFF_LINES = 60
"""Maximum number of lines of differences that are shown."""


def describe_plan(plan: Plan) -> str:
    """Return the subject of a plan and what it writes, cut to `MAX_DIFF_LINES` lines.

    Of files that follow from others only the number is shown.
    """
    derived = {each.path for each in plan.writes if each.is_derived}
    derived |= {path for path in plan.commit_paths if _is_list(path)}
    lines = list(_iter_lines(plan, derived))
    shown = lines[:MAX_DIFF_LINES]
    if cut := len(lines) - len(shown):
        shown.append(f"… {format_count(cut, 'more line')}")
    if derived:
        shown.append(f"and {format_count(len(derived), 'list')} of atoms or projects")
    return "\n".join([f"plan: {summarize_plan(plan)}", *shown])


def _iter_lines(plan: Plan, derived: Collection[str]) -> Iterator[str]:
    """Yield the lines of new files, the differences of changed ones, the paths of removed ones."""
    for write in plan.writes:
        if write.path in derived:
            continue
        if write.expected_text is None:
            yield f"new: {write.path}"
            yield from (f"+{line}" for line in write.text.rstrip().splitlines())
        else:
            yield from format_diff(write.path, write.expected_text, write.text).splitlines()
    yield from (f"removed: {gone.path}" for gone in plan.removes if gone.path not in derived)
    yield from (f"+{line}".rstrip() for added in plan.appends for line in added.lines)


def summarize_plan(plan: Plan) -> str:
    """Return the subject of a plan's commit."""
    return plan.message.partition("\n")[0]


def _is_list(path: str) -> bool:
    return path.rpartition("/")[2] in {"index.md", "OVERVIEW.md"}
