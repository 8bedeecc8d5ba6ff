"""The text of an observation, a session or a prompt: made from fields and content, and changed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.parse_atom import MAX_SUMMARY_CHARS
from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.memory.redact_private import redact_private
from cortexfs.core.text.sanitize import to_one_line, truncate_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    Fields = Mapping[str, str | tuple[str, ...]]
    FieldEdits = Mapping[str, str | tuple[str, ...] | None]

DEFAULT_PROJECT = "general"
"""The project of what names none."""
MAX_PROJECT_CHARS = 64


def format_memory_text(fields: Fields, content: str) -> str:
    """Return the text of a new memory; fields without a value are left out."""
    given = {key: value for key, value in fields.items() if value}
    return f"---\n{atom_text.format_frontmatter(given)}---\n\n{content.strip()}\n"


def change_memory_text(text: str, fields: FieldEdits, content: str | None = None) -> str:
    """Return a memory with other fields (None: removed) and, if given, another content."""
    if content is not None:
        front, _ = atom_text.split_front_and_body(text)
        text = f"{front}\n{content.strip()}\n"
    return atom_text.edit_frontmatter(text, fields)


def get_memory_content(text: str) -> str:
    """Return the content in the text of a memory."""
    return atom_text.split_front_and_body(text)[1].strip()


def format_time(now: datetime) -> str:
    """Return an aware time in UTC: `2026-05-06T20:31:10Z`."""
    from datetime import UTC  # noqa: PLC0415 - only to write

    return now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def make_session_title(session_id: str, summary: str) -> str:
    """Return the title of a session: the first line of its summary or, without one, its id."""
    first_line = next(filter(None, map(to_one_line, summary.splitlines())), "")
    return truncate_line(first_line or f"Session {session_id}", MAX_SUMMARY_CHARS)


def normalize_project(name: str) -> str:
    """Return a name as that of a project; `DEFAULT_PROJECT` if it cannot be one."""
    return parse_project_name(name) or DEFAULT_PROJECT


def parse_project_name(name: str) -> str:
    """Return a name as that of a project: lower case, with `-` for what is not allowed.

    Private parts are redacted. Empty if it has no letter or digit, or is reserved on some file
    system.
    """
    plain = re.sub(r"[^a-z0-9._-]+", "-", redact_private(name).lower())
    plain = plain.strip("-._")[:MAX_PROJECT_CHARS].rstrip("-._")
    return plain if is_project_name(plain) else ""
