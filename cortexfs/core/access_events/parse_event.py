"""A hook's note in, the looks at atoms that it tells of out."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import DIRECTORY_SEARCH, AccessEvent
from cortexfs.core.access_events.bash import seen_in_shell
from cortexfs.core.access_events.grep import seen_in_search
from cortexfs.core.access_events.payload import read_call, text
from cortexfs.core.access_events.shown_atoms import Found, Seen

if TYPE_CHECKING:
    from cortexfs.core.access_events.path_resolution import Surroundings
    from cortexfs.core.access_events.payload import Call

_NAME = re.compile(r"(\d{1,20})\.\d+", re.ASCII)


def noted_at(name: str) -> str:
    """Tell from a note's name (`<ns>.<pid>`) when it was made: ISO 8601, UTC, milliseconds.

    Empty for a name that no hook gave.
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return ""
    seconds, ns = divmod(int(found[1]), 1_000_000_000)
    moment = datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    return f"{moment.isoformat()}.{ns // 1_000_000:03}Z"


def recognise(note: str, noted_at: str, payload: bytes, around: Surroundings) -> list[AccessEvent]:
    """Give one event for each atom that a tool call showed, in order. Never raises.

    A note whose moment is not known gives none.
    """
    call = read_call(payload)
    if call is None or not noted_at:
        return []
    seen = _seen(call, around)
    nothing = {Found(project, DIRECTORY_SEARCH) for project in seen.searched}
    return [
        AccessEvent(*found, call.tool, noted_at, call.session, call.agent, call.id or note)
        for found in sorted(seen.found | nothing)
    ]


def _seen(call: Call, around: Surroundings) -> Seen:
    match call.tool:
        case "Read" | "cortexfs":
            atom = around.found(around.below(text(call.asked, "file_path"), call.cwd))
            return Seen(frozenset({atom} if atom else ()))
        case "Grep":
            return seen_in_search(call, around)
        case "Bash":
            return seen_in_shell(call, around)
    return Seen()
