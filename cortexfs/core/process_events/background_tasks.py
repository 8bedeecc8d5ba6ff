"""The background tasks of an agent: started by a call, listed at the end of a turn, reported."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.access_events.tool_call import object_field, text_field
from cortexfs.core.process_events.process_event import EventContent, EventType

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.access_events.tool_call import JsonObject
    from cortexfs.core.process_events.client_event import ClientEvent

MAX_TASKS = 50
"""Maximum tasks of one event."""

ENDED_STATUSES = {"completed", "failed", "killed", "stopped", "cancelled", "exited", "error"}
"""The words of clients for a task that does not run."""

_NOTICE = "<task-notification>"
_FIELD = re.compile(
    r"<(task-id|task_id|status|summary)>([^<>]{0,2000})</(?:task-id|task_id|status|summary)>"
)
_ID_KEYS = ("id", "task_id", "taskId")
_STOP_TOOLS = {"KillShell", "KillBash", "TaskStop"}
_OUTPUT_TOOLS = {"BashOutput", "TaskOutput"}
_TASK_KEYS = ("task_id", "shell_id", "bash_id")


def list_task_events(event: ClientEvent, prompt: str = "") -> Iterator[EventContent]:
    """Yield what an event of a client tells about background tasks."""
    if event.name == "UserPromptSubmit":
        yield from _read_notice(prompt)
    elif event.name == "Stop":
        yield from _read_list(event.fields)
    elif event.name == "PostToolUse":
        yield from _read_call(event)


def _read_notice(prompt: str) -> Iterator[EventContent]:
    """Yield the task that a client's notice is about; it arrives as a prompt."""
    if prompt.lstrip().startswith(_NOTICE):
        fields = {name.replace("_", "-"): text for name, text in _FIELD.findall(prompt[:20_000])}
        if task := fields.get("task-id", "").strip():
            yield _make_content(task, fields.get("status", "").strip(), fields.get("summary", ""))


def _read_list(fields: JsonObject) -> Iterator[EventContent]:
    """Yield the tasks that a client lists at the end of a turn."""
    listed = fields.get("background_tasks")
    tasks = (task for task in (listed if isinstance(listed, list) else ()) if _is_task(task))
    for task in islice(tasks, MAX_TASKS):
        about = text_field(task, "description") or text_field(task, "command")
        yield _make_content(_first_field(task, _ID_KEYS), text_field(task, "status"), about)


def _read_call(event: ClientEvent) -> Iterator[EventContent]:
    """Yield the task that a call has started, asked about, or stopped."""
    response = object_field(event.fields, "tool_response") or {}
    about = text_field(event.tool_input, "description")
    if task := text_field(response, "backgroundTaskId"):
        yield EventContent(EventType.TASK_STARTED, task, about or event.shell_command)
    elif response.get("isAsync") is True and (agent := text_field(response, "agentId")):
        yield EventContent(EventType.AGENT_STARTED, agent, about)
    elif task := _first_field(event.tool_input, _TASK_KEYS):
        if event.tool in _STOP_TOOLS:
            yield EventContent(EventType.TASK_ENDED, task, "stopped")
        elif event.tool in _OUTPUT_TOOLS:
            reported = object_field(response, "task") or response
            yield _make_content(task, text_field(reported, "status"), "")


def _make_content(task: str, status: str, about: str) -> EventContent:
    kind = EventType.TASK_ENDED if status.lower() in ENDED_STATUSES else EventType.TASK_STATUS
    return EventContent(kind, task, ": ".join(filter(None, (status, about))))


def _is_task(task: object) -> bool:
    return isinstance(task, dict) and bool(_first_field(task, _ID_KEYS))


def _first_field(fields: JsonObject, keys: tuple[str, ...]) -> str:
    return next(filter(None, (text_field(fields, key) for key in keys)), "")
