"""The access log: one line of JSON for each access event."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFLICT = "conflict-marker"
DIRECTORY_SEARCH = "_directory_search"
"""Used instead of a file name where a folder of atoms was searched without a match."""


_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: |$)")


class AccessEvent(NamedTuple):
    """One read of one atom.

    `ts` is ISO 8601 in UTC. `note` identifies the tool call or the spool note: an event that is
    replayed counts once.
    """

    project: str
    file: str
    tool: str
    ts: str
    session: str = ""
    agent: str = ""
    note: str = ""


class AccessLogEntry(NamedTuple):
    """One access event as parsed from a line of the log."""

    file: str
    ts: str
    tool: str = ""
    session: str = ""
    note: str = ""


class ReadStats(NamedTuple):
    """The read count of an atom and the time of its last read (ISO 8601)."""

    read_count: int
    last_read: str


def identify_session(project: str, look: AccessLogEntry, ts: str) -> str:
    """Return the session of an access event; without one, its project and hour (UTC)."""
    return look.session or f"{project} {ts[:13]}"


def format_log_line(event: AccessEvent) -> str:
    """Return an event as one line of JSON; the project is implied by the log's path."""
    fields = {"file": event.file, "tool": event.tool, "ts": event.ts}
    extra = {"session": event.session, "agent": event.agent, "note": event.note}
    fields |= {key: value for key, value in extra.items() if value}
    whole = {key: value.encode(errors="replace").decode() for key, value in fields.items()}
    strange = not "".join(whole.values()).isprintable()  # some readers part lines at such
    return json.dumps(whole, ensure_ascii=strange, separators=(",", ":")) + "\n"


def parse_access_log(log: str | bytes) -> tuple[list[AccessLogEntry], list[Flaw]]:
    """Return the access events of a log, and a flaw for each line that is not one.

    A last line that is incomplete after a crash is such a line.
    """
    looks: list[AccessLogEntry] = []
    flaws: list[Flaw] = []
    read = json.JSONDecoder().raw_decode
    rows: Sequence[str | bytes] = log.split(b"\n") if isinstance(log, bytes) else log.split("\n")
    for number, row in enumerate(rows, start=1):
        try:
            text = (row if isinstance(row, str) else row.decode()).strip(" \t\r\ufeff")
            if text:
                fields, end = read(text)
                looks.append(_look(fields if end == len(text) else None))
        except (ValueError, RecursionError) as error:
            if isinstance(row, str) and is_marker(row):
                flaws += () if any(flaw.code == CONFLICT for flaw in flaws) else [_conflict(number)]
                continue
            flaws.append(Flaw("bad-log-line", f"not an access event: {error}", line=number))
    return looks, flaws


def is_marker(row: str) -> bool:
    """Return whether a line is a conflict marker left by a merge."""
    return _MARKER.match(row.rstrip("\r")) is not None


def _conflict(line: int) -> Flaw:
    return Flaw(CONFLICT, "a merge left its markers", line=line)


def _look(fields: object) -> AccessLogEntry:
    """Return the access event in a line's JSON. Raises ValueError if `file` or `ts` is missing."""
    if not isinstance(fields, dict):
        raise ValueError("not one object")  # noqa: TRY004 - the caller knows one kind of wrong
    values = [fields.get(key, "") for key in AccessLogEntry._fields]
    if set(map(type, values)) != {str}:
        values = [value if isinstance(value, str) else "" for value in values]
    look = AccessLogEntry(*values)
    if not look.file or not look.ts:
        raise ValueError("`file` and `ts` are texts, and needed")
    "".join(look).encode()  # half of a character, escaped, is no text
    return look
