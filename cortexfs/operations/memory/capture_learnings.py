"""Save the learnings in a text as memories, each once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.memory.emitted_text import strip_emitted_text
from cortexfs.core.memory.extract_learnings import extract_learnings
from cortexfs.core.memory.memory_record import PASSIVE_TYPE
from cortexfs.core.memory.memory_text import normalize_project
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.errors import CortexError
from cortexfs.operations.memory.save_memories import save_memories
from cortexfs.operations.shared.memory_types import CaptureResult, MemoryDraft, SaveAction

if TYPE_CHECKING:
    from cortexfs.session.session import Session

MAX_TITLE_CHARS = 60


def capture_learnings(
    session: Session,
    content: str,
    session_id: str = "",
    project: str = "",
    source: str = "mcp-passive",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> CaptureResult:
    """Save what a text lists under `## Key Learnings`, or a heading of the settings.

    A learning that the project already has is counted as a duplicate, whenever it was saved.
    """
    name = normalize_project(project)
    with session.read() as view:
        headings = view.settings.memory.learning_headings
    learnings = extract_learnings(strip_emitted_text(redact_private(content)), headings)
    drafts = [_make_draft(each, session_id, name, source) for each in learnings]
    summary = f"save learnings in {name}" if name else "save learnings"
    done, _ = save_memories(session, drafts, summary, mode=mode)
    actions = Counter(each.action for each in done if not isinstance(each, CortexError))
    return CaptureResult(len(learnings), actions[SaveAction.CREATED], actions[SaveAction.KNOWN])


def _make_draft(learning: str, session_id: str, project: str, source: str) -> MemoryDraft:
    is_long = len(learning) > MAX_TITLE_CHARS
    title = f"{learning[:MAX_TITLE_CHARS]}..." if is_long else learning
    return MemoryDraft(
        title, learning, PASSIVE_TYPE, project, session_id=session_id, tool=source, only_if_new=True
    )
