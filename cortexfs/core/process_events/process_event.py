"""One event in the life of an agent's session, as it stands in the event log."""

from __future__ import annotations

import json
import re
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

MAX_TEXT_CHARS = 300
"""Maximum characters of an event's text."""


class EventType(StrEnum):
    """What happened; `cortexfs event` takes these names."""

    SESSION_STARTED = "session-started"
    SESSION_ENDED = "session-ended"
    PROMPT = "prompt"
    TURN_ENDED = "turn-ended"
    COMPACTED = "compacted"
    AGENT_STARTED = "agent-started"
    AGENT_ENDED = "agent-ended"
    TASK_STARTED = "task-started"
    TASK_STATUS = "task-status"
    TASK_ENDED = "task-ended"
    TOOL_FAILED = "tool-failed"
    FILE_EDITED = "file-edited"
    FLAGGED = "flagged"
    """By `cortexfs` itself: a task was silent for too long, or a sub-agent too old."""


class EventContent(NamedTuple):
    """What a client's event tells: type, id of the sub-agent or task (or empty), and raw text."""

    type: EventType
    agent: str
    text: str


class ProcessEvent(NamedTuple):
    """One event: time (ISO 8601, UTC, milliseconds), type, and whose it is.

    `agent` is the id of a sub-agent or background task; empty for the session itself. `project` is
    a project of the tree or the name of the repository the agent works in; empty if unknown.
    `text` is one line without secrets and private parts: the prompt, the failed command (of other
    tools than the shell the tool and its target), the edited path, the task or its status, the
    source or reason of a session's start or end. `note` is unique, so that a repeated event counts
    once.
    """

    time: str
    type: EventType
    client: str
    session: str
    agent: str = ""
    project: str = ""
    text: str = ""
    note: str = ""


_MAX_CHARS = 1000
"""Maximum characters of any field of a line."""
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z", re.ASCII)
_KEYS = {"time": "ts", "type": "event"}
_NAMES = tuple((name, _KEYS.get(name, name)) for name in ProcessEvent._fields)


def format_event_line(event: ProcessEvent) -> str:
    """Return one line of JSON, with its line end; empty fields are left out."""
    fields = {key: str(value) for name, key in _NAMES if (value := getattr(event, name))}
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")) + "\n"


def parse_event_line(line: str) -> ProcessEvent | None:
    """Return the event of a line; None if it is none.

    The log is private but not trusted: an event with a text that is too long is none.
    """
    try:
        fields = json.loads(line)
        texts = {name: fields.get(key, "") for name, key in _NAMES}
        kind = EventType(texts.pop("type"))
    except (ValueError, AttributeError, RecursionError):
        return None
    if not all(isinstance(text, str) and len(text) <= _MAX_CHARS for text in texts.values()):
        return None
    return ProcessEvent(type=kind, **texts) if _is_time(texts["time"]) else None


def parse_event_time(time: str) -> datetime:
    """Return the moment of an event's time."""
    return datetime.fromisoformat(time)


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.fromisoformat(text))
    except ValueError:
        return False
