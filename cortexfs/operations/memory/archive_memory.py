"""Archive a memory that is old and not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.operations.shared.load_memories import resolve_memory
from cortexfs.operations.shared.plan_memory_changes import plan_soft_deletion

if TYPE_CHECKING:
    from cortexfs.operations.shared.memory_types import SavedRecord
    from cortexfs.session.session import Session


def archive_memory(
    session: Session, typed: str, *, mode: ExecutionMode = ExecutionMode.COMMIT
) -> SavedRecord:
    """Mark a memory as deleted because it is old and not needed."""
    return attach_outcome(
        session.execute(
            lambda view: plan_soft_deletion(view, resolve_memory(view, typed), "archive"), mode
        )
    )
