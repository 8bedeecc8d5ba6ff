"""Run the tools that save, relate, change, archive and delete memories, sessions and prompts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.memory.memory_record import PERSONAL_SCOPE
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.memory.topic_key import suggest_topic_key
from cortexfs.core.text.untrusted_text import clean_line, preview
from cortexfs.errors import Usage
from cortexfs.interfaces.mcp.tool import MEMORY_MODE, ToolResult
from cortexfs.interfaces.mcp.tool_hints import SHELL_PREFIX

if TYPE_CHECKING:
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext
    from cortexfs.operations.shared.memory_types import SavedMemory

SHOWN_PROMPT_CHARS = 80
"""Maximum characters of a prompt in the answer."""
_CHANGED_FIELDS = ("title", "content", "type", "project", "scope", "topic_key")


def save(context: ToolContext, given: Arguments) -> ToolResult:
    """Save an observation."""
    from cortexfs.operations.memory.save_memory import save_memory
    from cortexfs.operations.shared.memory_types import MemoryDraft

    project = choose_project(context, given)
    draft = MemoryDraft(
        title=given.text("title"),
        content=given.text("content"),
        type=given.text("type"),
        project=project,
        scope=given.text("scope"),
        topic_key=given.text("topic_key"),
        session_id=given.text("session_id"),
    )
    saved = save_memory(context.session, draft, mode=MEMORY_MODE)
    title, kind = clean_line(saved.record.title), clean_line(saved.record.type)
    text = f'Memory saved: "{title}" ({kind})'
    if not given.text("topic_key").strip() and saved.suggested_topic_key:
        text += f"\nSuggested topic_key: {clean_line(saved.suggested_topic_key)}"
    return ToolResult(f"{text}\n{_describe_save(saved)}")


def _describe_save(saved: SavedMemory) -> str:
    """Return where a memory is, as other tools name it, and whether it is a new one."""
    from cortexfs.operations.shared.memory_types import SaveAction

    record = saved.record
    match saved.action:
        case SaveAction.UPDATED:
            what = f"updated, revision {record.revision}; git keeps the earlier text"
        case SaveAction.DUPLICATE | SaveAction.KNOWN:
            what = "saved before; nothing was added"
        case SaveAction.CREATED:
            what = "new"
    return clean_line(f"id: {record.number} ({record.ref}), {what}")


def save_summary(context: ToolContext, given: Arguments) -> ToolResult:
    """Save the summary of a session."""
    from cortexfs.operations.memory.save_session_summary import save_session_summary

    project = choose_project(context, given)
    content, session_id = given.text("content"), given.text("session_id")
    save_session_summary(context.session, content, project, session_id, mode=MEMORY_MODE)
    return ToolResult(f'Session summary saved for project "{clean_line(project)}"')


def save_user_prompt(context: ToolContext, given: Arguments) -> ToolResult:
    """Save a prompt of the user."""
    from cortexfs.operations.memory.save_prompt import save_prompt

    project = choose_project(context, given)
    content, session_id = given.text("content"), given.text("session_id")
    saved = save_prompt(context.session, content, session_id, project, mode=MEMORY_MODE)
    return ToolResult(f'Prompt saved: "{preview(saved.content, SHOWN_PROMPT_CHARS)}"')


def update(context: ToolContext, given: Arguments) -> ToolResult:
    """Change fields of an observation."""
    from cortexfs.operations.memory.update_memory import update_memory
    from cortexfs.operations.shared.memory_types import MemoryChanges

    changed = {name: given.text_if_given(name) for name in _CHANGED_FIELDS}
    if all(value is None for value in changed.values()):
        raise Usage("provide at least one field to update")
    changes = MemoryChanges(**changed)
    record = update_memory(context.session, given.text("id"), changes, mode=MEMORY_MODE)
    about = f'#{record.number} "{clean_line(record.title)}"'
    return ToolResult(f"Memory updated: {about} ({clean_line(record.type)}, scope={record.scope})")


def relate(context: ToolContext, given: Arguments) -> ToolResult:
    """Create a relation between two observations."""
    from cortexfs.operations.memory.relate_memories import relate_memories

    made = relate_memories(
        context.session,
        given.text("from_id"),
        given.text("to_id"),
        given.text("relation_type"),
        given.number("weight"),
        mode=MEMORY_MODE,
    )
    ends = f"{made.from_number} -[{made.relation.type}]-> observation {made.to_number}"
    about = f"(weight: {made.relation.weight:.1f}, edge ID: {made.edge_id})"
    return ToolResult(f"Relationship created: observation {ends} {about}")


def suggest_key(_: ToolContext, given: Arguments) -> ToolResult:
    """Suggest a topic key."""
    kind, title, content = (
        redact_private(given.text(name)) for name in ("type", "title", "content")
    )
    if not title.strip() and not content.strip():
        raise Usage("provide title or content to suggest a topic_key")
    key = suggest_topic_key(kind, title, content)
    return ToolResult(f"Suggested topic_key: {clean_line(key)}")


def start(context: ToolContext, given: Arguments) -> ToolResult:
    """Register the start of a session."""
    from cortexfs.operations.memory.start_session import start_session

    started = start_session(
        context.session,
        given.text("id"),
        choose_project(context, given),
        given.text("directory"),
        mode=MEMORY_MODE,
    )
    about = f'"{clean_line(started.id)}" started for project "{clean_line(started.project)}"'
    return ToolResult(f"Session {about}")


def end(context: ToolContext, given: Arguments) -> ToolResult:
    """Mark a session as completed."""
    from cortexfs.operations.memory.end_session import end_session

    ended = end_session(context.session, given.text("id"), given.text("summary"), mode=MEMORY_MODE)
    return ToolResult(f'Session "{clean_line(ended.id)}" completed')


def capture(context: ToolContext, given: Arguments) -> ToolResult:
    """Save the learnings in an output."""
    from cortexfs.operations.memory.capture_learnings import capture_learnings

    project = choose_project(context, given)
    done = capture_learnings(
        context.session,
        given.text("content"),
        given.text("session_id"),
        project,
        given.text("source"),
        mode=MEMORY_MODE,
    )
    counts = f"extracted={done.extracted} saved={done.saved} duplicates={done.duplicates}"
    return ToolResult(f"Passive capture complete: {counts}")


def delete(context: ToolContext, given: Arguments) -> ToolResult:
    """Delete an observation, by a field or as a file."""
    from cortexfs.operations.memory.delete_memory import delete_memory

    is_hard = given.flag("hard_delete")
    record = delete_memory(context.session, given.text("id"), hard=is_hard, mode=MEMORY_MODE)
    if not is_hard:
        return ToolResult(f"Memory #{record.number} soft-deleted")
    kept = f"git still has it; {SHELL_PREFIX}`cortexfs restore {record.ref}` brings it back"
    if record.scope == PERSONAL_SCOPE:
        kept = "git never had it; a text that it had before a change may be in .cortexfs/replaced"
    return ToolResult(f"Memory #{record.number} permanently deleted\n{kept}")


def archive(context: ToolContext, given: Arguments) -> ToolResult:
    """Archive an observation."""
    from cortexfs.operations.memory.archive_memory import archive_memory

    typed = given.text("observation_id")
    record = archive_memory(context.session, typed, mode=MEMORY_MODE).record
    return ToolResult(f"Observation {record.number} archived (soft-deleted)")


def choose_project(context: ToolContext, given: Arguments) -> str:
    """Return the project of a call, or that of the server."""
    return given.text("project").strip() or context.project
