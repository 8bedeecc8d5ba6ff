"""Delete a memory: softly, or its file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Remove, attach_outcome
from cortexfs.operations.shared.load_memories import (
    load_named_memory,
    read_memory_text,
    resolve_memory,
)
from cortexfs.operations.shared.memory_types import SavedRecord
from cortexfs.operations.shared.plan_memory_changes import plan_soft_deletion
from cortexfs.operations.shared.plan_memory_files import plan_memory_change

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def delete_memory(
    session: Session,
    typed: str,
    *,
    hard: bool = False,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> MemoryRecord:
    """Mark a memory as deleted, or (`hard`) remove its file; git keeps what it was."""

    def decide(view: View) -> SavedRecord:
        row = resolve_memory(view, typed)
        if not hard:
            return plan_soft_deletion(view, row, "delete")
        record = load_named_memory(view, typed)
        text = read_memory_text(view, row.path)
        removes = [Remove(row.path, text, is_erased=True)]
        return SavedRecord(record, plan_memory_change(view, "remove", record, [], removes))

    return attach_outcome(session.execute(decide, mode)).record
