"""Take over the memories that clients keep in files of their own."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.bridge.parse_client_memories import choose_project, parse_client_file
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import attach_outcome
from cortexfs.core.memory.memory_text import DEFAULT_PROJECT
from cortexfs.core.stores.clean_contents import clean_contents
from cortexfs.core.stores.stored_values import StoreContents, StoreFormat
from cortexfs.operations.shared.plan_store_import import plan_entries, plan_store_import
from cortexfs.session.read_client_memories import read_client_memories

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.bridge.parse_client_memories import MemoryClient
    from cortexfs.core.stores.stored_values import BrokenEntry, StoredMemory
    from cortexfs.operations.shared.plan_store_import import StoreImport
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


def bridge_in(
    session: Session,
    clients: Sequence[MemoryClient],
    environ: Mapping[str, str],
    project: str = "",
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> StoreImport:
    """Create or update an observation for each memory of these clients, in one commit.

    Nothing between our markers, and nothing that was emitted, is taken over. Memories of all
    projects are personal, unless a `project` is named.
    """
    contents = _read_contents(session, clients, environ, project)

    def decide(view: View) -> StoreImport:
        entries = plan_entries(view, contents)
        return plan_store_import(view, ", ".join(clients), contents, entries, "bridge")

    return attach_outcome(session.execute(decide, mode))


def _read_contents(
    session: Session, clients: Sequence[MemoryClient], environ: Mapping[str, str], project: str
) -> StoreContents:
    """Return the memories of clients, ready to be written."""
    projects, home = session.tree.list_projects(), os.path.expanduser("~")
    found: list[StoredMemory] = []
    broken: list[BrokenEntry] = []
    for client in clients:
        read = read_client_memories(client, environ)
        broken += read.broken
        for file in read.files:
            own = choose_project(file.folder, home, projects) if file.folder else ""
            found += parse_client_file(file, project or own)
    contents = StoreContents(StoreFormat.CORTEXFS, tuple(found), broken=tuple(broken))
    return clean_contents(contents, "", DEFAULT_PROJECT)
