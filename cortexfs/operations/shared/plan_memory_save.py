"""Plan to save a memory: a new one, a new text for one with its topic, one more of the same."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Plan, Write
from cortexfs.core.memory.content_digest import compute_memory_digest
from cortexfs.core.memory.memory_record import parse_memory_record
from cortexfs.core.memory.memory_text import (
    change_memory_text,
    format_time,
    normalize_project,
    split_memory_content,
)
from cortexfs.core.memory.topic_key import normalize_topic_key, suggest_topic_key
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.operations.shared.load_memories import (
    load_memory,
    parse_memory_text,
    read_memory_text,
)
from cortexfs.operations.shared.memory_types import MemoryDraft, SaveAction, SavedMemory
from cortexfs.operations.shared.plan_memory_files import (
    PERSONAL,
    clean_content,
    clean_id,
    clean_title,
    default_session,
    make_memory_plan,
    plan_missing_session,
    plan_new_file,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.session.annotation_types import MemoryRow
    from cortexfs.session.view import View

    Planner = Callable[[View], SavedMemory]

NO_CHANGE = Plan("")
DUPLICATE_WINDOW = timedelta(minutes=15)
"""How long after a memory was last saved the same one is a duplicate."""


def plan_save(view: View, draft: MemoryDraft) -> SavedMemory:
    """Return what saving a draft would do, with the plan."""
    draft = _clean(draft)
    suggested = "" if draft.topic_key else suggest_topic_key(draft.type, draft.title, draft.content)
    if draft.origin and (row := view.memories.find_origin(draft.origin)):
        return _plan_new_text(view, row, draft, suggested)
    if draft.topic_key and (
        row := view.memories.find_topic(draft.topic_key, draft.project, draft.scope)
    ):
        return _plan_new_text(view, row, draft, suggested)
    if not draft.created and (row := _find_duplicate(view, draft)):
        return _plan_duplicate(view, row, suggested)
    return _plan_creation(view, draft, suggested)


def _clean(draft: MemoryDraft) -> MemoryDraft:
    project = normalize_project(draft.project)
    return draft._replace(
        title=clean_title(draft.title),
        content=clean_content(draft.content, "content"),
        type=to_one_line(draft.type)[:64].lower() or "manual",
        project=project,
        scope=PERSONAL if draft.scope.strip().lower() == PERSONAL else "project",
        topic_key=normalize_topic_key(draft.topic_key),
        session_id=clean_id(draft.session_id) or default_session(project),
        tags=tuple(tag for each in draft.tags if (tag := to_one_line(each)[:64])),
    )


def _find_duplicate(view: View, draft: MemoryDraft) -> MemoryRow | None:
    """Return the observation that a draft repeats."""
    digest = compute_memory_digest(draft.content)
    for row in view.memories.list_same_content(digest, draft.project):
        record = load_memory(view, row)
        if (
            record
            and (record.type, record.title, record.scope) == (draft.type, draft.title, draft.scope)
            and _is_recent(record.last_seen or record.created, view.clock())
        ):
            return row
    return None


def _is_recent(time: str, now: datetime) -> bool:
    try:
        return timedelta(0) <= now - datetime.fromisoformat(time) <= DUPLICATE_WINDOW
    except (ValueError, TypeError):  # no time, or one without a zone
        return False


def _plan_creation(view: View, draft: MemoryDraft, suggested: str) -> SavedMemory:
    now = format_time(view.clock())
    fields: dict[str, str | tuple[str, ...]] = {
        "summary": draft.title,
        "tags": draft.tags or (draft.type.replace(" ", "-"),),
        "type": draft.type,
        "scope": draft.scope,
        "topic-key": draft.topic_key,
        "session": draft.session_id,
        "tool": to_one_line(draft.tool)[:64],
        "revision": str(max(1, draft.revision)),
        "duplicates": str(draft.duplicates or ""),
        "created": draft.created or now,
        "last-seen": now,
        "origin": to_one_line(draft.origin),
    }
    ident, write = plan_new_file(
        view, "observation", draft.project, fields, draft.content, scope=draft.scope
    )
    writes = [write]
    if draft.scope != PERSONAL:  # whose session stays on this machine too
        writes += plan_missing_session(view, draft.session_id, draft.project)
    plan = make_memory_plan(view, f"save {draft.project}/{ident}: {draft.title}", writes)
    return _make_result(view, write, SaveAction.CREATED, suggested, plan)


def _plan_new_text(view: View, row: MemoryRow, draft: MemoryDraft, suggested: str) -> SavedMemory:
    """Plan the new text of a memory that has the same topic key or origin."""
    text = read_memory_text(view, row.path)
    atom, content = parse_memory_text(view, row.path, text)
    before = parse_memory_record(atom, content)
    same = (before.title, before.type, content) == (draft.title, draft.type, draft.content)
    if same and draft.origin:
        return _make_result(view, Write(row.path, text, text), SaveAction.UNCHANGED, suggested)
    fields = {
        "summary": draft.title,
        "type": draft.type,
        "revision": str(before.revision + 1),
        "last-seen": format_time(view.clock()),
    }
    new = change_memory_text(text, fields, draft.content)
    write = Write(row.path, new, text)
    message = f"update {row.ref}: {draft.title}"
    return _make_result(
        view, write, SaveAction.UPDATED, suggested, make_memory_plan(view, message, [write])
    )


def _plan_duplicate(view: View, row: MemoryRow, suggested: str) -> SavedMemory:
    text = read_memory_text(view, row.path)
    before = parse_memory_record(*parse_memory_text(view, row.path, text))
    fields = {
        "duplicates": str(before.duplicates + 1),
        "last-seen": format_time(view.clock()),
    }
    write = Write(row.path, change_memory_text(text, fields), text)
    plan = make_memory_plan(view, f"save {row.ref} again", [write])
    return _make_result(view, write, SaveAction.DUPLICATE, suggested, plan)


def _make_result(
    view: View, write: Write, action: SaveAction, suggested: str, plan: Plan = NO_CHANGE
) -> SavedMemory:
    atom, _ = parse_memory_text(view, write.path, write.text)
    record = parse_memory_record(atom, split_memory_content(write.text))
    return SavedMemory(record, action, suggested, plan)
