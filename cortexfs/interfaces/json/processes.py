"""JSON of what runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess
    from cortexfs.interfaces.json.documents.tree_state import ProcessDocument


def to_process_json(process: AgentProcess) -> ProcessDocument:
    """Return one process; fields without a value are left out."""
    document: ProcessDocument = {
        "type": process.type.value,
        "session": process.session,
        "agent": process.agent,
        "client": process.client,
        "project": process.project,
        "started": process.started,
        "last-seen": process.last_seen,
        "state": process.state.value,
        "flagged": process.flagged,
        "text": process.text,
    }
    return cast("ProcessDocument", {key: value for key, value in document.items() if value})
