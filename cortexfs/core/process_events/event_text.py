"""The text of an event: one line without secrets, private parts and what we emitted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.process_events.process_event import MAX_TEXT_CHARS
from cortexfs.core.text.sanitize import redact_secrets, to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_ID_CHARS = 128
"""Maximum characters of the id of a session, sub-agent or task, and of a project."""
_MAX_SEARCHED_CHARS = 20_000
"""Maximum characters that are searched for secrets: far more than an event keeps."""
_CUT_CHARS = 2000
"""Characters from which on a text may have been cut: hooks shorten long events."""


def clean_event_text(text: str) -> str:
    """Return a text of a person or an agent as that of an event; empty if all of it was ours."""
    from cortexfs.core.memory.emitted_text import CLIENT_TAGS, strip_emitted_text  # noqa: PLC0415 - ids need neither
    from cortexfs.core.memory.redact_private import redact_private  # noqa: PLC0415

    shown = redact_private(strip_emitted_text(text))
    if len(text) >= _CUT_CHARS:
        shown = _drop_cut_end(shown[:_MAX_SEARCHED_CHARS], CLIENT_TAGS)
    return truncate_line(redact_secrets(shown), MAX_TEXT_CHARS)


def _drop_cut_end(text: str, tags: Iterable[str]) -> str:
    """Return a text without its last word, which may be half a secret, and without half a block."""
    shown = text[: max(text.rfind(" "), text.rfind("\n"), 0)]
    block = re.search(rf"<(?:{'|'.join(tags)})(?![\w-])", shown, re.IGNORECASE)
    return shown[: block.start()] if block else shown


def clean_id(text: str) -> str:
    """Return an id as it stands in an event."""
    return to_one_line(redact_secrets(text[:_MAX_SEARCHED_CHARS]))[:MAX_ID_CHARS]
