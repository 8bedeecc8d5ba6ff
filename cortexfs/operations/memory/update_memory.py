"""Change a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.tree_paths import kind_folder, personal_folder
from cortexfs.core.changes.plan import ExecutionMode, Remove, Write, attach_outcome
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE, parse_memory_record
from cortexfs.core.memory.memory_text import (
    change_memory_text,
    format_time,
    normalize_project,
)
from cortexfs.core.memory.topic_key import normalize_topic_key
from cortexfs.errors import Refused
from cortexfs.operations.shared.load_memories import (
    parse_memory_text,
    read_memory_text,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import MemoryChanges, SavedRecord
from cortexfs.operations.shared.plan_memory_files import (
    clean_content,
    clean_field,
    clean_scope,
    clean_title,
    clean_type,
    plan_memory_change,
)
from cortexfs.operations.shared.resolve_names import require_kind

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
        edits["type"] = clean_type(changes.type)
    if changes.topic_key is not None:
        edits["topic-key"] = normalize_topic_key(clean_field(changes.topic_key)) or None
    project = before.project if changes.project is None else normalize_project(changes.project)
    scope = clean_scope(before.scope if changes.scope is None else changes.scope)
    edits |= {"project": project, "scope": scope}
    content = None if changes.content is None else clean_content(changes.content, "content")
    new = change_memory_text(text, edits, content)
    kind = require_kind(view, OBSERVATION_KIND)
    folder = personal_folder(kind) if scope == PERSONAL_SCOPE else kind_folder(project, kind)
    path = f"{folder}/{row.path.rpartition('/')[2]}"
    record = parse_memory_record(*parse_memory_text(view, path, new))
    moves = path != row.path
    writes = [Write(path, new, None if moves else text)]
    removes = [Remove(row.path, text)] if moves else []
    return SavedRecord(record, plan_memory_change(view, "update", record, writes, removes))
