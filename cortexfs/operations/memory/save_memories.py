"""Save many memories in one commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.operations.shared.plan_memory_save import plan_save

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from cortexfs.core.changes.plan import Outcome
    from cortexfs.errors import CortexError
    from cortexfs.operations.shared.memory_types import MemoryDraft, SavedMemory
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def save_memories(
    session: Session,
    drafts: Sequence[MemoryDraft],
    summary: str,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> tuple[list[SavedMemory | CortexError], Outcome]:
    """Save many memories in one commit; a refused one does not stop the others."""

    def make_planner(draft: MemoryDraft) -> Callable[[View], SavedMemory]:
        return lambda view: plan_save(view, draft)

    return session.execute_all(map(make_planner, drafts), summary, mode)
