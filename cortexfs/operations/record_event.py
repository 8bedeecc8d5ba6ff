"""Record a process event, as the hook of a client does."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.process_events.client_event import OWN_EVENT
from cortexfs.core.process_events.event_text import MAX_ID_CHARS, clean_id
from cortexfs.core.process_events.process_event import EventType
from cortexfs.errors import Refused, Usage
from cortexfs.operations.drain_command import DRAIN_SCRIPT, drain_command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.session.session import Session

MAX_TEXT_CHARS = 10_000
"""Maximum characters of a text as typed; an event keeps the first 300."""
_MAX_TRIES = 100
_AGENT_TYPES = {
    EventType.AGENT_STARTED,
    EventType.AGENT_ENDED,
    EventType.TASK_STARTED,
    EventType.TASK_STATUS,
    EventType.TASK_ENDED,
}
USER_TYPES = tuple(kind.value for kind in EventType if kind is not EventType.FLAGGED)
"""The types that a user may record."""


class EventFields(NamedTuple):
    """The fields of an event, as typed."""

    type: str
    session: str = ""
    agent: str = ""
    text: str = ""
    project: str = ""
    client: str = ""


def record_event(
    session: Session, fields: EventFields, cwd: str, environ: Mapping[str, str]
) -> None:
    """Check an event, write it to the spool, and make sure that a drain waits for quiet.

    Without a project it is that of the working directory. Raises `Usage` for invalid fields, and
    `Refused` if the tree keeps no events.
    """
    _check_fields(fields)
    if not session.settings.supervision.is_on:
        raise Refused(
            "this tree keeps no process events: `supervision: off`",
            hint="remove the line from cortexfs.yaml",
        )
    spool_event(session, fields, cwd)
    script = session.tree.package_path(DRAIN_SCRIPT)
    session.tree.spool.start_drain(drain_command(session, script), environ)


def spool_event(session: Session, fields: EventFields, cwd: str) -> None:
    """Write the note of an event under a free name; raises `Refused` if none is near its time."""
    payload = {
        "hook_event_name": OWN_EVENT,
        "event": fields.type,
        "session_id": fields.session,
        "agent_id": fields.agent,
        "text": fields.text[:MAX_TEXT_CHARS],
        "project": fields.project,
        "client": fields.client,
        "cwd": cwd,
    }
    content = json.dumps({key: value for key, value in payload.items() if value}).encode()
    now_ns = int(session.clock().timestamp() * 1_000_000) * 1000
    for attempt in range(_MAX_TRIES):
        with suppress(FileExistsError):
            session.tree.spool.add_note(f"{now_ns + attempt}.{os.getpid()}", content)
            return
    raise Refused("too many events at one moment", hint="repeat the command")


def _check_fields(fields: EventFields) -> None:
    if fields.type not in USER_TYPES:
        from cortexfs.core.text.nearest_names import nearest_names  # noqa: PLC0415 - only an error needs it

        close = nearest_names(fields.type, USER_TYPES)
        hint = f"did you mean `{close[0]}`?" if close else f"one of {', '.join(USER_TYPES)}"
        raise Usage(f"no event type `{clean_id(fields.type)}`", hint=hint)
    if not fields.agent and fields.type in _AGENT_TYPES:
        raise Usage(f"`{fields.type}` needs the id of a sub-agent or task", hint="add `--agent ID`")
    if not fields.session and fields.type not in _AGENT_TYPES:
        raise Usage(f"`{fields.type}` needs the id of a session", hint="add `--session ID`")
    for name in ("session", "agent", "project", "client"):
        value = getattr(fields, name)
        if clean_id(value) != value:
            raise Usage(
                f"`--{name}` must be one line without secrets, of at most {MAX_ID_CHARS} characters"
            )
