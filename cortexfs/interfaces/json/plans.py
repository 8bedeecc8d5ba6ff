"""Plans as JSON: what a dry run would write."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from cortexfs.core.changes.plan import Outcome, Plan

    Document = dict[str, object]

FORMAT_VERSION = 1
"""Version of the JSON documents, the `format` of each."""


def to_plan_json(summary: str, changes: Mapping[str, str]) -> Document:
    """Return planned changes: the message of the commit, and a diff for each path."""
    writes = [{"path": path, "diff": diff} for path, diff in changes.items() if diff]
    return {"summary": summary, "writes": writes}


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
    from cortexfs.core.text.line_diff import format_unified_diff

    name = to_one_line(path)
    old = name if old_text is not None else os.devnull
    new = name if new_text is not None else os.devnull
    one, other = ((text or "").splitlines(keepends=True) for text in (old_text, new_text))
    lines = format_unified_diff(one, other, old, new)
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)


def last_commit_id(outcome: Outcome | None) -> str | None:
    """Return the id of the newest commit of an outcome."""
    return outcome.commits[-1] if outcome and outcome.commits else None
