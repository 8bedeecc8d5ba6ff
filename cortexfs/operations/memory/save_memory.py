"""Save a memory: a new one, a new text for one with the same topic, or one more of the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.operations.shared.plan_memory_save import plan_save

if TYPE_CHECKING:
    from cortexfs.operations.shared.memory_types import MemoryDraft, SavedMemory
    from cortexfs.session.session import Session


def save_memory(
    session: Session, draft: MemoryDraft, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> SavedMemory:
    """Save a memory, and the session that it names if the tree does not have that yet.

    Private parts, and what a client or cortexfs emitted, are removed first. A memory with the same
    topic key, project and scope gets the new text; the earlier one is in git. The same memory,
    saved again within `DUPLICATE_WINDOW`, is counted. Raises `Refused` for an empty title or
    content, and for a secret.
    """
    return attach_outcome(session.execute(lambda view: plan_save(view, draft), mode))
