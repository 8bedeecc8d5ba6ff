"""Save what a person asked an agent."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import PROMPT_KIND
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.memory.memory_record import parse_prompt_record
from cortexfs.core.memory.memory_text import format_time, normalize_project
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.operations.shared.load_memories import parse_memory_text
from cortexfs.operations.shared.memory_types import (
    SavedPrompt,
)
from cortexfs.operations.shared.plan_memory_files import (
    clean_content,
    clean_id,
    default_session,
    plan_memory_writes,
    plan_missing_session,
    plan_new_file,
)

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import PromptRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_PROMPT_TITLE_CHARS = 80


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
            "tags": (PROMPT_KIND,),
            "session": owner,
            "created": format_time(view.clock()),
        }
        write = plan_new_file(view, PROMPT_KIND, name, fields, prompt)
        writes = [write, *plan_missing_session(view, owner, name)]
        record = parse_prompt_record(*parse_memory_text(view, write.path, write.text))
        return SavedPrompt(record, plan_memory_writes(view, f"save {record.ref}", writes))

    return attach_outcome(session.execute(decide, mode)).record
