"""Tasks and checklists as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.governance.checklist import Item
    from cortexfs.core.tasks.task import Task
    from cortexfs.core.tasks.task_order import Standing

    Document = dict[str, object]


def checklist_item(found: Item) -> Document:
    """Return one item of a checklist, with its phase and milestone."""
    document: Document = {"number": found.number, "done": found.done, "text": found.words}
    above = {"phase": found.phase, "milestone": found.milestone}
    return document | {key: title for key, title in above.items() if title}


def task(found: Task, standing: Standing | None = None) -> Document:
    """Return one task: its fields as typed, its place, and its state, where that is known."""
    from cortexfs.core.tasks.task import path_of

    fields = {key: value for key, value in found.fields.items() if value not in ("", ())}
    place: Document = {"project": found.project, "path": path_of(found.project), "line": found.line}
    state = {"state": standing.stand, "reason": standing.why} if standing else {}
    return {"id": found.id, **place} | {k: v for k, v in fields.items() if k not in place} | state
