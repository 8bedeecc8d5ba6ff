"""Plan to save a memory: a new one, a new text for one with its topic, one more of the same."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.changes.plan import Write
from cortexfs.core.memory.clean_fields import (
    MAX_TAG_CHARS,
    clean_scope,
    clean_tag,
    clean_type,
    make_type_tag,
)
from cortexfs.core.memory.content_digest import compute_memory_digest
from cortexfs.core.memory.memory_record import PERSONAL_SCOPE, parse_memory_record
from cortexfs.core.memory.memory_text import (
    change_memory_text,
    format_time,
    get_memory_content,
    normalize_project,
)
from cortexfs.core.memory.topic_key import normalize_topic_key, suggest_topic_key
from cortexfs.operations.shared.load_memories import (
    load_memory_file,
    parse_memory_text,
    read_memory_text,
)
from cortexfs.operations.shared.memory_types import MemoryDraft, SaveAction, SavedMemory
from cortexfs.operations.shared.plan_memory_files import (
    clean_content,
    clean_field,
    clean_id,
    clean_title,
    default_session,
    plan_memory_change,
    plan_memory_writes,
    plan_missing_session,
    plan_new_file,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.session.annotation_types import MemoryRow
    from cortexfs.session.view import View


DUPLICATE_WINDOW = timedelta(minutes=15)
"""How long after a memory was last saved the same one is a duplicate."""
MAX_COMPARED = 100
"""Maximum number of memories with the same content that are compared, latest first."""


def plan_save(view: View, draft: MemoryDraft) -> SavedMemory:
    """Return what saving a draft would do, with the plan."""
    draft = _clean(draft)
    suggested = "" if draft.topic_key else suggest_topic_key(draft.type, draft.title, draft.content)
    if draft.topic_key and (
        row := view.memories.find_topic(draft.topic_key, draft.project, draft.scope)
    ):
        return _plan_new_text(view, row, draft, suggested)
    digest = compute_memory_digest(draft.content)
    same = view.memories.list_same_content(digest, draft.project, MAX_COMPARED)
    if draft.only_if_new and same:
        text = read_memory_text(view, same[0].path)
        return _make_result(view, Write(same[0].path, text, text), SaveAction.KNOWN, suggested)
    if row := _find_duplicate(view, same, draft):
        return _plan_duplicate(view, row, suggested)
    return _plan_creation(view, draft, suggested)


def _clean(draft: MemoryDraft) -> MemoryDraft:
    project = normalize_project(draft.project)
    return draft._replace(
        title=clean_title(draft.title),
        content=clean_content(draft.content, "content"),
        type=clean_type(clean_field(draft.type)),
        project=project,
        scope=clean_scope(draft.scope),
        topic_key=normalize_topic_key(clean_field(draft.topic_key)),
        session_id=clean_id(draft.session_id) or default_session(project),
        tags=tuple(filter(None, map(clean_tag, map(clean_field, draft.tags)))),
        tool=clean_field(draft.tool)[:MAX_TAG_CHARS],
    )


def _find_duplicate(view: View, same: Sequence[MemoryRow], draft: MemoryDraft) -> MemoryRow | None:
    """Return the observation that a draft repeats, of those with the same content."""
    for row in same:
        record = load_memory_file(view, row.path)
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
        "tags": draft.tags or (make_type_tag(draft.type),),
        "type": draft.type,
        "scope": draft.scope,
        "topic-key": draft.topic_key,
        "session": draft.session_id,
        "tool": draft.tool,
        "revision": "1",
        "created": now,
        "last-seen": now,
    }
    write = plan_new_file(
        view, OBSERVATION_KIND, draft.project, fields, draft.content, scope=draft.scope
    )
    saved = _make_result(view, write, SaveAction.CREATED, suggested)
    writes = [write]
    if draft.scope != PERSONAL_SCOPE:  # whose session stays on this machine too
        writes += plan_missing_session(view, draft.session_id, draft.project)
    return saved._replace(plan=plan_memory_change(view, "save", saved.record, writes))


def _plan_new_text(view: View, row: MemoryRow, draft: MemoryDraft, suggested: str) -> SavedMemory:
    """Plan the new text of a memory that has the same topic key."""
    text = read_memory_text(view, row.path)
    before = parse_memory_record(*parse_memory_text(view, row.path, text))
    fields = {
        "summary": draft.title,
        "type": draft.type,
        "revision": str(before.revision + 1),
        "last-seen": format_time(view.clock()),
    }
    new = change_memory_text(text, fields, draft.content)
    write = Write(row.path, new, text)
    saved = _make_result(view, write, SaveAction.UPDATED, suggested)
    return saved._replace(plan=plan_memory_change(view, "update", saved.record, [write]))


def _plan_duplicate(view: View, row: MemoryRow, suggested: str) -> SavedMemory:
    text = read_memory_text(view, row.path)
    before = parse_memory_record(*parse_memory_text(view, row.path, text))
    fields = {
        "duplicates": str(before.duplicates + 1),
        "last-seen": format_time(view.clock()),
    }
    write = Write(row.path, change_memory_text(text, fields), text)
    plan = plan_memory_writes(view, f"save {row.ref} again", [write])
    return _make_result(view, write, SaveAction.DUPLICATE, suggested)._replace(plan=plan)


def _make_result(view: View, write: Write, action: SaveAction, suggested: str) -> SavedMemory:
    """Return the memory in the text of a write, without a plan."""
    atom, _ = parse_memory_text(view, write.path, write.text)
    record = parse_memory_record(atom, get_memory_content(write.text))
    return SavedMemory(record, action, suggested)
