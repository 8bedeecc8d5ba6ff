"""A plan as unified diffs, as a person reads it before it is executed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.line_diff import format_unified_diff
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.changes.plan import Plan

NO_FILE = "/dev/null"
"""The name of a file that does not exist."""


def format_plan_diffs(plan: Plan) -> Iterable[tuple[str, str]]:
    """Yield each file of a plan with its unified diff."""
    for write in plan.writes:
        yield write.path, format_diff(write.path, write.expected_text, write.text)
    for gone in plan.removes:
        yield gone.path, format_diff(gone.path, gone.expected_text, None)
    for added in plan.appends:
        yield added.path, "".join(f"+{line}" for line in added.lines)


def format_diff(path: str, old_text: str | None, new_text: str | None) -> str:
    """Return the unified diff of one file; None is a file that does not exist."""
    name = to_one_line(path)
    old = name if old_text is not None else NO_FILE
    new = name if new_text is not None else NO_FILE
    one, other = ((text or "").splitlines(keepends=True) for text in (old_text, new_text))
    lines = format_unified_diff(one, other, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
