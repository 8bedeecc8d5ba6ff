"""Find what runs, from the process events of the last days."""

from __future__ import annotations

from collections import defaultdict, deque
from datetime import timedelta
from typing import TYPE_CHECKING

from cortexfs.core.process_events.agent_process import AgentProcess, ProcessState, ProcessType
from cortexfs.core.process_events.process_event import EventType

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from datetime import datetime

    from cortexfs.core.process_events.process_event import ProcessEvent
    from cortexfs.core.settings.supervision_settings import SupervisionSettings

    Key = tuple[str, str]
    Processes = dict[Key, AgentProcess]
    Tasks = dict[Key, deque[Key]]
    """The tasks that may run, by session and client."""

MAX_TASKS = 256
"""Maximum tasks of one session, the latest, that end when its client no longer lists them."""

_STARTS = {
    EventType.AGENT_STARTED: ProcessType.SUB_AGENT,
    EventType.TASK_STARTED: ProcessType.TASK,
    EventType.TASK_STATUS: ProcessType.TASK,
}
_ENDS = {EventType.AGENT_ENDED, EventType.TASK_ENDED}
_WORK = {EventType.PROMPT, EventType.TOOL_FAILED, EventType.FILE_EDITED}
_LISTED_TASKS = "background tasks: "
_CLIENT_WITH_CHILD_SESSIONS = "opencode"
_SAME_SESSION = "compact"
_WAITING = "waiting"


def find_processes(
    events: Iterable[ProcessEvent], now: datetime, settings: SupervisionSettings
) -> list[AgentProcess]:
    """Return all processes of some events, which are in the order of time.

    Sessions are in the order of their start, each followed by its sub-agents and tasks.
    """
    found: Processes = {}
    tasks: Tasks = defaultdict(lambda: deque(maxlen=MAX_TASKS))
    for event in _resolve_child_sessions(events):
        if event.type is EventType.FLAGGED:
            _flag(found, event)
            continue
        if event.session:
            _update_session(found, event)
        if event.agent:
            _update_agent(found, tasks, event)
        if event.type is EventType.TURN_ENDED and event.text.startswith(_LISTED_TASKS):
            _end_unlisted_tasks(found, tasks[event.session, event.client], event)
    judged = [_judge(process, found, now, settings) for process in found.values()]
    starts = {process.session: process.started for process in judged if not process.agent}
    return sorted(judged, key=lambda each: _make_sort_key(each, starts))


def _make_sort_key(process: AgentProcess, starts: Mapping[str, str]) -> tuple[str | bool, ...]:
    """Return the position of a process: after its session, whose start `starts` has."""
    start = starts.get(process.session, process.started)
    return start, process.session, bool(process.agent), process.started, process.agent


def _resolve_child_sessions(events: Iterable[ProcessEvent]) -> Iterator[ProcessEvent]:
    """Yield the events; those of a sub-agent with a session of its own as events of its parent's.

    Such a sub-agent, of OpenCode, ends with its only turn.
    """
    parents: dict[str, str] = {}
    for event in events:
        if event.type is EventType.AGENT_STARTED and event.client == _CLIENT_WITH_CHILD_SESSIONS:
            parents[event.agent] = event.session
        if (parent := parents.get(event.session)) is None or event.agent:
            yield event
        else:
            is_end = event.type in {EventType.TURN_ENDED, EventType.SESSION_ENDED}
            kind = EventType.AGENT_ENDED if is_end else event.type
            yield event._replace(type=kind, session=parent, agent=event.session)


def _update_session(found: Processes, event: ProcessEvent) -> None:
    """Update a session after an event of its own, or of a part of it."""
    key = (event.session, "")
    before = found.get(key)
    if before is None or (before.state is ProcessState.ENDED and _restarts(event)):
        before = _make_process(ProcessType.SESSION, event)._replace(agent="", text="")
    elif before.state is ProcessState.ENDED:
        return
    found[key] = before._replace(
        last_seen=event.time,
        project=before.project or event.project,
        state=_find_session_state(before.state, event),
        text=event.text if event.type is EventType.PROMPT and not event.agent else before.text,
    )


