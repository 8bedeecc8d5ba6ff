"""The text of an event: one line without secrets, private parts and what we emitted."""

from __future__ import annotations

from cortexfs.core.process_events.process_event import MAX_TEXT_CHARS
from cortexfs.core.text.sanitize import redact_secrets, to_one_line, truncate_line

MAX_ID_CHARS = 128
"""Maximum characters of the id of a session, sub-agent or task, and of a project."""
_MAX_SEARCHED_CHARS = 20_000
"""Maximum characters that are searched for secrets: far more than an event keeps."""


def clean_event_text(text: str) -> str:
    """Return a text of a person or an agent as that of an event; empty if all of it was ours."""
    from cortexfs.core.memory.emitted_text import strip_emitted_text  # noqa: PLC0415 - ids need neither
    from cortexfs.core.memory.redact_private import redact_private  # noqa: PLC0415

    shown = redact_private(strip_emitted_text(text))
    if len(shown) > _MAX_SEARCHED_CHARS:  # without the word that is cut: it may be half a secret
        head = shown[:_MAX_SEARCHED_CHARS]
        shown = head[: max(head.rfind(" "), head.rfind("\n"), 0)]
    return truncate_line(redact_secrets(shown), MAX_TEXT_CHARS)


def clean_id(text: str) -> str:
    """Return an id as it stands in an event."""
    return to_one_line(redact_secrets(text[:_MAX_SEARCHED_CHARS]))[:MAX_ID_CHARS]
