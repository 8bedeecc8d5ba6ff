"""Whether a file may be written as an agent asks, and what its author should be told."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.checks.size_limits import is_over, may_stand, size
from cortexfs.core.governance.trim_hints import spare
from cortexfs.core.text.plural import counted

if TYPE_CHECKING:
    from cortexfs.core.checks.size_limits import Cap

FULL = 3, 4
"""From this part of its cap on a file is nearly full."""

LOOKED_AT = 8 * 1024
"""Characters in which to look for what could go: somebody waits, and far more is absurd."""


class Verdict(NamedTuple):
    """Why a write must not be, or else what its author should know of it."""

    denied: str = ""
    told: str = ""


FREE = Verdict()
"""No rule is against it, and there is nothing to say."""


def judge_size(path: str, before: str | None, after: str, cap: Cap) -> Verdict:
    """Hold what a file will say to its cap; an edit that shrinks what is over it may be made."""
    if not may_stand(before, after, cap):
        advice = "Nothing was written; an edit that shrinks the file is let through."
        return Verdict(denied=f"{path} would have {_held(after, cap)}. {_could(after)} {advice}")
    if is_over(after, cap):
        return Verdict(told=f"{path} is still over its cap: {_held(after, cap)}. {_could(after)}")
    if _is_nearly_full(after, cap):
        return Verdict(told=f"{path} is nearly full: {_held(after, cap)}. {_could(after)}")
    return FREE


def _held(text: str, cap: Cap) -> str:
    has = size(text)
    return f"{counted(has.lines, 'line')} and {counted(has.bytes, 'byte')}; its cap is {cap}"


def _could(text: str) -> str:
    found = spare(text[:LOOKED_AT])
    return f"What could go: {'; '.join(found)}." if found else "Say it shorter."


def _is_nearly_full(text: str, cap: Cap) -> bool:
    part, whole = FULL
    return any(
        most and has * whole >= most * part for has, most in zip(size(text), cap, strict=True)
    )
