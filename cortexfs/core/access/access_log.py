"""The access log: one line for each look at an atom, and what lines add up to."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw

if TYPE_CHECKING:
    from collections.abc import Sequence

CONFLICT = "conflict-marker"
DIRECTORY_SEARCH = "_directory_search"
"""Stands in place of a file where a folder of atoms was searched and none matched."""


_MARKER = re.compile(r"(?:<{7}|\|{7}|={7}|>{7})(?: |$)")


class AccessEvent(NamedTuple):
    """One look at one atom. `note` names what it was noted from: a replay counts once."""

    project: str
    file: str
    tool: str
    ts: str
    session: str = ""
    agent: str = ""
    note: str = ""


class AccessLogEntry(NamedTuple):
    """One line of a log, as it is read back."""

    file: str
    ts: str
    tool: str = ""
    session: str = ""
    note: str = ""


class ReadStats(NamedTuple):
    """How often an atom was looked at, and when last (ISO 8601)."""

    read_count: int
    last_read: str


def identify_session(project: str, look: AccessLogEntry, ts: str) -> str:
    """Name the session of a look; where its line names none, the hour (UTC) of its project."""
    return look.session or f"{project} {ts[:13]}"


def format_log_line(event: AccessEvent) -> str:
    """Write an event as one line; its project is the one in which the log lies."""
    fields = {"file": event.file, "tool": event.tool, "ts": event.ts}
    extra = {"session": event.session, "agent": event.agent, "note": event.note}
    fields |= {key: value for key, value in extra.items() if value}
    whole = {key: value.encode(errors="replace").decode() for key, value in fields.items()}
    strange = not "".join(whole.values()).isprintable()  # some readers part lines at such
    return json.dumps(whole, ensure_ascii=strange, separators=(",", ":")) + "\n"


def parse_access_log(log: str | bytes) -> tuple[list[AccessLogEntry], list[Flaw]]:
    """Read the lines of a log; one that is no event is passed over and reported.

    Among them is the torn last line of a machine that stopped while writing.
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
    """Tell whether a line is a conflict marker that a merge has left."""
    return _MARKER.match(row.rstrip("\r")) is not None


def _conflict(line: int) -> Flaw:
    return Flaw(CONFLICT, "a merge left its markers", line=line)


def _look(fields: object) -> AccessLogEntry:
    """Take from a line's JSON what counts. Raises ValueError where that is not there."""
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
