"""One text that a hook or a tool gave to an agent, as it stands in the record of a day."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from typing import NamedTuple

from cortexfs.core.bulletin.measure_text import estimate_tokens
from cortexfs.core.text.sanitize import redact_secrets

MAX_TEXT_CHARS = 40_000
MAX_NAME_CHARS = 200
_NS = 10**9
_SOURCE = re.compile(r'<cortex-memory source="([^"]{1,200})">')
_REF = re.compile(
    r"(?<![\w/.-])[a-z0-9][a-z0-9._-]{0,63}/[A-Z][A-Z0-9]{0,7}-\d{3,12}[a-z]?(?![\w-])"
)
_PATH = re.compile(r"(?<![\w/.-])(?:projects|user)/[\w./-]{1,200}\.(?:md|yaml)(?![\w-])")


class GivenText(NamedTuple):
    """What was given, when (ISO 8601, UTC), to which session and sub-agent, and at which event.

    The client is empty where it is not known. The event of an answer is the name of the tool.
    """

    time: str
    client: str
    session: str
    agent: str
    event: str
    text: str

    @property
    def source(self) -> str:
        """What the text says of its source; empty if nothing."""
        found = _SOURCE.search(self.text)
        return found[1] if found else ""

    @property
    def tokens(self) -> int:
        """An estimate of its length in tokens, rather too high than too low."""
        return estimate_tokens(self.text)

    @property
    def refs(self) -> tuple[str, ...]:
        """The atoms that it names, each once."""
        return tuple(dict.fromkeys(_REF.findall(self.text)))

    @property
    def paths(self) -> tuple[str, ...]:
        """The other files of the tree that it names, each once."""
        return tuple(dict.fromkeys(_PATH.findall(self.text)))


def format_given_line(time_ns: int, given: GivenText) -> str:
    """Return a text as a line of the record, with its time in nanoseconds since 1970."""
    fields = {
        "ns": time_ns,
        "hook_event_name": given.event,
        "session_id": given.session[:MAX_NAME_CHARS],
        "agent_id": given.agent[:MAX_NAME_CHARS],
        "client": given.client[:MAX_NAME_CHARS],
        "text": given.text[:MAX_TEXT_CHARS],
    }
    return json.dumps(fields) + "\n"


def parse_given_line(line: str) -> GivenText | None:
    """Return the text of a line; None for a torn or foreign one. Never raises."""
    try:
        found = json.loads(line)
        time = datetime.fromtimestamp(int(found["ns"]) // _NS, UTC)
        names = ("client", "session_id", "agent_id", "hook_event_name", "text")
        client, session, agent, event, text = (found[name] for name in names)
    except (ValueError, KeyError, TypeError, OverflowError, OSError, RecursionError):
        return None
    if not all(isinstance(each, str) for each in (client, session, agent, event, text)):
        return None
    text = redact_secrets(text[:MAX_TEXT_CHARS])
    return GivenText(f"{time:%Y-%m-%dT%H:%M:%SZ}", client, session, agent, event, text)
