"""Create memories from the store of another program, in one commit; nothing is imported twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.memory.memory_text import DEFAULT_PROJECT
from cortexfs.core.stores.clean_contents import clean_contents
from cortexfs.operations.shared.plan_store_import import plan_entries, plan_store_import

if TYPE_CHECKING:
    from cortexfs.core.stores.stored_values import StoreContents
    from cortexfs.operations.shared.plan_store_import import StoreImport
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def import_store(
    session: Session,
    contents: StoreContents,
    source: str,
    project: str = "",
    default_project: str = DEFAULT_PROJECT,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoreImport:
    """Create an observation for each memory of a store, and its sessions and prompts.

    A memory that was imported before is updated if it has changed in the store and not here.
    `project` is the project of everything; empty means that of each entry, else the default.
    """
    cleaned = clean_contents(contents, project, default_project)

    def decide(view: View) -> StoreImport:
        return plan_store_import(view, source, cleaned, plan_entries(view, cleaned))

    return attach_outcome(session.execute(decide, mode))
