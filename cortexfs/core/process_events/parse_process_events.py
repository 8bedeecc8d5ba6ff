"""Parse a hook's note into process events: what agents do, without the content of their work."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from cortexfs.core.access_events.tool_call import object_field, text_field
from cortexfs.core.process_events.background_tasks import list_task_events
from cortexfs.core.process_events.client_event import OWN_EVENT, read_client_event
from cortexfs.core.process_events.edited_paths import list_edited_paths
from cortexfs.core.process_events.event_text import clean_event_text, clean_id
from cortexfs.core.process_events.process_event import EventContent, EventType, ProcessEvent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.access_events.tool_call import JsonObject
    from cortexfs.core.process_events.client_event import ClientEvent
    from cortexfs.core.process_events.edited_paths import Places

MAX_EVENTS = 64
"""Maximum events of one note."""

_OWN_TOOL = re.compile(r"(?:mcp__(?:plugin_)?|mcp_)?cortexfs(?:_|$)")
_OWN_COMMAND = re.compile(r"(?:^|[;&|(]\s{0,9}|/)cortexfs(?=\s|$)")
_MAX_COMMAND_CHARS = 4096
_READ_TOOLS = ("Read", "Grep", "Glob", "cortexfs")
"""Tools whose calls that succeeded are only reads; a tuple, because the name can be anything."""
_TARGET_KEYS = ("file_path", "path", "pattern", "url", "query")
"""The arguments of a failed call that say what it was about, the first one that it has."""


def parse_process_events(
    note: str, note_time: str, event: JsonObject, places: Places
) -> list[ProcessEvent]:
    """Return the process events in the event of a client, most often none or one. Never raises.

    A note without a time gives none. Our own calls and texts are left out. Of several events the
    second has the note `NOTE/01`, so that each note counts once.
    """
    if event.get("hook_event_name") == "PostToolUse" and event.get("tool_name") in _READ_TOOLS:
        return []  # nearly all notes
    parsed = read_client_event(event)
    find = _FINDERS.get(parsed.name)
    if find is None or not note_time:
        return []
    contents = list(islice(find(parsed, places), MAX_EVENTS))
    if not contents:
        return []
    project = _find_project(parsed, places)
    return [
        ProcessEvent(
            time=note_time,
            type=content.type,
            client=clean_id(parsed.client),
            session=clean_id(parsed.session),
            agent=clean_id(content.agent),
            project=project,
            text=clean_event_text(content.text),
            note=f"{note}/{number:02}" if number else note,
        )
        for number, content in enumerate(contents)
    ]


def _find_project(event: ClientEvent, places: Places) -> str:
    """Return the project of an event: the one that it names, else that of its working folder."""
    named = clean_id(text_field(event.fields, "project")) if event.name == OWN_EVENT else ""
    return named or places.locate(event.cwd).project


def _find_own_event(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    """Yield the event that `cortexfs event` has noted."""
    if (name := text_field(event.fields, "event")) in set(EventType):
        yield EventContent(EventType(name), event.agent, text_field(event.fields, "text"))


def _find_session_start(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    yield EventContent(EventType.SESSION_STARTED, "", text_field(event.fields, "source"))


def _find_session_end(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    yield EventContent(EventType.SESSION_ENDED, "", text_field(event.fields, "reason"))


def _find_prompt(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    """Yield a prompt of the user, or the notice that a task ended, which comes as one."""
    prompt = text_field(event.fields, "prompt") or _join_text_parts(event.fields)
    tasks = list(list_task_events(event, prompt))
    yield from tasks
    if not tasks and (not prompt or clean_event_text(prompt)):
        yield EventContent(EventType.PROMPT, event.agent, prompt)


def _join_text_parts(fields: JsonObject) -> str:
    """Return the text of a message of OpenCode, which has parts."""
    holder = object_field(fields, "output") or fields
    parts = holder.get("parts")
    texts = (
        text_field(part, "text")
        for part in (parts if isinstance(parts, list) else ())
        if isinstance(part, dict) and not part.get("synthetic")
    )
    return "\n".join(text for text in texts if text)


def _find_turn_end(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    yield from list_task_events(event)
    listed = event.fields.get("background_tasks")
    count = len(listed) if isinstance(listed, list) else None
    text = "" if count is None else f"background tasks: {count}"
    yield EventContent(EventType.TURN_ENDED, event.agent, text)


def _find_compaction(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    yield EventContent(EventType.COMPACTED, "", text_field(event.fields, "trigger"))


def _find_agent_start(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    if event.agent:
        title = text_field(object_field(event.fields, "info") or {}, "title")
        yield EventContent(
            EventType.AGENT_STARTED, event.agent, text_field(event.fields, "agent_type") or title
        )


def _find_agent_end(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    """Yield the end of a sub-agent; those of Claude Code itself, for summaries, have no type."""
    if event.agent and event.fields.get("agent_type") != "":
        yield EventContent(
            EventType.AGENT_ENDED, event.agent, text_field(event.fields, "agent_type")
        )


def _find_tool_failure(event: ClientEvent, _: Places) -> Iterator[EventContent]:
    """Yield a failed call; one that the user has interrupted did not fail."""
    if not _is_own_call(event) and event.fields.get("is_interrupt") is not True and event.tool:
        named = (text_field(event.tool_input, key) for key in _TARGET_KEYS)
        target = next(filter(None, named), "")
        text = event.shell_command or f"{event.tool} {target}"
        yield EventContent(EventType.TOOL_FAILED, event.agent, text)


def _find_tool_effects(event: ClientEvent, places: Places) -> Iterator[EventContent]:
    """Yield the tasks that a call started or ended, and the files that it edited."""
    if not _is_own_call(event):
        yield from list_task_events(event)
        for path in list_edited_paths(event, places):
            yield EventContent(EventType.FILE_EDITED, event.agent, path)


def _is_own_call(event: ClientEvent) -> bool:
    command = event.shell_command[:_MAX_COMMAND_CHARS]
    return bool(_OWN_TOOL.match(event.tool) or _OWN_COMMAND.search(command))


_FINDERS: dict[str, Callable[[ClientEvent, Places], Iterator[EventContent]]] = {
    OWN_EVENT: _find_own_event,
    "SessionStart": _find_session_start,
    "SessionEnd": _find_session_end,
    "UserPromptSubmit": _find_prompt,
    "Stop": _find_turn_end,
    "PreCompact": _find_compaction,
    "SubagentStart": _find_agent_start,
    "SubagentStop": _find_agent_end,
    "PostToolUse": _find_tool_effects,
    "PostToolUseFailure": _find_tool_failure,
}
