"""Plans as JSON: what a dry run would write."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.interfaces.json.documents.plans import PlanDocument, PlannedWriteDocument

FORMAT_VERSION = 1
"""Version of the JSON documents, the `format` of each."""


def to_plan_json(summary: str, changes: Iterable[tuple[str, str]]) -> PlanDocument:
    """Return planned changes: the message of the commit, and the diff of each path."""
    writes: list[PlannedWriteDocument] = [
        {"path": path, "diff": diff} for path, diff in changes if diff
    ]
    return {"summary": summary, "writes": writes}


def last_commit_id(outcome: Outcome | None) -> str | None:
    """Return the id of the newest commit of an outcome."""
    return outcome.commits[-1] if outcome and outcome.commits else None
