"""Change a memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.tree_paths import kind_folder, personal_folder, project_from_path
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Write, attach_outcome
from cortexfs.core.memory.clean_fields import clean_scope, clean_type
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE, parse_memory_record
from cortexfs.core.memory.memory_text import (
    change_memory_text,
    format_time,
    normalize_project,
)
from cortexfs.core.memory.topic_key import normalize_topic_key
from cortexfs.core.renaming.name_meanings import Renaming
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
    clean_title,
    plan_memory_change,
)
from cortexfs.operations.shared.rename_plan import (
    build_rename_context,
    plan_atom_move,
    plan_log_updates,
    plan_mention_updates,
)
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.core.renaming.rewrite import RenameContext
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
    """Change some parts of a memory.

    It moves to the folder of its project and scope; its reads, and all that name it, move along.
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
    atom, body = parse_memory_text(view, row.path, text)
    edits = _make_edits(parse_memory_record(atom, body), changes, format_time(view.clock()))
    content = None if changes.content is None else clean_content(changes.content, "content")
    path = _choose_path(view, row.path, edits)
    if path == row.path:
        write = Write(path, change_memory_text(text, edits, content), text)
        record = parse_memory_record(*parse_memory_text(view, path, write.text))
        return SavedRecord(record, plan_memory_change(view, "update", record, [write]))
    context = _describe_move(view, atom, path)
    moved, remove = plan_atom_move(view, atom, context)
    write = Write(path, change_memory_text(moved.text, edits, content))
    others = plan_mention_updates(view, context, {atom.ref.rpartition("/")[2]})
    logs = plan_log_updates(view, row.path, path)
    record = parse_memory_record(*parse_memory_text(view, path, write.text))
    plan = plan_memory_change(view, "update", record, [write, *others, *logs], [remove])
    return SavedRecord(record, plan)


def _make_edits(before: MemoryRecord, changes: MemoryChanges, now: str) -> Edits:
    """Return the fields that change."""
    edits: Edits = {"revision": str(before.revision + 1), "last-seen": now}
    if changes.title is not None:
        edits["summary"] = clean_title(changes.title)
    if changes.type is not None:
        edits["type"] = clean_type(clean_field(changes.type))
    if changes.topic_key is not None:
        edits["topic-key"] = normalize_topic_key(clean_field(changes.topic_key)) or None
    project = before.project if changes.project is None else normalize_project(changes.project)
    scope = clean_scope(before.scope if changes.scope is None else changes.scope)
    return {**edits, "project": project, "scope": scope}


def _choose_path(view: View, path: str, edits: Edits) -> str:
    """Return the path of an observation in its project and scope."""
    kind, project = require_kind(view, OBSERVATION_KIND), str(edits["project"])
    is_personal = edits["scope"] == PERSONAL_SCOPE
    folder = personal_folder(kind) if is_personal else kind_folder(project, kind)
    return f"{folder}/{path.rpartition('/')[2]}"


def _describe_move(view: View, atom: Atom, path: str) -> RenameContext:
    """Return what the names of an observation mean before and after it moves to another path."""
    ident, project = atom.ref.rpartition("/")[2], project_from_path(path)
    renaming = Renaming({atom.ref: f"{project}/{ident}" if project else ident}, {atom.path: path})
    return build_rename_context(view, renaming, {atom.path})
