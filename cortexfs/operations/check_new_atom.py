"""Find what would be wrong with a new atom; nothing is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.operations.check_text import check_text
from cortexfs.operations.new_atom import new_atom

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.atoms.create_atom import AtomDraft
    from cortexfs.session.session import Session


def check_new_atom(session: Session, draft: AtomDraft) -> list[Flaw]:
    """Return the flaws that the atom of a draft would have; raises what `new_atom` would raise."""
    planned = new_atom(session, draft, mode=ExecutionMode.DRY_RUN)
    texts = (write.text for write in planned.plan.writes if write.path == planned.path)
    return check_text(session, planned.path, next(texts))