def _restarts(event: ProcessEvent) -> bool:
    """Return whether an event begins a session again after its end."""
    return event.type in {EventType.SESSION_STARTED, EventType.PROMPT}


def _find_session_state(before: ProcessState, event: ProcessEvent) -> ProcessState:
    if event.agent:
        return before
    match event.type:
        case EventType.SESSION_ENDED:
            return ProcessState.ENDED
        case EventType.TURN_ENDED:
            return ProcessState.WAITING
        case EventType.SESSION_STARTED:
            return before if event.text == _SAME_SESSION else ProcessState.WAITING
    return ProcessState.RUNNING if event.type in _WORK else before


def _update_agent(found: Processes, tasks: Tasks, event: ProcessEvent) -> None:
    """Update a sub-agent or task after an event of it."""
    key = (event.session, event.agent)
    before = found.get(key)
    starts = event.type in {EventType.AGENT_STARTED, EventType.TASK_STARTED}
    if before is None or (starts and before.state is ProcessState.ENDED):
        if event.type in _STARTS:
            found[key] = _update_status(_make_process(_STARTS[event.type], event), event)
            tasks[event.session, event.client].append(key)
        return
    if before.state is ProcessState.ENDED:
        return
    if starts and event.text not in before.text:
        text = ": ".join(filter(None, (before.text, event.text)))
        before = before._replace(text=text)
    ended = event.type in _ENDS
    state = ProcessState.ENDED if ended else before.state
    found[key] = _update_status(before._replace(last_seen=event.time, state=state), event)


def _update_status(process: AgentProcess, event: ProcessEvent) -> AgentProcess:
    """Return a process after its status was reported: a word, and often a description."""
    if event.type is not EventType.TASK_STATUS:
        return process
    status, _, about = event.text.partition(": ")
    waits = status.lower().startswith(_WAITING)
    known = "" if process.text == event.text else process.text
    return process._replace(
        state=ProcessState.WAITING if waits else ProcessState.RUNNING, text=known or about or status
    )


def _end_unlisted_tasks(found: Processes, keys: deque[Key], event: ProcessEvent) -> None:
    """End the tasks that a client no longer lists: those that it lists were seen just now."""
    listed = []
    for key in keys:
        process = found[key]
        if process.type is ProcessType.TASK and process.state is not ProcessState.ENDED:
            if process.last_seen < event.time:
                found[key] = process._replace(state=ProcessState.ENDED)
            else:
                listed.append(key)
    keys.clear()
    keys.extend(listed)


def _flag(found: Processes, event: ProcessEvent) -> None:
    """Note that a process was flagged, which is no sign of life."""
    key = (event.session, event.agent)
    if key in found:
        found[key] = found[key]._replace(flagged=event.time)


def _make_process(kind: ProcessType, event: ProcessEvent) -> AgentProcess:
    return AgentProcess(
        type=kind,
        session=event.session,
        agent=event.agent,
        client=event.client,
        project=event.project,
        started=event.time,
        last_seen=event.time,
        text=event.text,
    )


def _judge(
    process: AgentProcess, found: Processes, now: datetime, settings: SupervisionSettings
) -> AgentProcess:
    """Return a process with its state at a moment."""
    above = found.get((process.session, ""))
    if process.state is ProcessState.ENDED:
        return process
    if process.agent and above is not None and above.state is ProcessState.ENDED:
        return process._replace(state=ProcessState.ENDED)
    silence = process.compute_silence(now)
    if silence > timedelta(seconds=settings.lost_after_s):
        return process._replace(state=ProcessState.LOST)
    limit = timedelta(seconds=settings.silent_after_s)
    if process.state is ProcessState.RUNNING and limit and silence > limit:
        return process._replace(state=ProcessState.SILENT)
    return process
