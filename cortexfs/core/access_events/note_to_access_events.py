"""Parse a hook's note into access events for the atoms that a tool call showed."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import DIRECTORY_SEARCH, AccessEvent
from cortexfs.core.access_events.bash_tool import find_atoms_shown_by_shell
from cortexfs.core.access_events.grep_tool import find_atoms_shown_by_grep
from cortexfs.core.access_events.payloads.parse_tool_call import parse_event_object, read_tool_call
from cortexfs.core.access_events.shown_atom_types import AtomFileName, ShownAtoms
from cortexfs.core.access_events.tool_call import text_field
from cortexfs.core.text.sanitize import redact_secrets

if TYPE_CHECKING:
    from cortexfs.core.access_events.path_resolution import PathResolver
    from cortexfs.core.access_events.tool_call import JsonObject, ToolCall

_NOTE_NAME = re.compile(r"(\d{1,20})\.\d+", re.ASCII)


def parse_note_time(name: str) -> str:
    """Return the time in a note's name (`<ns>.<pid>`): ISO 8601, UTC, milliseconds.

    Returns an empty string for a name of another form.
    """
    found = _NOTE_NAME.fullmatch(name)
    if found is None:
        return ""
    seconds, ns = divmod(int(found[1]), 1_000_000_000)
    moment = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{moment.isoformat()}.{ns // 1_000_000:03}Z"


def parse_access_events(
    note: str, note_time: str, payload: bytes, resolver: PathResolver
) -> list[AccessEvent]:
    """Return the access events in the payload of a note. Never raises."""
    return find_access_events(note, note_time, parse_event_object(payload), resolver)


def find_access_events(
    note: str, note_time: str, event: JsonObject, resolver: PathResolver
) -> list[AccessEvent]:
    """Return one event for each atom that a tool call showed, sorted.

    Secrets in the event are redacted: the log is committed unasked. A note without a time gives
    no events.
    """
    call = read_tool_call(event)
    if call is None or not note_time:
        return []
    shown = _find_shown_atoms(call, resolver)
    searches = {AtomFileName(project, DIRECTORY_SEARCH) for project in shown.searched_projects}
    session, agent, call_id = map(redact_secrets, (call.session, call.agent, call.id))
    key = call.id if call.id and call_id == call.id else note
    return [
        AccessEvent(project, redact_secrets(file), call.tool, note_time, session, agent, key)
        for project, file in sorted(shown.atoms | searches)
    ]


def _find_shown_atoms(call: ToolCall, resolver: PathResolver) -> ShownAtoms:
    match call.tool:
        case "Read" | "cortexfs":
            atom = resolver.find_atom(
                resolver.to_tree_path(text_field(call.tool_input, "file_path"), call.cwd)
            )
            return ShownAtoms(frozenset({atom} if atom else ()))
        case "Grep":
            return find_atoms_shown_by_grep(call, resolver)
        case "Bash":
            return find_atoms_shown_by_shell(call, resolver)
    return ShownAtoms()
