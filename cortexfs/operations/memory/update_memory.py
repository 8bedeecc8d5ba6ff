"""Change a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import ExecutionMode, Remove, Write, attach_outcome
from cortexfs.core.memory.memory_record import parse_memory_record
from cortexfs.core.memory.memory_text import (
    change_memory_text,
    format_time,
    normalize_project,
)
from cortexfs.core.memory.topic_key import normalize_topic_key
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused
from cortexfs.operations.shared.load_memories import (
    parse_memory_text,
    read_memory_text,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import MemoryChanges, SavedRecord
from cortexfs.operations.shared.plan_memory_files import (
    PERSONAL,
    clean_content,
    clean_title,
    make_memory_plan,
)

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

Edits = dict[str, str | tuple[str, ...] | None]


def update_memory(
    session: Session,
    typed: str,
    changes: MemoryChanges,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> MemoryRecord:
    """Change some parts of a memory; it moves to the folder of its project and scope.

    Raises `NoSuchAtom`, and `Refused` if no part is given or one is empty.
    """
    if all(part is None for part in changes):
        raise Refused("provide at least one field to update")
    return attach_outcome(
        session.execute(lambda view: _plan_update(view, typed, changes), mode)
    ).record


def _plan_update(view: View, typed: str, changes: MemoryChanges) -> SavedRecord:
    row = resolve_memory(view, typed)
    text = read_memory_text(view, row.path)
    before = parse_memory_record(*parse_memory_text(view, row.path, text))
    edits: Edits = {"revision": str(before.revision + 1), "last-seen": format_time(view.clock())}
    if changes.title is not None:
        edits["summary"] = clean_title(changes.title)
    if changes.type is not None:
        edits["type"] = to_one_line(changes.type)[:64].lower() or "manual"
    if changes.topic_key is not None:
        edits["topic-key"] = normalize_topic_key(changes.topic_key) or None
    project = before.project if changes.project is None else normalize_project(changes.project)
    scope = before.scope if changes.scope is None else changes.scope.strip().lower()
    scope = PERSONAL if scope == PERSONAL else "project"
    edits |= {"project": project, "scope": scope}
    content = None if changes.content is None else clean_content(changes.content, "content")
    new = change_memory_text(text, edits, content)
    path = _path_for(row.path, project, scope)
    record = parse_memory_record(*parse_memory_text(view, path, new))
    message = f"update {row.ref}: {record.title}"
    if path == row.path:
        return SavedRecord(record, make_memory_plan(view, message, [Write(path, new, text)]))
    plan = make_memory_plan(view, message, [Write(path, new)])
    return SavedRecord(record, plan._replace(removes=(Remove(row.path, text),)))


def _path_for(path: str, project: str, scope: str) -> str:
    """Return the path of an observation in a project and scope."""
    name = path.rpartition("/")[2]
    folder = "user" if scope == PERSONAL else f"projects/{project}"
    return f"{folder}/observations/{name}"
