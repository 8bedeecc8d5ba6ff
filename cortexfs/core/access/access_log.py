"""The access log: one line of JSON for each access event."""

from __future__ import annotations

import json
from typing import NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.conflict_markers import is_conflict_marker, make_conflict_flaw
from cortexfs.core.text.plural import format_count

MAX_BAD_LINES = 100
"""Maximum number of invalid lines of a log that get a flaw each; the others are counted."""
DIRECTORY_SEARCH = "_directory_search"
"""Used instead of a file name where a folder of atoms was searched without a match."""


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


def identify_session(project: str, entry: AccessLogEntry, ts: str) -> str:
    """Return the session of an access event; without one, its project and hour (UTC)."""
    return entry.session or f"{project} {ts[:13]}"


def format_log_line(event: AccessEvent) -> str:
    """Return an event as one line of JSON; the project is implied by the log's path."""
    fields = {"file": event.file, "tool": event.tool, "ts": event.ts}
    extra = {"session": event.session, "agent": event.agent, "note": event.note}
    fields |= {key: value for key, value in extra.items() if value}
    valid = {key: value.encode(errors="replace").decode() for key, value in fields.items()}
    # some readers also split lines at U+2028 and the like: such characters are escaped
    has_unprintable = not "".join(valid.values()).isprintable()
    return json.dumps(valid, ensure_ascii=has_unprintable, separators=(",", ":")) + "\n"


def parse_access_log(log: str) -> tuple[list[AccessLogEntry], list[Flaw]]:
    """Return the access events of a log, and a flaw for each line that is not an event.

    A crash may leave such a line at the end. All conflict markers together are one flaw, as are all
    invalid lines after the first `MAX_BAD_LINES`.
    """
    entries: list[AccessLogEntry] = []
    flaws: list[Flaw] = []
    decode = json.JSONDecoder().raw_decode
    has_conflict, bad_lines, first_counted = False, 0, 0
    for number, row in enumerate(log.split("\n"), start=1):
        try:
            if text := row.strip(" \t\r\ufeff"):
                fields, end = decode(text)
                entries.append(_parse_entry(fields if end == len(text) else None))
        except (ValueError, RecursionError) as error:
            if not is_conflict_marker(row):
                bad_lines += 1
                if bad_lines <= MAX_BAD_LINES:
                    flaws.append(Flaw("bad-log-line", f"not an access event: {error}", line=number))
                elif not first_counted:
                    first_counted = number
            elif not has_conflict:
                has_conflict = True
                flaws.append(make_conflict_flaw(number))
    if bad_lines > MAX_BAD_LINES:
        more = format_count(bad_lines - MAX_BAD_LINES, "more line")
        flaws.append(Flaw("bad-log-line", f"not access events: {more} from here", first_counted))
    return entries, flaws


def _parse_entry(fields: object) -> AccessLogEntry:
    """Return the access event in a line's JSON. Raises ValueError if `file` or `ts` is missing."""
    if not isinstance(fields, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - the caller catches one exception
    values = [fields.get(key, "") for key in AccessLogEntry._fields]
    if set(map(type, values)) != {str}:
        values = [value if isinstance(value, str) else "" for value in values]
    entry = AccessLogEntry(*values)
    if not entry.file or not entry.ts:
        raise ValueError("`file` and `ts` must be non-empty strings")
    "".join(entry).encode()  # raises a ValueError for a lone surrogate
    return entry
