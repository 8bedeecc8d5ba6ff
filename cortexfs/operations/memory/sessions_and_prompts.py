"""Start and end a session, save its summary, save a prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import ExecutionMode, Write, attach_outcome
from cortexfs.core.memory.memory_record import parse_prompt_record, parse_session_record
from cortexfs.core.memory.memory_text import change_memory_text, format_time, normalize_project
from cortexfs.core.text.sanitize import to_one_line, truncate_line
from cortexfs.errors import NoSuchSession, Refused
from cortexfs.operations.memory.load_records import parse_memory_text, read_memory_text
from cortexfs.operations.memory.memory_values import (
    MemoryDraft,
    SavedMemory,
    SavedPrompt,
    SavedSession,
)
from cortexfs.operations.memory.plan_memory_files import (
    clean_content,
    clean_id,
    default_session,
    make_memory_plan,
    plan_missing_session,
    plan_new_file,
    plan_session_file,
)
from cortexfs.operations.memory.save_memory import save_memory

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import PromptRecord, SessionRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_PROMPT_TITLE_CHARS = 80


def start_session(
    session: Session,
    session_id: str,
    project: str,
    directory: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SessionRecord:
    """Save that a session has begun; of one that is known only a missing directory is added."""
    wanted, directory = _require_id(session_id), to_one_line(directory)
    name = normalize_project(project)

    def decide(view: View) -> SavedSession:
        row = view.memories.find_session(wanted)
        if row is None:
            write = plan_session_file(view, wanted, name, directory)
            return _make_result(view, write, f"start session {wanted}")
        text = read_memory_text(view, row.path)
        known = parse_session_record(*parse_memory_text(view, row.path, text))
        edits = {} if known.directory or not directory else {"directory": directory}
        write = Write(row.path, change_memory_text(text, edits), text)
        return _make_result(view, write, f"start session {wanted}")

    return attach_outcome(session.execute(decide, mode)).record


def end_session(
    session: Session,
    session_id: str,
    summary: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SessionRecord:
    """Save that a session has ended, with its summary. Raises `NoSuchSession`."""
    wanted = _require_id(session_id)
    content = clean_content(summary, "summary") if summary.strip() else None

    def decide(view: View) -> SavedSession:
        row = view.memories.find_session(wanted)
        if row is None:
            raise NoSuchSession(wanted)
        text = read_memory_text(view, row.path)
        edits = {"status": "ended", "ended": format_time(view.clock())}
        write = Write(row.path, change_memory_text(text, edits, content), text)
        return _make_result(view, write, f"end session {wanted}")

    return attach_outcome(session.execute(decide, mode)).record


def save_session_summary(
    session: Session,
    content: str,
    project: str,
    session_id: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> SavedMemory:
    """Save the summary of a session as a memory of the type `session_summary`."""
    draft = MemoryDraft(
        f"Session summary: {project}",
        content,
        "session_summary",
        project,
        session_id=session_id,
    )
    return save_memory(session, draft, mode=mode)


def save_prompt(
    session: Session,
    content: str,
    session_id: str = "",
    project: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> PromptRecord:
    """Save what a person asked an agent; raises `Refused` if it is empty or has a secret."""
    prompt = clean_content(content, "prompt")
    name = normalize_project(project)
    owner = clean_id(session_id) or default_session(name)

    def decide(view: View) -> SavedPrompt:
        fields: dict[str, str | tuple[str, ...]] = {
            "summary": truncate_line(prompt, MAX_PROMPT_TITLE_CHARS),
            "tags": ("prompt",),
            "session": owner,
            "created": format_time(view.clock()),
        }
        ident, write = plan_new_file(view, "prompt", name, fields, prompt)
        writes = [write, *plan_missing_session(view, owner, name)]
        record = parse_prompt_record(*parse_memory_text(view, write.path, write.text))
        return SavedPrompt(record, make_memory_plan(view, f"save {name}/{ident}", writes))

    return attach_outcome(session.execute(decide, mode)).record


def _require_id(session_id: str) -> str:
    wanted = clean_id(session_id)
    if not wanted:
        raise Refused("the session has no id", hint="give the id that the client uses")
    return wanted


def _make_result(view: View, write: Write, message: str) -> SavedSession:
    record = parse_session_record(*parse_memory_text(view, write.path, write.text))
    writes = [] if write.text == write.expected_text else [write]
    return SavedSession(record, make_memory_plan(view, message, writes))
