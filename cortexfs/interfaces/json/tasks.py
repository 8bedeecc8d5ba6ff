"""Tasks and checklists as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness

    Document = dict[str, object]


def to_checklist_item_json(found: ChecklistItem) -> Document:
    """Return one item of a checklist, with its phase and milestone."""
    document: Document = {"number": found.number, "done": found.done, "text": found.text}
    above = {"phase": found.phase, "milestone": found.milestone}
    return document | {key: title for key, title in above.items() if title}


def to_task_json(found: Task, readiness: Readiness | None = None) -> Document:
    """Return one task: its fields as typed, its place, and its state, if known."""
    from cortexfs.core.tasks.task_and_board import tasks_path

    fields = {key: value for key, value in found.fields.items() if value not in ("", ())}
    place: Document = {
        "project": found.project,
        "path": tasks_path(found.project),
        "line": found.line,
    }
    state = {"state": readiness.state, "reason": readiness.reason} if readiness else {}
    return {"id": found.id, **place} | {k: v for k, v in fields.items() if k not in place} | state
