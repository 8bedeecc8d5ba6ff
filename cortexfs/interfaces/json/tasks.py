"""Tasks and checklists as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import ChecklistItem
    from cortexfs.core.tasks.task_and_board import Task
    from cortexfs.core.tasks.task_readiness import Readiness
    from cortexfs.interfaces.json.documents import projects as documents


def to_checklist_item_json(found: ChecklistItem) -> documents.ChecklistItemDocument:
    """Return one item of a checklist, with its phase and milestone."""
    document: documents.ChecklistItemDocument = {
        "number": found.number,
        "done": found.done,
        "text": found.text,
    }
    if found.phase:
        document["phase"] = found.phase
    if found.milestone:
        document["milestone"] = found.milestone
    return document


def to_task_json(found: Task, readiness: Readiness | None = None) -> documents.TaskDocument:
    """Return one task: its fields as typed, its place, and its state, if known."""
    from cortexfs.core.tasks.task_and_board import tasks_path

    fields = {key: value for key, value in found.fields.items() if value not in ("", ())}
    place: dict[str, Any] = {
        "project": found.project,
        "path": tasks_path(found.project),
        "line": found.line,
    }
    state = {"state": readiness.state, "reason": readiness.reason} if readiness else {}
    own = {key: value for key, value in fields.items() if key not in place}
    return cast("documents.TaskDocument", {"id": found.id, **place, **own, **state})
