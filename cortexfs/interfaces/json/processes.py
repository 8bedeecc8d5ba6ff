"""JSON of what runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.process_events.agent_process import AgentProcess


def to_process_json(process: AgentProcess) -> dict[str, str]:
    """Return one process; fields without a value are left out."""
    fields = {
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
    return {key: value for key, value in fields.items() if value}
