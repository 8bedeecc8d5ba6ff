"""The files of a plan as unified diffs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.changes.plan import Plan

_NO_FILE = "/dev/null"
"""What a diff calls the side that has no file."""


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
    from cortexfs.core.text.line_diff import format_unified_diff  # noqa: PLC0415 - rarely needed

    name = to_one_line(path)
    old = name if old_text is not None else _NO_FILE
    new = name if new_text is not None else _NO_FILE
    one, other = ((text or "").splitlines(keepends=True) for text in (old_text, new_text))
    lines = format_unified_diff(one, other, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)
