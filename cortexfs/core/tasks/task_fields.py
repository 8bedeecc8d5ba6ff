"""The keys of a TASKS.yaml in the order in which they are written, and the format of values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cortexfs.core.frontmatter import yaml_scalar

FieldValue = str | Sequence[str] | Mapping[str, str]
FieldChange = FieldValue | None
"""The new value of a key; None removes the key."""

TASK_KEYS = (
    *("id", "text", "why", "done-when", "priority", "status", "template", "plan"),
    *("parent", "depends-on", "blocked-by", "claimed-by", "claimed-at", "paused"),
    *("approval-needed", "approved-at", "not-before", "pending-at"),
    *("completed-at", "completed-note"),
)
"""The keys of a task."""

FILE_KEYS = ("lock", "tasks", "owner", "acquired_at", "expires_at", "note")
"""The keys of the file, and of its lock."""

YES = "true"
FLAG_KEYS = frozenset({"paused", "approval-needed"})
TIME_KEYS = frozenset({"claimed-at", "approved-at", "not-before", "pending-at", "completed-at"})

_NO = frozenset({"", "false", "no", "off", "n", "0"})


class EntryStyle(NamedTuple):
    """How an entry is written: within brackets, where a comma separates, and quoted as in JSON."""

    in_brackets: bool = False
    quoted: bool = False


PLAIN_STYLE = EntryStyle()
"""The style of an entry on a line of its own."""


def is_flag_set(typed: object) -> bool:
    """Return whether a flag is set; `paused: until spring` is."""
    return not isinstance(typed, str) or typed.strip().lower() not in _NO


def key_position(key: str) -> int:
    """Return the position of a key among the known keys, from 0; -1 if it is unknown."""
    known = TASK_KEYS if key in TASK_KEYS else FILE_KEYS
    return known.index(key) if key in known else -1


def format_value(key: str, value: FieldValue, style: EntryStyle = PLAIN_STYLE) -> str:
    """Format a value on one line."""
    in_brackets, quoted = style
    if isinstance(value, Mapping):
        inner_style = EntryStyle(in_brackets=True, quoted=quoted)
        inner = (format_entry(k, v, inner_style) for k, v in value.items())
        return f"{{{', '.join(inner)}}}"
    if not isinstance(value, str):
        texts = (yaml_scalar.format_text(v, in_brackets=True, quoted=quoted) for v in value)
        return f"[{', '.join(texts)}]"
    if key in FLAG_KEYS and value == YES:
        return YES
    if key in TIME_KEYS and not quoted and not (in_brackets and ":" in value):
        return yaml_scalar.format_in_style("", value)
    return yaml_scalar.format_text(value, in_brackets=in_brackets, quoted=quoted)


def format_entry(key: str, value: FieldValue, style: EntryStyle = PLAIN_STYLE) -> str:
    """Format an entry on one line, without a line end."""
    name = yaml_scalar.format_text(key, in_brackets=True, quoted=style.quoted)
    return f"{name}: {format_value(key, value, style)}"
