"""Whether an agent may write a file, and what to tell the author about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.secrets import find_new_secrets
from cortexfs.core.checks.size_limits import is_edit_allowed, is_over_cap, measure_text
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from cortexfs.core.checks.size_limits import Cap

NEARLY_FULL_RATIO = 3, 4
"""The fraction of its size limit from which a file is nearly full."""

MAX_HINT_CHARACTERS = 8 * 1024
"""Maximum number of characters to search for trim hints, because the agent waits."""

MAX_SECRETS = 5
"""Maximum number of secrets in one denial."""


class Verdict(NamedTuple):
    """The reason for denying a write, or else a notice for its author."""

    denial: str = ""
    notice: str = ""


ALLOWED = Verdict()
"""Allowed, without a notice."""


def judge_size(path: str, before: str | None, after: str, cap: Cap) -> Verdict:
    """Check a text against its size limit; an edit that shrinks an oversized file is allowed."""
    if is_edit_allowed(before, after, cap):
        return Verdict(notice=format_size_notice(path, after, cap))
    hint = "Nothing was written. An edit that makes the file smaller is allowed."
    return Verdict(
        denial=f"{path} would have {_format_size(after, cap)}. {_format_trim_hint(after)} {hint}"
    )


def format_size_notice(path: str, text: str, cap: Cap) -> str:
    """Return a notice that a file is over or near its size limit; empty if it is neither."""
    if is_over_cap(text, cap):
        return f"{path} is still over its cap: {_format_size(text, cap)}. {_format_trim_hint(text)}"
    if _is_nearly_full(text, cap):
        return f"{path} is nearly full: {_format_size(text, cap)}. {_format_trim_hint(text)}"
    return ""


def judge_secrets(path: str, before: str | None, after: str) -> Verdict:
    """Deny a text with a new secret; the reason has the rule and the line, never the secret."""
    found = find_new_secrets(after, before or "")
    if not found:
        return ALLOWED
    places = "; ".join(f"line {flaw.line}: {flaw.message}" for flaw in found[:MAX_SECRETS])
    return Verdict(
        denial=f"{path} would contain a secret, which git would keep forever: {places}. Nothing "
        "was written. Leave the secret out; write down where it is kept instead. If it is not a "
        "secret, put `<!-- pragma: allowlist secret -->` on its line."
    )


def _format_size(text: str, cap: Cap) -> str:
    size = measure_text(text)
    lines, size_in_bytes = format_count(size.lines, "line"), format_count(size.bytes, "byte")
    return f"{lines} and {size_in_bytes}; its cap is {cap}"


def _format_trim_hint(text: str) -> str:
    from cortexfs.core.governance.trim_hints import list_trim_hints  # noqa: PLC0415 - only a full file needs it

    found = list_trim_hints(text[:MAX_HINT_CHARACTERS])
    return f"What could be removed: {'; '.join(found)}." if found else "Shorten it."


def _is_nearly_full(text: str, cap: Cap) -> bool:
    part, whole = NEARLY_FULL_RATIO
    return any(
        limit and size * whole >= limit * part
        for size, limit in zip(measure_text(text), cap, strict=True)
    )
