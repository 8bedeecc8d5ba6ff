"""Plan the sessions and prompts of a store; those that the tree has are not written again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.changes.plan import Write
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.memory_text import change_memory_text, format_memory_text
from cortexfs.core.stores.memory_fields import (
    make_prompt_fields,
    make_session_fields,
)
from cortexfs.core.stores.memory_origin import compute_text_digest
from cortexfs.core.stores.plan_memories import ImportedEntry, ImportResult, NextNumber
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.stores.known_memories import KnownMemory
    from cortexfs.core.stores.memory_fields import Fields
    from cortexfs.core.stores.stored_values import StoredPrompt, StoredSession


def plan_sessions(
    sessions: Sequence[StoredSession], known: Iterable[KnownMemory], new: NextNumber
) -> list[ImportedEntry]:
    """Return what becomes of each session; the id that its client gave it names it."""
    by_id = {_read_text_field(each.text, "session"): each for each in known}
    entries: dict[str, ImportedEntry] = {}
    for session in sessions:
        fields, ident = make_session_fields(session), session.session_id
        if ident in entries:
            continue
        if old := by_id.get(ident):
            entries[ident] = _plan_longer(session, old, fields)
        else:
            source = f"session {ident}"
            entries[ident] = _plan_new(source, session.project, fields, session.summary, new)
            new = new.advance()
    return list(entries.values())


def plan_prompts(
    prompts: Sequence[StoredPrompt], known: Iterable[KnownMemory], new: NextNumber
) -> list[ImportedEntry]:
    """Return what becomes of each prompt; its time and text name it."""
    by_text = {_identify_prompt(each.text): each for each in known}
    entries: dict[tuple[str, str], ImportedEntry] = {}
    for prompt in prompts:
        key = (prompt.created, compute_text_digest("", prompt.content))
        fields = make_prompt_fields(prompt)
        if old := by_text.get(key):
            summary, result = str(fields["summary"]), ImportResult.UNCHANGED
            entries[key] = ImportedEntry("prompt", old.ref, old.path, summary, result)
        elif key not in entries:
            entries[key] = _plan_new("prompt", prompt.project, fields, prompt.content, new)
            new = new.advance()
    return list(entries.values())


def _plan_new(
    source: str, project: str, fields: Fields, content: str, new: NextNumber
) -> ImportedEntry:
    ident = new.make_ident()
    path = f"{kind_folder(project, new.kind)}/{ident}.md"
    day = str(fields["created"])[:10] or new.today
    head = {"id": ident, "date": day, "project": project}
    text = format_memory_text({**head, **fields}, content)
    ref, summary = f"{project}/{ident}", str(fields["summary"])
    return ImportedEntry(source, ref, path, summary, ImportResult.IMPORTED, Write(path, text))


def _plan_longer(session: StoredSession, old: KnownMemory, fields: Fields) -> ImportedEntry:
    """Return a known session: it gets a summary that it lacked, and a later end."""
    source, summary = f"session {session.session_id}", str(fields["summary"])
    entry = ImportedEntry(source, old.ref, old.path, summary, ImportResult.UNCHANGED)
    now = atom_text.parse_frontmatter(old.text)
    is_later = session.ended > _as_text(now.fields.get("ended", ""))
    has_new_summary = bool(session.summary.strip()) and not now.body.strip()
    if not (is_later or has_new_summary):
        return entry
    changes = {key: fields[key] for key in ("status", "ended") if is_later}
    changes |= {"summary": fields["summary"]} if has_new_summary else {}
    content = session.summary if has_new_summary else now.body
    try:
        text = change_memory_text(old.text, changes, content)
    except CortexError:
        return entry._replace(result=ImportResult.CONFLICT)
    return entry._replace(result=ImportResult.UPDATED, write=Write(old.path, text, old.text))


def _identify_prompt(text: str) -> tuple[str, str]:
    parsed = atom_text.parse_frontmatter(text)
    return _as_text(parsed.fields.get("created", "")), compute_text_digest("", parsed.body)


def _read_text_field(text: str, key: str) -> str:
    return _as_text(atom_text.parse_frontmatter(text).fields.get(key, ""))


def _as_text(value: FrontmatterValue) -> str:
    return value if isinstance(value, str) else ""
