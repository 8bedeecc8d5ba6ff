"""Make the fields of a memory fit for its file: one set of rules for saving and for importing."""

from __future__ import annotations

from cortexfs.core.memory.memory_record import DEFAULT_TYPE, PERSONAL_SCOPE, PROJECT_SCOPE
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.text.sanitize import to_one_line

MAX_TYPE_CHARS = 64
MAX_TAG_CHARS = 64


def clean_field(text: str) -> str:
    """Return a short text on one line, without private parts."""
    return to_one_line(redact_private(text))


def clean_type(text: str) -> str:
    """Return the type of a memory on one line, in lower case; `manual` if there is none."""
    return to_one_line(text)[:MAX_TYPE_CHARS].lower() or DEFAULT_TYPE


def clean_scope(text: str) -> str:
    """Return the scope of a memory: `project` for every text but `personal`."""
    return PERSONAL_SCOPE if text.strip().lower() == PERSONAL_SCOPE else PROJECT_SCOPE


def clean_tag(text: str) -> str:
    """Return a tag on one line; empty if nothing is left."""
    return to_one_line(text)[:MAX_TAG_CHARS]


def make_type_tag(memory_type: str) -> str:
    """Return the tag of a memory that has no other: its type."""
    return memory_type.replace(" ", "-")
