"""Read one memory; this counts as a read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.operations.shared.load_memories import (
    load_named_memory,
)
from cortexfs.operations.spool_read import spool_read

if TYPE_CHECKING:
    from cortexfs.core.memory.memory_record import MemoryRecord
    from cortexfs.session.session import Session


def read_memory(session: Session, typed: str, *, session_id: str = "") -> MemoryRecord:
    """Return a memory; this counts as a read of the client's session. Raises `NoSuchAtom`."""
    with session.read() as view:
        record = load_named_memory(view, typed)
        spool_read(view, record.path, session_id)
        return record
