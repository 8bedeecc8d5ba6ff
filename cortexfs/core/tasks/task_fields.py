"""The keys of a TASKS.yaml in the order in which they are written, and how their values are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cortexfs.core.frontmatter import yaml_scalar

Given = str | Sequence[str] | Mapping[str, str]
Change = Given | None
"""What a key is to say; None takes it out."""

ORDER = (
    *("id", "text", "why", "done-when", "priority", "status", "template", "plan"),
    *("parent", "depends-on", "blocked-by", "claimed-by", "claimed-at", "paused"),
    *("approval-needed", "approved-at", "not-before", "pending-at"),
    *("completed-at", "completed-note"),
)
"""The keys of a task."""

TOP = ("lock", "tasks", "owner", "acquired_at", "expires_at", "note")
"""The keys of the file, and of its lock."""

YES = "true"
FLAGS = frozenset({"paused", "approval-needed"})
TIMES = frozenset({"claimed-at", "approved-at", "not-before", "pending-at", "completed-at"})

_NO = frozenset({"", "false", "no", "off", "n", "0"})


def is_yes(typed: object) -> bool:
    """Tell whether a flag is raised; `paused: until spring` is."""
    return not isinstance(typed, str) or typed.strip().lower() not in _NO


def rank(key: str) -> int:
    """Tell where a key stands among the known ones; -1 for one that is not known."""
    known = ORDER if key in ORDER else TOP
    return known.index(key) if key in known else -1


def written(key: str, value: Given, *, within: bool = False, quoted: bool = False) -> str:
    """Write a value that replaces none, on one line.

    `within` brackets a comma parts; `quoted` as JSON has it, where the rest is JSON too.
    """
    if isinstance(value, Mapping):
        inner = (pair(k, v, within=True, quoted=quoted) for k, v in value.items())
        return f"{{{', '.join(inner)}}}"
    if not isinstance(value, str):
        return f"[{', '.join(yaml_scalar.text(v, within=True, quoted=quoted) for v in value)}]"
    if key in FLAGS and value == YES:
        return YES
    if key in TIMES and not quoted and not (within and ":" in value):
        return yaml_scalar.like("", value)
    return yaml_scalar.text(value, within=within, quoted=quoted)


def pair(key: str, value: Given, *, within: bool = False, quoted: bool = False) -> str:
    """Write an entry on one line, without a line end."""
    name = yaml_scalar.text(key, within=True, quoted=quoted)
    return f"{name}: {written(key, value, within=within, quoted=quoted)}"
